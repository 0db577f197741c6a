import RegistryC
import Testing

@Suite struct SortTests {
  @Test(arguments: ["", "Shop.FeatureModule"])
  func `modules are sorted by level, priority, bytes of their names, addresses, and positions`(shared: String) {
    let rows: [(level: Int32, priority: Int64, name: String, address: UInt)] = [
      (0, 0, "b", 0), (1, .max, "b", 0), (1, 1, "a", 0), (1, 1, "a.b", 0), (1, 1, "ab", 0), (1, 1, "z", 1),
      (1, 1, "z", 2), (1, 1, "z", 2), (1, 1, "\u{e9}", 0), (1, 0, "", 0), (1, .min, "a", 0), (1, .min, "a23456789", 0),
      (1, .min, "a234567891", 0),
    ]
    let expected = rows.map { (level: $0.level, priority: $0.priority, name: shared + $0.name, address: $0.address) }
    let memory = expected.map { row in
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: row.name.utf8.count)
      bytes.initialize(from: Array(row.name.utf8), count: row.name.utf8.count)
      return bytes
    }
    defer { for bytes in memory { bytes.deallocate() } }
    var keys = expected.indices.map { index in
      let row = expected[index]
      return registry_sort_key(
        level: row.level, priority: row.priority, name: memory[index], name_size: row.name.utf8.count,
        address: row.address, position: index, distinctive: 0)
    }
    // The equal rows keep the order of their positions.
    keys.reverse()
    registry_sort(&keys, keys.count)
    #expect(keys.map(\.position) == Array(expected.indices))
    registry_sort(&keys, 0)
  }

  @Test func `the hash of a name depends on its bytes, its size, and the seed`() {
    let names = ["", "a", "b", "a\0", "\0a", "ab", "Cart.Module1", "Cart.Module2", "Cbrt.Module1"]
    var hashes: Set<UInt64> = []
    for seed in [UInt64(0), 1 << 40] {
      for name in names { hashes.insert(registry_hash_name(name, name.utf8.count, seed)) }
    }
    #expect(hashes.count == 2 * names.count)
    #expect(registry_hash_name("Cart", 3, 0) == registry_hash_name("Card", 3, 0))
  }

  @Test(arguments: [
    ("Cart.CartModule", true, true), ("CartModule", true, false), ("Cart.A.B", true, false), (".", true, true),
    ("", false, false), ("_Cart.A", false, true), ("Cart.(A in _1)", false, true), ("Cart.`a b`", false, true),
  ]) func `names in the form of records and names of top-level types are recognized`(
    name: String, isPlain: Bool, isTopLevel: Bool
  ) {
    #expect(registry_is_plain_name(name, name.utf8.count) == isPlain)
    #expect(registry_is_top_level(name, name.utf8.count) == isTopLevel)
  }
}
