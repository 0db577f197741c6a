import Foundation
import RegistryC
import RegistryCTestSupport
import TestSupport
import Testing

/// Returns a key that is aligned to eight bytes, like the address of type metadata.
private func key(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(bitPattern: number * 8 + 0x10000)! }

/// Returns the only value that belongs to a key, so that the tests detect a value of another key.
private func value(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(bitPattern: number * 16 + 1)! }

/// A cell of its own, as a pointer that threads can share.
///
/// Unchecked: Tables support concurrent readers.
private struct Cell: @unchecked Sendable {
  let pointer = registry_cell_create()!

  func find(_ number: Int) -> UnsafeRawPointer? { registry_find(pointer, key(number)) }

  @discardableResult func publish(_ number: Int, _ value: UnsafeRawPointer?) -> Bool {
    registry_publish(pointer, key(number), value)
  }
}

@Suite struct `The look-up table` {
  @Test func `An empty table finds nothing`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    #expect(cell.find(1) == nil)
    #expect(cell.publish(1, nil))
    #expect(cell.find(1) == nil)
    #expect(cell.pointer.pointee.table == nil)
  }

  @Test func `A value is added, changed, removed, and restored`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    #expect(cell.publish(1, value(1)))
    #expect(cell.find(1) == value(1))
    #expect(cell.publish(1, value(2)))
    #expect(cell.find(1) == value(2))
    #expect(cell.publish(1, nil))
    #expect(cell.find(1) == nil)
    #expect(cell.publish(1, value(3)))
    #expect(cell.find(1) == value(3))
    #expect(cell.pointer.pointee.table!.pointee.count == 1)
  }

  /// Checks the functions in the header, which are copied into Swift modules and compiled into C
  /// files.
  @Test func `C code finds the same values as Swift code`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    #expect(registry_test_find(cell.pointer, key(1)) == nil)
    // Keys whose probes begin at the same slot are distinguished too.
    for number in 0..<300 { #expect(cell.publish(number * 512, value(number))) }
    for number in 0..<400 {
      let found = registry_test_find(cell.pointer, key(number * 512))
      #expect(found == (number < 300 ? value(number) : nil) && found == cell.find(number * 512))
    }
  }

  @Test func `A hidden table finds nothing, accepts new values, and shows them later`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    registry_cell_hide(cell.pointer, true)
    #expect(cell.publish(1, value(1)))
    #expect(cell.find(1) == nil)
    registry_cell_hide(cell.pointer, false)
    #expect(cell.find(1) == value(1))
    registry_cell_hide(cell.pointer, true)
    // Publish more values than the first table holds, so that the table grows while it is hidden.
    for number in 0..<500 { #expect(cell.publish(number, value(number + 1))) }
    #expect(cell.publish(1, nil))
    for number in 0..<500 { #expect(cell.find(number) == nil) }
    registry_cell_hide(cell.pointer, false)
    for number in 0..<500 { #expect(cell.find(number) == (number == 1 ? nil : value(number + 1))) }
  }

  @Test func `A table grows without losing a key, and is never more than half full`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    for number in 0..<5000 {
      #expect(cell.publish(number, value(number)))
      let table = cell.pointer.pointee.table!.pointee
      #expect(table.count * 2 <= table.mask + 1)
    }
    for number in 0..<5000 { #expect(cell.find(number) == value(number)) }
    for number in 5000..<6000 { #expect(cell.find(number) == nil) }
  }

  @Test func `Repeatedly adding and removing the same keys needs no more memory`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    for number in 0..<20 { cell.publish(number, value(number)) }
    let table = cell.pointer.pointee.table
    for round in 0..<1000 {
      for number in 0..<20 { cell.publish(number, round % 2 == 0 ? nil : value(number)) }
    }
    #expect(cell.pointer.pointee.table == table)
  }

  @Test func `Keys with the same first slot are distinguished`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    // The keys share a bucket, so the first slot of a probe cannot distinguish them.
    let colliding = (1..<100_000).filter { registry_hash(key($0)) & 63 == 63 }.prefix(30)
    #expect(colliding.count == 30)
    for number in colliding { cell.publish(number, value(number)) }
    for number in colliding { #expect(cell.find(number) == value(number)) }
    let absent = (100_000..<200_000).first { registry_hash(key($0)) & 63 == 63 }!
    #expect(cell.find(absent) == nil)
  }

  @Test func `A gate opens to other objects after its last reader has left`() {
    var gates: UnsafeMutablePointer<registry_gate>?
    defer { registry_gates_destroy(gates) }
    let gate = registry_gate_open(&gates, value(1), value(2))!
    #expect(registry_gate_enter(gate) && registry_gate_enter(gate))
    #expect(!registry_gate_close(gate), "a reader releases the objects")
    #expect(!registry_gate_enter(gate))
    let other = registry_gate_open(&gates, value(3), value(4))!
    #expect(other != gate && gate.pointee.entry == value(1) && gate.pointee.factory == value(2))
    #expect(!registry_gate_leave(gate))
    #expect(registry_gate_leave(gate), "the last reader releases the objects")
    #expect(registry_gate_open(&gates, value(5), value(6)) == gate)
    #expect(gate.pointee.entry == value(5) && registry_gate_enter(gate))
    #expect(!registry_gate_leave(gate))
    #expect(registry_gate_close(gate) && registry_gate_close(other))
  }

  @Test func `The objects of a gate are released once, after their last reader has left`() {
    let cell = Cell()
    let objects = UnsafeMutableBufferPointer<Int>.allocate(capacity: 2_000)
    defer {
      registry_cell_destroy(cell.pointer)
      objects.deallocate()
    }
    objects.initialize(repeating: 1)
    // Unsafe: the first thread changes the list, and the gates support concurrent readers. The
    // objects have no lock, so that ThreadSanitizer finds a reader that comes too late.
    nonisolated(unsafe) var gates: UnsafeMutablePointer<registry_gate>?
    nonisolated(unsafe) let shared = objects
    let done = Counter()
    onThreads(4) { thread in
      func release(_ object: UnsafeRawPointer) {
        UnsafeMutableRawPointer(mutating: object).assumingMemoryBound(to: Int.self).pointee -= 1
      }
      if thread == 0 {
        for index in shared.indices {
          let object = UnsafeRawPointer(shared.baseAddress! + index)
          let gate = registry_gate_open(&gates, object, object)!
          cell.publish(1, gate)
          if registry_gate_close(gate) { release(object) }
        }
        done.increment()
        return
      }
      while done.value == 0 {
        guard let found = cell.find(1) else { continue }
        let gate = UnsafeMutablePointer(mutating: found.assumingMemoryBound(to: registry_gate.self))
        guard registry_gate_enter(gate) else { continue }
        let object = gate.pointee.entry
        #expect(object.load(as: Int.self) == 1)
        if registry_gate_leave(gate) { release(object) }
      }
    }
    #expect(objects.allSatisfy { $0 == 0 })
    registry_gates_destroy(gates)
  }

  @Test func `The shared cell has one address and its own cache line`() {
    #expect(registry_shared() == registry_test_shared())
    #expect(UInt(bitPattern: registry_shared()) % 64 == 0)
    #expect(MemoryLayout<registry_cell>.size == 64)
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    #expect(UInt(bitPattern: cell.pointer) % 64 == 0)
  }

  @Test func `Readers find the right value or none while a writer adds, removes, and grows the table`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    let count = 3000
    onThreads(4) { worker in
      if worker == 0 {
        for number in 0..<count {
          cell.publish(number, value(number))
          if number % 3 == 0 { cell.publish(number / 2, nil) }
          if number % 5 == 0 { cell.publish(number / 2, value(number / 2)) }
        }
        for number in 0..<count { cell.publish(number, value(number)) }
      } else {
        var found = 0
        var round = 0
        while found < count, round < 200_000 {
          found = 0
          for number in stride(from: 0, to: count, by: 1 + round % 7) {
            let pointer = cell.find(number)
            if let pointer {
              precondition(pointer == value(number))
              found += 1
            }
          }
          round += 1
          if round % 7 != 1 { found = 0 }
        }
        precondition(found == count)
      }
    }
  }
}

/// Readers that use a table after the table has been replaced by a larger one.
@Suite struct `An old table` {
  /// Returns a value that contains its key and the number of changes of that key.
  private static func value(_ number: Int, _ version: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(bitPattern: (number + 1) << 32 | (version + 1) << 4)!
  }

  private static func number(of value: UnsafeRawPointer) -> Int { Int(bitPattern: value) >> 32 - 1 }
  private static func version(of value: UnsafeRawPointer) -> Int { (Int(bitPattern: value) & 0xffff_ffff) >> 4 - 1 }

  /// A reader that has copied the cell earlier.
  ///
  /// A lookup through the copy acts like the rest of a lookup that began at that time.
  private struct Reader: @unchecked Sendable {
    // Unchecked: The copy does not change, and the table that it refers to supports concurrent
    // readers.
    private let copy = UnsafeMutablePointer<registry_cell>.allocate(capacity: 1)

    init(_ cell: Cell) { copy.initialize(to: cell.pointer.pointee) }

    func find(_ number: Int) -> UnsafeRawPointer? { registry_find(copy, key(number)) }
    func free() { copy.deallocate() }
  }

  /// Publishes, replaces, and withdraws values while the table grows.
  ///
  /// - Parameter afterEach: A closure that receives the number of each change.
  /// - Returns: The number of the last value of each key, counted from zero.
  private static func change(_ cell: Cell, times: Int, afterEach: (_ change: Int) -> Void) -> [Int] {
    var versions: [Int] = []
    for change in 0..<times {
      // Every fourth change adds a key. The other changes are to earlier keys.
      let number = change % 4 == 0 ? versions.count : change * 31 % versions.count
      if number == versions.count { versions.append(-1) }
      if change % 4 == 3 {
        cell.publish(number, nil)
      } else {
        versions[number] += 1
        cell.publish(number, value(number, versions[number]))
      }
      afterEach(change)
    }
    return versions
  }

  @Test func `Readers find a value of their key or none during 10,000 changes, and no other key's value`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    var readers: [Reader] = []
    defer { for reader in readers { reader.free() } }
    let versions = Self.change(cell, times: 10_000) { change in
      if change % 100 == 0 { readers.append(Reader(cell)) }
    }
    #expect(versions.count == 2_500 && readers.count == 100)
    var found = 0
    for reader in readers {
      for (number, version) in versions.enumerated() {
        guard let value = reader.find(number) else { continue }
        found += 1
        #expect(Self.number(of: value) == number && (0...version).contains(Self.version(of: value)))
      }
    }
    // Readers of the newest table find nearly every key, and readers of older tables find a part of
    // them.
    #expect(found > 100_000)
  }

  @Test func `Threads that search outgrown tables find the same values while the writer continues`() {
    let cell = Cell()
    defer { registry_cell_destroy(cell.pointer) }
    // The writer creates the copies, because no other thread can read the cell as a whole.
    let shelf = Shelf<Reader>()
    defer { for reader in shelf.all { reader.free() } }
    let (wrong, found) = (Counter(), Counter())
    onThreads(4) { worker in
      if worker == 0 {
        _ = Self.change(cell, times: 10_000) { change in
          if change % 100 == 0 { shelf.add(Reader(cell)) }
        }
        return shelf.close()
      }
      var random = SeededGenerator(seed: UInt64(worker))
      var hits = 0
      while !shelf.isClosed || hits == 0 {
        for reader in shelf.all {
          for _ in 0..<50 {
            let number = random.below(2_500)
            guard let value = reader.find(number) else { continue }
            hits += 1
            if Self.number(of: value) != number { wrong.increment() }
          }
        }
      }
      if hits > 0 { found.increment() }
    }
    #expect(wrong.value == 0 && found.value == 3)
  }
}

/// A list of elements that one thread adds and others read.
private final class Shelf<Element: Sendable>: @unchecked Sendable {
  // Unchecked: The lock guards both mutable variables.
  private let lock = NSLock()
  private var elements: [Element] = []
  private var isDone = false

  var all: [Element] { lock.withLock { elements } }
  var isClosed: Bool { lock.withLock { isDone } }
  func add(_ element: Element) { lock.withLock { elements.append(element) } }
  func close() { lock.withLock { isDone = true } }
}
