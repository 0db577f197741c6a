import Dispatch
import RegistryC
import TestSupport
import Testing

@Suite struct TableTests {
  private func key(_ number: Int) -> UnsafeRawPointer { UnsafeRawPointer(bitPattern: (number + 1) * 16)! }

  @Test func `what is published is found, also after the table has grown`() throws {
    let cell = try #require(registry_cell_create())
    defer { registry_cell_destroy(cell) }
    #expect(registry_find(cell, key(0)) == nil)
    for number in 0..<5_000 { #expect(registry_publish(cell, key(number), key(number + 1))) }
    for number in 0..<5_000 { #expect(registry_find(cell, key(number)) == key(number + 1)) }
    #expect(registry_find(cell, key(5_000)) == nil)
  }

  @Test func `a value can be replaced and withdrawn`() throws {
    let cell = try #require(registry_cell_create())
    defer { registry_cell_destroy(cell) }
    #expect(registry_publish(cell, key(1), key(2)))
    #expect(registry_publish(cell, key(1), key(3)))
    #expect(registry_find(cell, key(1)) == key(3))
    #expect(registry_publish(cell, key(1), nil))
    #expect(registry_find(cell, key(1)) == nil)
    #expect(registry_publish(cell, key(1), key(4)))
    #expect(registry_find(cell, key(1)) == key(4))
  }

  @Test func `readers see whole values while a writer changes and grows the table`() throws {
    // The cell is an address to the closure; the table is made for several threads.
    nonisolated(unsafe) let cell = try #require(registry_cell_create())
    defer { registry_cell_destroy(cell) }
    let torn = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for round in 0..<20_000 {
        if worker == 0 {
          _ = registry_publish(cell, key(round % 2_000), round % 3 == 0 ? nil : key(round % 2_000 + 7))
        } else if let found = registry_find(cell, key(round % 2_000)), found != key(round % 2_000 + 7) {
          torn.increment()
        }
      }
    }
    #expect(torn.value == 0)
  }

  @Test func `the shared cell is one cell`() {
    #expect(registry_shared() == registry_shared())
  }
}
