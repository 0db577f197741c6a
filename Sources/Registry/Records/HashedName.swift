internal import RegistryC

/// A name as a dictionary key, which computes the hash only once.
///
/// The standard library takes 350 instructions to hash a string, and the first use of a manager
/// looks up thousands of names several times.
package struct HashedName: Hashable {
  package let text: String
  private let hash: Int

  package init(_ text: String) {
    var text = text
    hash = text.withUTF8 { hashOfName(UnsafeRawBufferPointer($0)) }
    self.text = text
  }

  package static func == (a: Self, b: Self) -> Bool { a.hash == b.hash && a.text == b.text }
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  // Ignore the dictionary's seed, because the hash already depends on a random seed.
  package func _rawHashValue(seed: Int) -> Int { hash }
}

/// A dictionary key for a name in a record. The record's bytes must outlive the key.
struct NameBytes: Hashable {
  let bytes: UnsafeRawBufferPointer
  private let hash: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    hash = hashOfName(bytes)
  }

  static func == (a: Self, b: Self) -> Bool { a.hash == b.hash && a.bytes.isSame(as: b.bytes) }
  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  func _rawHashValue(seed: Int) -> Int { hash }
}

/// A seed that differs between processes, so that no file can be made to cause many collisions.
private let seed = UInt64(truncatingIfNeeded: "".hashValue)

private func hashOfName(_ bytes: UnsafeRawBufferPointer) -> Int {
  Int(truncatingIfNeeded: registry_hash_name(bytes.baseAddress, bytes.count, seed))
}
