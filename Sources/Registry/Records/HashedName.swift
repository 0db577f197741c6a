internal import RegistryC

/// A name as the key of a dictionary, whose hash is computed once for all lookups.
///
/// The standard library hashes a string in 350 instructions. Several lookups for each of thousands
/// of records would take a large part of the first use.
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
  // The seed of a dictionary is not needed, because the hash has one.
  package func _rawHashValue(seed: Int) -> Int { hash }
}

/// The bytes of a name in a record, which the user of the key keeps in memory.
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

/// Different in every process, so that no file can contain many names with equal hashes.
private let seed = UInt64(truncatingIfNeeded: "".hashValue)

private func hashOfName(_ bytes: UnsafeRawBufferPointer) -> Int {
  Int(truncatingIfNeeded: registry_hash_name(bytes.baseAddress, bytes.count, seed))
}
