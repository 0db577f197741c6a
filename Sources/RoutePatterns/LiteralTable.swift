/// The literal branches of all nodes, in one hash table that is asked with bytes of the URL, without a string or an array
/// being made. What is in it comes from patterns, which are the app's own: nobody else chooses what collides.
struct LiteralTable: Sendable {
  /// What a branch starts from.
  enum Parent {
    /// Where a URL begins.
    case scheme
    /// A scheme, if there is a port.
    case port(Int32)
    case node(Int32)

    var number: Int32 {
      switch self {
      case .scheme: .min
      case .port(let node): ~node
      case .node(let node): node
      }
    }
  }

  private struct Literal {
    let parent: Int32
    let child: Int32
    let hash: UInt32
    let start: Int32
    let count: Int32
  }

  private var literals: [Literal] = []
  private var text: [UInt8] = []
  /// Indices of ``literals``, at most half of them taken; a power of two, or empty.
  private var slots: [Int32] = []
  private var longest = 0

  /// The child that a literal leads to.
  ///
  /// - Parameter part: Where it stands in the bytes.
  func find(_ bytes: [UInt8], _ part: Range<Int>, from parent: Parent) -> Int32? {
    // However long the URL, no more of it is looked at than there may be.
    guard part.count <= longest, !slots.isEmpty else { return nil }
    let hash = Self.hash(bytes, part, parent)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let literal = literals[Int(slots[slot])]
      if literal.hash == hash, literal.parent == parent.number, literal.count == part.count,
        isEqual(bytes, part, Int(literal.start))
      {
        return literal.child
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a literal that is not in here.
  mutating func insert(_ bytes: [UInt8], from parent: Parent, _ child: Int32) {
    let hash = Self.hash(bytes, 0..<bytes.count, parent)
    literals.append(
      Literal(
        parent: parent.number, child: child, hash: hash, start: Int32(text.count), count: Int32(bytes.count)))
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
    for offset in 0..<part.count where bytes[part.lowerBound + offset] != text[start + offset] { return false }
    return true
  }

  /// FNV-1a, and a last step that brings what the upper bits know into the lower ones.
  private static func hash(_ bytes: [UInt8], _ part: Range<Int>, _ parent: Parent) -> UInt32 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(UInt32(bitPattern: parent.number)) &* 0x9e37_79b9_7f4a_7c15
    for index in part { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3 }
    hash ^= hash >> 32
    return UInt32(truncatingIfNeeded: (hash &* 0x9e37_79b9_7f4a_7c15) >> 32)
  }
}
