import RegistryC

/// A builder of records and notes, byte by byte, which can be malformed.
struct Bytes {
  var bytes: [UInt8] = []

  /// The offset of the next byte.
  var offset: Int { bytes.count }

  mutating func word(_ value: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
    }
  }

  mutating func text(_ text: String, size: Int) {
    bytes += Array(text.utf8) + [UInt8](repeating: 0, count: size - text.utf8.count)
  }

  mutating func zeros(_ count: Int) { bytes += [UInt8](repeating: 0, count: count) }

  mutating func align(_ unit: Int) { while bytes.count % unit != 0 { bytes.append(0) } }

  /// Appends a record like those that export macros write.
  ///
  /// - Parameter payloadSize: A size for the header that can be wrong; nil for the actual size.
  @discardableResult
  mutating func record(
    _ json: String, kind: UInt32 = 0x6d6f_6475, name: String = "Registry", nameSize: UInt32 = 9,
    payloadSize: UInt32? = nil
  ) -> Int {
    let start = offset
    let room = (json.utf8.count + 8) / 8 * 8
    word(nameSize)
    word(payloadSize ?? UInt32(8 + room))
    word(kind)
    text(name, size: 12)
    zeros(8)
    text(json, size: room)
    return start
  }

  /// Appends a note of another vendor, with the padding that ELF requires.
  @discardableResult
  mutating func note(_ name: String, _ payload: [UInt8], padding: Int) -> Int {
    let start = offset
    word(UInt32(name.utf8.count + 1))
    word(UInt32(payload.count))
    word(1)
    text(name, size: name.utf8.count + 1)
    align(padding)
    bytes += payload
    align(padding)
    return start
  }
}

/// The result of one step of a walker.
enum Step: Equatable, CustomStringConvertible {
  case record(Int, String)
  case otherVersion(Int)
  case malformed(Int, String)

  var description: String {
    switch self {
    case .record(let offset, let json): "record at \(offset): \(json)"
    case .otherVersion(let offset): "other version at \(offset)"
    case .malformed(let offset, let problem): "malformed at \(offset): \(problem)"
    }
  }

  var offset: Int {
    switch self {
    case .record(let offset, _), .otherVersion(let offset), .malformed(let offset, _): offset
    }
  }

  var record: String? {
    if case .record(_, let json) = self { json } else { nil }
  }
}

/// Walks a copy of bytes.
///
/// The memory of the copy ends with the bytes, so AddressSanitizer detects a read beyond them.
func walk(_ bytes: [UInt8], alignment: UInt32 = 0) -> [Step] {
  let range = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
  defer { range.deallocate() }
  range.copyBytes(from: bytes)

  var walker = registry_walk(range.baseAddress, range.count, alignment)
  var steps: [Step] = []
  while true {
    var item = registry_item()
    let offset: Int
    switch registry_walk_next(&walker, &item) {
    case REGISTRY_STEP_END: return steps
    case REGISTRY_STEP_RECORD:
      let json = UnsafeRawBufferPointer(start: item.json, count: item.json_size)
      steps.append(.record(item.offset, String(decoding: json, as: UTF8.self)))
      offset = item.offset
    case REGISTRY_STEP_OTHER_VERSION:
      steps.append(.otherVersion(item.offset))
      offset = item.offset
    default:
      steps.append(.malformed(item.offset, String(cString: item.problem)))
      offset = item.offset
    }
    // A walker that does not advance would never end.
    precondition(walker.offset > offset && walker.offset <= bytes.count)
  }
}
