/// A hash table of the literal branches of all nodes in a trie.
///
/// A lookup compares the bytes of a URL without creating strings or arrays. The hash doesn't have
/// to resist deliberate collisions, because the entries come from the app's own patterns.
struct LiteralTable: Sendable {
  /// The parent value for schemes. Hosts and segments have the index of a node as their parent.
  static let start = Int32.min

  /// Returns the parent value for a scheme's ports, so that a port can't equal a host.
  static func ports(of scheme: Int32) -> Int32 { ~scheme }

  static func bytes(ofPort port: Int) -> [UInt8] { [UInt8(port >> 8), UInt8(port & 0xff)] }

  private struct Literal {
    let parent: Int32
    let child: Int32
    let hash: UInt32
    let start: Int32
    let count: Int32
  }

  private var literals: [Literal] = []
  private var text: [UInt8] = []
  /// A hash table of indices into `literals`, with -1 in empty slots. The number of slots is zero
  /// or a power of two, and at most half of the slots are in use.
  private var slots: [Int32] = []
  private var longest = 0

  /// Returns a parent's child for a literal, or nil. `part` is the range of the literal in `bytes`.
  func find(_ bytes: [UInt8], _ part: Range<Int>, from parent: Int32) -> Int32? {
    // Text that is longer than every literal can't match, so don't spend time hashing it.
    guard part.count <= longest, !slots.isEmpty else { return nil }
    let hash = Self.hash(bytes, part, parent)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let literal = literals[Int(slots[slot])]
      if literal.hash == hash, literal.parent == parent, literal.count == part.count,
        isEqual(bytes, part, Int(literal.start))
      {
        return literal.child
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a literal that isn't in the table yet.
  mutating func insert(_ bytes: [UInt8], from parent: Int32, _ child: Int32) {
    let hash = Self.hash(bytes, 0..<bytes.count, parent)
    literals.append(
      Literal(parent: parent, child: child, hash: hash, start: Int32(text.count), count: Int32(bytes.count)))
    text += bytes
    longest = max(longest, bytes.count)
    if literals.count * 2 > slots.count {
      slots = Array(repeating: -1, count: max(8, slots.count * 2))
      for index in literals.indices { store(Int32(index)) }
    } else {
      store(Int32(literals.count - 1))
    }
  }

  private mutating func store(_ index: Int32) {
    var slot = Int(literals[Int(index)].hash) & (slots.count - 1)
    while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = index
  }

  private func isEqual(_ bytes: [UInt8], _ part: Range<Int>, _ start: Int) -> Bool {
    // Check both ranges once, because the unsafe pointers don't check the offsets.
    precondition(part.upperBound <= bytes.count && start + part.count <= text.count)
    return bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { text in
        guard let bytes = bytes.baseAddress, let text = text.baseAddress else { return true }
        let (first, second) = (bytes + part.lowerBound, text + start)
        for offset in 0..<part.count where first[offset] != second[offset] { return false }
        return true
      }
    }
  }

  /// Returns an FNV-1a hash of a literal and its parent, with low bits that depend on all bytes.
  private static func hash(_ bytes: [UInt8], _ part: Range<Int>, _ parent: Int32) -> UInt32 {
    precondition(part.upperBound <= bytes.count)
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(UInt32(bitPattern: parent)) &* 0x9e37_79b9_7f4a_7c15
    bytes.withUnsafeBufferPointer { bytes in
      for index in part { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    }
    hash ^= hash >> 32
    return UInt32(truncatingIfNeeded: (hash &* 0x9e37_79b9_7f4a_7c15) >> 32)
  }
}
