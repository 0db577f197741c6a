internal import RegistryC

/// The positions of elements in an array, by the hashes of their names or keys.
///
/// The owner of the array compares the names or keys. Unlike a dictionary, this structure isn't
/// generic, so the first use of a manager doesn't create metadata and search all images for
/// conformances.
package struct HashIndex {
  /// The hash of an element's name in the upper half, and its position plus one in the lower half;
  /// zero for a free slot. The number of slots is zero or a power of two, and some slots are free.
  private var slots: [UInt64] = []
  private var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Returns the index of the slot at which searches for a used slot's hash start.
  // Truncating, because `Int` can have 32 bits.
  private func home(of slot: UInt64) -> Int { Int(truncatingIfNeeded: slot >> 32) & (slots.count - 1) }

  /// Returns the position of the first element with a hash for which a closure returns true.
  ///
  /// The closure compares names or keys, because different ones can have the same hash.
  @inline(__always)
  package func first(_ hash: UInt32, where isFound: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    var index = home(of: UInt64(hash) << 32)
    while slots[index] != 0 {
      let position = Int(truncatingIfNeeded: slots[index] & 0xffff_ffff) - 1
      if slots[index] >> 32 == hash, isFound(position) { return position }
      index = (index + 1) & (slots.count - 1)
    }
    return nil
  }

  @inline(never)
  package mutating func reserveCapacity(_ capacity: Int) {
    // At least a quarter of the slots stay free, so searches are short.
    guard capacity > slots.count - slots.count / 4 else { return }
    var size = 8
    while size - size / 4 < capacity { size *= 2 }
    let old = slots
    slots = [UInt64](repeating: 0, count: size)
    for slot in old where slot != 0 { add(slot) }
  }

  @inline(never)
  package mutating func insert(_ position: Int, _ hash: UInt32) {
    count += 1
    reserveCapacity(count)
    add(Self.slot(position, hash))
  }

  private static func slot(_ position: Int, _ hash: UInt32) -> UInt64 { UInt64(hash) << 32 | UInt64(position + 1) }

  private mutating func add(_ slot: UInt64) {
    var index = home(of: slot)
    while slots[index] != 0 { index = (index + 1) & (slots.count - 1) }
    slots[index] = slot
  }

  /// Changes the position of an element; does nothing if the index lacks the element.
  @inline(never)
  package mutating func move(_ position: Int, to newPosition: Int, _ hash: UInt32) {
    if let index = index(of: position, hash) { slots[index] = Self.slot(newPosition, hash) }
  }

  /// Removes an element if the index contains it.
  @inline(never)
  package mutating func remove(_ position: Int, _ hash: UInt32) {
    guard var free = index(of: position, hash) else { return }
    let mask = slots.count - 1
    var index = (free + 1) & mask
    // Move later elements to the free slot, unless a search for them starts after it.
    while slots[index] != 0 {
      if (index - home(of: slots[index])) & mask >= (index - free) & mask {
        slots[free] = slots[index]
        free = index
      }
      index = (index + 1) & mask
    }
    slots[free] = 0
    count -= 1
  }

  private func index(of position: Int, _ hash: UInt32) -> Int? {
    guard !slots.isEmpty else { return nil }
    let slot = Self.slot(position, hash)
    var index = home(of: slot)
    while slots[index] != slot {
      if slots[index] == 0 { return nil }
      index = (index + 1) & (slots.count - 1)
    }
    return index
  }

  // A seed that differs between processes, so that no file can be made to cause many collisions.
  private static let seed = UInt64(truncatingIfNeeded: "".hashValue)

  package static func hash(_ name: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: registry_hash_name(name.baseAddress, name.count, seed))
  }
}

/// A name whose hash is computed once, for several searches.
package struct HashedName: Equatable {
  package let text: String
  package let hash: UInt32

  package init(_ text: String) {
    var text = text
    hash = text.withUTF8 { HashIndex.hash(UnsafeRawBufferPointer($0)) }
    self.text = text
  }

  package static func == (a: Self, b: Self) -> Bool { a.hash == b.hash && a.text == b.text }
}

/// Distinct names, each with the position at which it was added.
package struct NameTable {
  package private(set) var names: [HashedName] = []
  private var index = HashIndex()

  package init() {}

  package func position(of name: HashedName) -> Int? { index.first(name.hash) { names[$0] == name } }

  /// Adds a name, or returns its position if the table contains it.
  package mutating func add(_ name: HashedName) -> Int? {
    if let position = position(of: name) { return position }
    index.insert(names.count, name.hash)
    names.append(name)
    return nil
  }
}
