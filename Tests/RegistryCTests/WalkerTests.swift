import RegistryC
import Testing

@Suite struct WalkerTests {
  let good = Bytes.record(#"{"a":1}"#)

  @Test func `records are found one after the other`() {
    #expect(walk(good + Bytes.record("{}")) == [.record(0, #"{"a":1}"#), .record(40, "{}")])
    #expect(walk([]) == [])
  }

  @Test func `zero words between records are skipped`() {
    let gap = [UInt8](repeating: 0, count: 32)
    #expect(walk(gap + good + gap + good + gap) == [.record(32, #"{"a":1}"#), .record(104, #"{"a":1}"#)])
  }

  @Test(arguments: [
    Bytes.record(payload: 8), Bytes.record(payload: 17), Bytes.record(payload: 4_000_000_000),
    Bytes.record(payload: .max), Bytes.record(payload: 0), Bytes.record(nameSize: 8), Bytes.record(nameSize: .max),
    Bytes.record("xxxxxxxx", terminated: false), Array("garbage that is nothing at all!!".utf8),
    Bytes.record("{}\0}"), Bytes.record(payload: 56), Bytes.record(payload: 96),
  ])
  func `a malformed record is reported where it begins and its neighbours are served`(bad: [UInt8]) {
    let steps = walk(good + bad + good + good)
    let second = 40 + bad.count
    #expect(
      steps == [
        .record(0, #"{"a":1}"#), .malformed(40), .record(second, #"{"a":1}"#), .record(second + 40, #"{"a":1}"#),
      ])
  }

  @Test func `every truncation is survived`() {
    let all = good + good
    for count in 0..<all.count {
      let records = walk(Array(all.prefix(count))).filter { if case .record = $0 { true } else { false } }
      #expect(records.count == count / 40)
    }
  }

  @Test func `another version is told from a broken record`() {
    let next = Bytes.record(nameSize: 10, name: "Registry2")
    #expect(walk(next + good) == [.otherVersion(0), .record(next.count, #"{"a":1}"#)])
    let lying = Bytes.record(nameSize: 10, payload: 4_000_000_000, name: "Registry2")
    #expect(walk(lying + good).last == .record(lying.count, #"{"a":1}"#))
  }

  @Test(arguments: [UInt32(4), 8]) func `notes of others are passed over`(alignment: UInt32) {
    let note = Bytes.note("GNU", [1, 2, 3, 4, 5, 6, 7, 8], padding: 8)
    #expect(walk(note + good + note, alignment: alignment) == [.record(note.count, #"{"a":1}"#)])
  }

  @Test func `four-aligned notes of others are passed over`() {
    var bytes = Bytes.note("GNU", [1, 2, 3, 4])
    while bytes.count % 8 != 0 { bytes.append(0) }
    #expect(walk(bytes + good, alignment: 4).last == .record(bytes.count, #"{"a":1}"#))
  }

  @Test func `random changes crash nothing, and what is untouched after them is served`() {
    var generator = SplitMix(state: 42)
    for _ in 0..<20_000 {
      var bytes = good + good + good
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<40, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let steps = walk(bytes, alignment: [0, 4, 8].randomElement(using: &generator)!)
      #expect(steps.contains(.record(80, #"{"a":1}"#)))
    }
  }
}

/// A generator that gives the same numbers every time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
