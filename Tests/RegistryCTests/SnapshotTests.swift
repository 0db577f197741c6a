import RegistryC
import RegistryCTestSupport
import Testing

/// Snapshots of bytes that belong to no image.
@Suite struct `Snapshots` {
  /// Calls a closure with aligned memory whose bytes count up from one.
  private func withBytes(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { memory.deallocate() }
    for index in memory.indices { memory[index] = UInt8(truncatingIfNeeded: index + 1) }
    try body(memory)
  }

  @Test func `A range is copied to the byte, wherever it begins and ends, with zeros around it`() throws {
    try withBytes(48) { memory in
      for start in 0..<9 {
        for size in 0...(memory.count - start) {
          let range = start..<(start + size)
          let snapshot = try #require(
            registry_test_snapshot([7], 1, memory.baseAddress! + start, size), "\(range)")
          defer { registry_snapshot_free(snapshot) }
          let section = try #require(snapshot.pointee.images[0].sections).pointee
          let copy = UnsafeRawBufferPointer(start: section.bytes, count: section.size)
          let first = start & ~7
          #expect(section.address == UInt(bitPattern: memory.baseAddress!) + UInt(first))
          #expect(copy.count % 8 == 0 && first + copy.count >= range.upperBound)
          let expected = copy.indices.map { range.contains(first + $0) ? memory[first + $0] : 0 }
          #expect(Array(copy) == expected, "\(range)")
        }
      }
    }
  }

  @Test func `A range contains records if it contains the complete name of one at the right offset`() {
    withBytes(48) { memory in
      let record = memory.baseAddress! + 8
      #expect(!registry_test_holds_records(memory.baseAddress!, 48))
      (record + 12).copyMemory(from: "Registry", byteCount: 8)
      #expect(registry_test_holds_records(memory.baseAddress!, 48))
      #expect(registry_test_holds_records(record - 7, 31) && registry_test_holds_records(record, 24))
      // A record has at least 24 bytes.
      #expect(!registry_test_holds_records(record - 7, 3))
      #expect(!registry_test_holds_records(record, 23) && !registry_test_holds_records(record + 1, 39))
      for index in 20..<28 {
        memory[index] ^= 1
        #expect(!registry_test_holds_records(memory.baseAddress!, 48))
        memory[index] ^= 1
      }
    }
  }

  @Test func `A block accepts no more than its capacity`() {
    #expect(registry_test_block_is_bounded())
  }

  @Test func `The hash of a range depends on every byte in it, and on none around it`() {
    withBytes(40) { memory in
      for range in [0..<40, 4..<40, 4..<36, 3..<7, 13..<14, 8..<33] {
        let hash = { registry_test_hash(memory.baseAddress! + range.lowerBound, range.count) }
        let before = hash()
        for index in memory.indices {
          memory[index] ^= 0x80
          #expect((hash() != before) == range.contains(index), "\(range) \(index)")
          memory[index] ^= 0x80
        }
      }
    }
  }

  @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [5], [4, 4, 1]] as [[UInt64]])
  func `Images are ordered by their serials, however the loader lists them`(serials: [UInt64]) throws {
    try withBytes(8) { memory in
      let snapshot = try #require(registry_test_snapshot(serials, serials.count, memory.baseAddress!, 8))
      defer { registry_snapshot_free(snapshot) }
      let images = UnsafeBufferPointer(start: snapshot.pointee.images, count: snapshot.pointee.image_count)
      #expect(images.map(\.serial) == serials.sorted())
      // Each image has the path, the base address, and the sections that were added for it.
      #expect(images.allSatisfy { serials[Int($0.base)] == $0.serial && String(cString: $0.path) == "/image" })
      #expect(images.filter { $0.section_count == 1 }.map(\.base) == [0])
    }
  }
}
