import RegistryC
import Testing

@Suite struct SortTests {
  @Test func `modules are sorted by priority, bytes of their names, addresses, and positions`() {
    let expected: [(priority: Int64, name: String, address: UInt)] = [
      (.max, "b", 0), (1, "a", 0), (1, "a.b", 0), (1, "ab", 0), (1, "z", 1), (1, "z", 2), (1, "z", 2), (1, "\u{e9}", 0),
      (0, "", 0), (.min, "a", 0),
    ]
    let memory = expected.map { row in
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: row.name.utf8.count)
      bytes.initialize(from: Array(row.name.utf8), count: row.name.utf8.count)
      return bytes
    }
    defer { for bytes in memory { bytes.deallocate() } }
    var keys = expected.indices.map { index in
      let row = expected[index]
      return registry_sort_key(
        priority: row.priority, name: memory[index], name_size: row.name.utf8.count, address: row.address,
        position: index)
    }
    // The equal rows keep the order of their positions.
    keys.reverse()
    registry_sort(&keys, keys.count)
    #expect(keys.map(\.position) == Array(expected.indices))
    registry_sort(&keys, 0)
  }
}
