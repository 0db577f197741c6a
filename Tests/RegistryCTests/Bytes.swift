import RegistryC

/// Records as bytes, right and wrong ones.
struct Bytes {
  var bytes: [UInt8] = []

  mutating func word(_ word: UInt32) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }

  /// A record; every field can be made a lie.
  static func record(
    _ json: String = "{}", nameSize: UInt32 = 9, payload: UInt32? = nil, kind: UInt32 = REGISTRY_KIND_SERVICE,
    name: String = "Registry", terminated: Bool = true
  ) -> [UInt8] {
    var text = Array(json.utf8)
    if terminated { text.append(0) }
    while text.count % 8 != 0 { text.append(terminated ? 0 : 0x78) }
    var record = Bytes()
    record.word(nameSize)
    record.word(payload ?? UInt32(8 + text.count))
    record.word(kind)
    let padded = Array(name.utf8) + Array(repeating: 0, count: 12)
    record.bytes += padded.prefix(12)
    record.bytes += Array(repeating: 0, count: 8)
    record.bytes += text
    return record.bytes
  }

  /// Another owner's note.
  static func note(_ owner: String, _ content: [UInt8], padding: Int = 4) -> [UInt8] {
    var note = Bytes()
    note.word(UInt32(owner.utf8.count + 1))
    note.word(UInt32(content.count))
    note.word(1)
    note.bytes += Array(owner.utf8) + [0]
    while note.bytes.count % padding != 0 { note.bytes.append(0) }
    note.bytes += content
    while note.bytes.count % padding != 0 { note.bytes.append(0) }
    return note.bytes
  }
}

/// What the walker came upon.
enum Step: Equatable {
  case record(Int, String)
  case otherVersion(Int)
  case malformed(Int)
}

/// Walks bytes on an exactly sized heap buffer, so that AddressSanitizer sees a read beyond it.
func walk(_ bytes: [UInt8], alignment: UInt32 = 0) -> [Step] {
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
  defer { buffer.deallocate() }
  buffer.copyBytes(from: bytes)
  var walker = registry_walk(buffer.baseAddress, buffer.count, alignment)
  var item = registry_item()
  var steps: [Step] = []
  while true {
    switch registry_walk_next(&walker, &item) {
    case REGISTRY_STEP_RECORD:
      let json = UnsafeRawBufferPointer(start: item.json, count: item.json_size)
      steps.append(.record(item.offset, String(decoding: json, as: UTF8.self)))
    case REGISTRY_STEP_OTHER_VERSION: steps.append(.otherVersion(item.offset))
    case REGISTRY_STEP_MALFORMED: steps.append(.malformed(item.offset))
    default: return steps
    }
  }
}
