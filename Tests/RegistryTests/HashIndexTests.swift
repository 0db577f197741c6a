import TestSupport
import Testing

@testable import Registry

struct HashIndexTests {
  @Test(arguments: [UInt32(0), 7, .max])
  func `an index agrees with a dictionary, even if most hashes are equal`(mask: UInt32) {
    var generator = SeededGenerator(seed: 49)
    var index = HashIndex()
    var hashes: [Int: UInt32] = [:]
    func found(_ hash: UInt32) -> Set<Int> {
      var found: Set<Int> = []
      let position = index.first(hash) { position in
        #expect(found.insert(position).inserted)
        return false
      }
      #expect(position == nil)
      for position in found { #expect(index.first(hash) { $0 == position } == position) }
      return found
    }
    for step in 0..<3_000 {
      let position = Int.random(in: 0..<300, using: &generator)
      switch (hashes[position], step % 3) {
      case (nil, _):
        hashes[position] = UInt32.random(in: 0...UInt32.max, using: &generator) & mask
        index.insert(position, hashes[position]!)
      case (let hash?, 0):
        let free = hashes.keys.max()! + 1
        index.move(position, to: free, hash)
        (hashes[position], hashes[free]) = (nil, hash)
      case (let hash?, _):
        index.remove(position, hash)
        hashes[position] = nil
      }
      // The index ignores elements that it doesn't contain.
      if hashes[position] == nil {
        index.remove(position, 3)
        index.move(position, to: 0, 3)
      }
      let hash = hashes.values.randomElement(using: &generator) ?? 0
      #expect(found(hash) == Set(hashes.filter { $0.value == hash }.keys))
      #expect(index.isEmpty == hashes.isEmpty)
    }
  }

  @Test func `a table of names returns the position of a name's first addition`() {
    var table = NameTable()
    let names = (0..<1_000).map { "Shop.Service\($0)" } + ["", "é", "e\u{301}"]
    for name in names { #expect(table.position(of: HashedName(name)) == nil && table.add(HashedName(name)) == nil) }
    for (position, name) in names.enumerated() { #expect(table.add(HashedName(name)) == position) }
    #expect(table.names.map(\.text) == names)
  }
}
