import RegistryC
import TestSupport
import Testing

@Suite struct `Walking records` {
  /// Returns the steps for bytes between two well-formed records.
  private func between(
    alignment: UInt32 = 0, sourceLocation: SourceLocation = #_sourceLocation, _ build: (inout Bytes) -> Void
  ) -> [Step] {
    var bytes = Bytes()
    bytes.record("{\"n\":1}")
    build(&bytes)
    let last = bytes.record("{\"n\":2}")
    var steps = walk(bytes.bytes, alignment: alignment)
    #expect(steps.first == .record(0, "{\"n\":1}"), sourceLocation: sourceLocation)
    #expect(steps.last == .record(last, "{\"n\":2}"), sourceLocation: sourceLocation)
    steps.removeFirst()
    if !steps.isEmpty { steps.removeLast() }
    return steps
  }

  @Test func `An empty range has no records`() {
    #expect(walk([]) == [])
    #expect(walk([], alignment: 8) == [])
    var walker = registry_walk(nil, 0, 0)
    var item = registry_item()
    #expect(registry_walk_next(&walker, &item) == REGISTRY_STEP_END)
    #expect(registry_walk_next(&walker, &item) == REGISTRY_STEP_END)
  }

  @Test func `The fields of a record are those that were written`() {
    var bytes = Bytes()
    bytes.record("{\"protocol\":\"A.B\"}", kind: 0x7365_7276)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.offset, alignment: 8)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes.bytes)
    var walker = registry_walk(memory.baseAddress, memory.count, 0)
    var item = registry_item()
    #expect(registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD)
    #expect(item.offset == 0)
    #expect(item.kind == 0x7365_7276)
    #expect(item.accessor == nil)
    #expect(item.json_size == 18)
    #expect(item.json == (memory.baseAddress! + 32).assumingMemoryBound(to: CChar.self))
    #expect(item.problem == nil)
  }

  @Test func `An accessor is returned as it is stored in the record`() {
    let accessor: registry_accessor = { _, _, reserved in reserved == 7 }
    var bytes = Bytes()
    bytes.record("{}")
    // A C function without captures is one pointer, and the slot has eight bytes.
    let address = UInt64(UInt(bitPattern: unsafeBitCast(accessor, to: UnsafeRawPointer.self)))
    withUnsafeBytes(of: address) { bytes.bytes.replaceSubrange(24..<32, with: $0) }
    bytes.bytes.withUnsafeBytes { bytes in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
      defer { memory.deallocate() }
      memory.copyMemory(from: bytes)
      var walker = registry_walk(memory.baseAddress, memory.count, 0)
      var item = registry_item()
      #expect(registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD)
      var out = 0
      #expect(item.accessor?(&out, nil, 7) == true)
      #expect(item.accessor?(&out, nil, 8) == false)
    }
  }

  @Test(arguments: [0, 4, 8] as [UInt32]) func `Zero words between records are skipped`(alignment: UInt32) {
    for gap in [8, 16, 56, 4096] {
      #expect(between(alignment: alignment) { $0.zeros(gap) } == [])
    }
    var bytes = Bytes()
    bytes.zeros(64)
    bytes.record("{}")
    bytes.zeros(8)
    #expect(walk(bytes.bytes, alignment: alignment) == [.record(64, "{}")])
    #expect(walk([UInt8](repeating: 0, count: 33), alignment: alignment) == [])
  }

  @Test func `A record of the minimum size has empty JSON`() {
    var bytes = Bytes()
    bytes.record("")
    #expect(bytes.offset == 40)
    #expect(walk(bytes.bytes) == [.record(0, "")])
  }

  @Test(arguments: [
    (UInt32(0), "the payload is shorter than 16 bytes"),
    (8, "the payload is shorter than 16 bytes"),
    (15, "the payload is shorter than 16 bytes"),
    (20, "the payload size is not a multiple of eight"),
    (17, "the payload size is not a multiple of eight"),
    (4096, "the record extends beyond its section"),
    (0xffff_fff8, "the record extends beyond its section"),
    (0xffff_ffff, "the payload size is not a multiple of eight"),
    // This size covers two records, so the first one would include the second.
    (56, "bytes other than NUL follow the terminator of the JSON"),
    (32, "bytes other than NUL follow the terminator of the JSON"),
  ]) func `A wrong size is reported, and the other records are served`(size: UInt32, problem: String) {
    for alignment in [0, 4, 8] as [UInt32] {
      #expect(
        between(alignment: alignment) { $0.record("{\"n\":3}", payloadSize: size) } == [
          .malformed(40, problem)
        ])
    }
  }

  @Test func `A size that is too small truncates the JSON`() {
    #expect(
      between { $0.record("{\"name\":\"a long one\"}", payloadSize: 16) }
        == [.malformed(40, "the JSON has no terminating NUL")])
  }

  @Test func `JSON that fills its space has no terminator`() {
    #expect(
      between {
        $0.record("{\"n\":3}")
        $0.bytes[$0.offset - 1] = 0x20
      } == [.malformed(40, "the JSON has no terminating NUL")])
  }

  @Test func `Bytes after the terminator are reported`() {
    #expect(
      between {
        $0.record("{}")
        $0.bytes[$0.offset - 1] = 1
      } == [.malformed(40, "bytes other than NUL follow the terminator of the JSON")])
  }

  @Test func `A name that is not padded with zeros is reported`() {
    #expect(
      between {
        $0.record("{}")
        $0.bytes[40 + 23] = 1
      } == [.malformed(40, "the name is not padded with NULs")])
  }

  @Test(arguments: [0, 1, 8, 65, 0xffff_ffff] as [UInt32])
  func `A name's size out of range is reported`(size: UInt32) {
    #expect(
      between { $0.record("{\"n\":3}", nameSize: size) }
        == [.malformed(40, "the size of the name is out of range")])
  }

  @Test func `A record that is not aligned to eight bytes is malformed`() {
    #expect(
      between(alignment: 4) {
        $0.word(5)
        $0.record("{\"n\":3}")
        $0.word(0)
      } == [.malformed(76, "the bytes are not a record")])
  }

  @Test func `Garbage of any length is one report, and ends where a record begins`() {
    for length in [8, 40, 800] {
      #expect(
        between { $0.bytes += [UInt8](repeating: 0xee, count: length) }
          == [.malformed(40, "the bytes are not a record")])
    }
    #expect(
      between {
        $0.bytes += [UInt8](repeating: 0xee, count: 64)
        $0.zeros(64)
        $0.bytes += [UInt8](repeating: 0xee, count: 64)
      } == [.malformed(40, "the bytes are not a record")])
  }

  @Test func `Garbage at the end is reported, also if it is shorter than a record`() {
    for length in [1, 7, 8, 23, 24, 31] {
      var bytes = Bytes()
      bytes.record("{}")
      bytes.bytes += [UInt8](repeating: 0xee, count: length)
      for alignment in [0, 4, 8] as [UInt32] {
        #expect(
          walk(bytes.bytes, alignment: alignment)
            == [.record(0, "{}"), .malformed(40, "the bytes are not a record")])
      }
    }
  }

  @Test func `A record that the end truncates is reported`() {
    var bytes = Bytes()
    bytes.record("{}")
    bytes.record("{\"n\":2}")
    for length in 64..<bytes.offset {
      let steps = walk(Array(bytes.bytes[..<length]))
      #expect(steps == [.record(0, "{}"), .malformed(40, "the record extends beyond its section")])
    }
    for length in 41..<64 {
      let steps = walk(Array(bytes.bytes[..<length]))
      #expect(steps == [.record(0, "{}"), .malformed(40, "the bytes are not a record")])
    }
  }

  /// Checks that the walker does not use the sizes of the next record as the accessor, and its name
  /// as the JSON.
  @Test(arguments: [24, 32] as [UInt32], [0, 4, 8] as [UInt32])
  func `A record that is truncated after its header does not read the next one as its payload`(
    payload: UInt32, alignment: UInt32
  ) {
    #expect(
      between(alignment: alignment) {
        $0.record("{}", payloadSize: payload)
        $0.bytes.removeLast(16)
      } == [.malformed(40, "another record begins inside the record; it is truncated, or its size is wrong")])
  }

  @Test func `A record that ends inside the next header does not hide the next record`() {
    var bytes = Bytes()
    bytes.record("", payloadSize: 16)
    bytes.bytes.removeLast(8)
    let next = bytes.record("{}", name: "Registry2", nameSize: 10, payloadSize: 0)
    let last = bytes.record("{\"n\":2}")
    let steps = walk(bytes.bytes)
    #expect(
      steps.prefix(2) == [
        .malformed(0, "another record begins inside the record; it is truncated, or its size is wrong"),
        .otherVersion(next),
      ])
    #expect(steps.last == .record(last, "{\"n\":2}"))
  }

  @Test func `Records of other versions are distinguished from malformed ones and skipped by their size`() {
    #expect(between { $0.record("{\"n\":3}", name: "Registry2", nameSize: 10) } == [.otherVersion(40)])
    #expect(between { $0.record("{\"n\":3}", nameSize: 10) } == [.otherVersion(40)])
    #expect(between { $0.record("{\"n\":3}", name: "Registry2", nameSize: 9) } == [.otherVersion(40)])
    #expect(between { $0.record("{\"n\":3}", nameSize: 64) } == [.otherVersion(40)])
    #expect(
      between(alignment: 8) {
        // The next version has another layout, with a longer name and unknown words.
        $0.word(20)
        $0.word(24)
        $0.word(77)
        $0.text("RegistryNextVersion", size: 20)
        $0.bytes += [UInt8](repeating: 0xee, count: 24)
      } == [.otherVersion(40)])
  }

  @Test(arguments: [0, 9, 72, 4096, 0xffff_ffff] as [UInt32])
  func `An implausible size in a record of another version does not hide other records`(size: UInt32) {
    let steps = between { $0.record("{\"n\":3}", name: "Registry2", nameSize: 10, payloadSize: size) }
    #expect(steps.first == .otherVersion(40))
    #expect(steps.allSatisfy { $0.record == nil })
  }

  @Test func `Notes of other owners are skipped by their size and padding`() {
    for length in 0...17 {
      for name in ["GNU", "Go", "stapsdt", "A", "Longer than eight"] {
        let payload = [UInt8](repeating: 0x99, count: length)
        #expect(
          between(alignment: 4) {
            $0.note(name, payload, padding: 4)
            $0.align(8)
          } == [], "\(name) \(length)")
        #expect(between(alignment: 8) { $0.note(name, payload, padding: 8) } == [], "\(name) \(length)")
      }
    }
  }

  @Test func `Notes with padding to four bytes are found in a segment with alignment eight`() {
    // Like gold, put a build ID that is aligned to four beside records that are aligned to eight.
    var bytes = Bytes()
    bytes.note("GNU", [UInt8](repeating: 1, count: 16), padding: 4)
    let first = bytes.record("{\"n\":1}")
    bytes.note("GNU", [UInt8](repeating: 2, count: 20), padding: 4)
    bytes.note("GNU", [UInt8](repeating: 3, count: 20), padding: 4)
    let second = bytes.record("{\"n\":2}")
    #expect(walk(bytes.bytes, alignment: 8) == [.record(first, "{\"n\":1}"), .record(second, "{\"n\":2}")])
    #expect(walk(bytes.bytes, alignment: 4) == [.record(first, "{\"n\":1}"), .record(second, "{\"n\":2}")])
  }

  @Test func `A note of another owner that would contain a record is reported`() {
    #expect(
      between(alignment: 4) {
        $0.note("GNU", [1, 2, 3, 4], padding: 4)
        $0.bytes[44] = 200
        $0.align(8)
      } == [.malformed(40, "the bytes are not a record")])
  }

  @Test func `Outside note sections, a note of another owner is garbage`() {
    #expect(
      between { $0.note("GNU", [1, 2, 3, 4], padding: 8) } == [
        .malformed(40, "the bytes are not a record")
      ])
  }
}

@Suite struct `Walking anything` {
  /// Checks that a damaged record does not affect the other records.
  ///
  /// AddressSanitizer detects reads outside of the bytes.
  @Test(arguments: [0, 4, 8] as [UInt32]) func `Overwriting a record at random affects only that record`(
    alignment: UInt32
  ) {
    var random = SeededGenerator(seed: 0x5eed + UInt64(alignment))
    for _ in 0..<6000 {
      var bytes = Bytes()
      let count = Int.random(in: 1...6, using: &random)
      var starts: [Int] = []
      for index in 0..<count {
        if alignment != 0, Bool.random(using: &random) {
          bytes.note("GNU", [UInt8](repeating: 7, count: Int.random(in: 0...20, using: &random)), padding: 4)
          bytes.align(8)
        }
        starts.append(
          bytes.record("{\"n\":\(index),\"x\":\"" + String(repeating: "x", count: index * 3) + "\"}"))
        if Bool.random(using: &random) { bytes.zeros(8) }
      }
      let victim = Int.random(in: 0..<count, using: &random)
      let end = victim + 1 < count ? starts[victim + 1] : bytes.offset
      // Header fields change more often than other bytes, because they control the walker.
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let reach = Bool.random(using: &random) ? 24 : end - starts[victim]
        let value = [0, 1, 9, 10, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(
          using: &random)!
        bytes.bytes[starts[victim] + Int.random(in: 0..<reach, using: &random)] = value
      }
      let steps = walk(bytes.bytes, alignment: alignment)
      #expect(steps.map(\.offset) == steps.map(\.offset).sorted())
      for index in 0..<count where index != victim {
        let served = steps.contains {
          $0.offset == starts[index] && $0.record?.hasPrefix("{\"n\":\(index),") == true
        }
        #expect(served, "record \(index) of \(count) beside \(victim): \(steps)")
        if !served { return }
      }
    }
  }

  @Test func `Random bytes are read to their end`() {
    var random = SeededGenerator(seed: 1)
    let pieces = [
      "Registry", "Registry2", "\u{9}\0\0\0", "\0\0\0\0\0\0\0\0", "\u{A}\0\0\0", "{}", "\u{10}\0\0\0",
    ].map { Array($0.utf8) }
    for _ in 0..<6000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        if Bool.random(using: &random) {
          bytes += pieces.randomElement(using: &random)!
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        }
      }
      for alignment in [0, 4, 8] as [UInt32] {
        #expect(walk(bytes, alignment: alignment).count <= bytes.count / 4 + 1)
      }
    }
  }

  /// Checks that the walker reads each byte a bounded number of times.
  ///
  /// Each case then takes milliseconds, and otherwise hours.
  @Test(arguments: [0, 8] as [UInt32])
  func `Sizes that all reach the end do not make reading slow`(alignment: UInt32) {
    let total = 1 << 20
    for (name, nameSize) in [("Registry", UInt32(9)), ("Registry2", 10), ("RegistryAAAA", 64), ("GNU", 4)] {
      var bytes = Bytes()
      bytes.bytes.reserveCapacity(total)
      while bytes.offset < total {
        bytes.word(nameSize)
        bytes.word(UInt32(total - bytes.offset) / 8 * 8)
        bytes.word(1)
        bytes.text(name, size: 12)
        bytes.bytes += [UInt8](repeating: 0x7b, count: 16)
      }
      let last = bytes.record("{}")
      let walking = processorSeconds {
        #expect(walk(bytes.bytes, alignment: alignment).last == .record(last, "{}"))
      }
      #expect(walking < 60)
    }
    var ones = Bytes()
    ones.bytes = [UInt8](repeating: 1, count: total)
    let looking = processorSeconds {
      #expect(walk(ones.bytes, alignment: alignment).count <= 1)
    }
    #expect(looking < 60)
  }
}
