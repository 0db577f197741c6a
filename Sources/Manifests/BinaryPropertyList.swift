import Lifecycle
import Registry

/// Reads a binary property list: objects at offsets that a table lists, and a trailer that says where the table is.
///
/// Nothing is believed: every number is compared with the bytes that are there.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let top: Int
  private let table: Int
  private var depth = 0
  private var count = 0
  private var textSize = 0

  init(_ bytes: [UInt8]) throws(ManifestSyntaxError) {
    guard bytes.starts(with: "bplist00".utf8) else {
      throw Self.error("its version is not 00, which is the one that is read")
    }
    guard bytes.count >= 8 + 32 else { throw Self.error("it breaks off before its trailer") }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let objectCount = Self.integer(bytes[(trailer + 8)..<(trailer + 16)]),
      let top = Self.integer(bytes[(trailer + 16)..<(trailer + 24)]),
      let table = Self.integer(bytes[(trailer + 24)..<(trailer + 32)]),
      table >= 8, table <= trailer, objectCount <= (trailer - table) / offsetSize, top < objectCount
    else { throw Self.error("its trailer says what cannot be") }
    (self.objectCount, self.top, self.table) = (objectCount, top, table)
  }

  mutating func value() throws(ManifestSyntaxError) -> PropertyValue { try object(top) }

  private static func error(_ what: String) -> ManifestSyntaxError {
    ManifestSyntaxError(message: "it is a binary property list, and \(what); `plutil -lint` says more")
  }

  /// A number, the highest byte first; nil if it is more than an `Int` holds.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value: UInt64 = 0
    for byte in bytes { value = value << 8 | UInt64(byte) }
    return Int(exactly: value)
  }

  private func slice(_ start: Int, _ length: Int) throws(ManifestSyntaxError) -> ArraySlice<UInt8> {
    guard start >= 8, length >= 0, start <= table, length <= table - start else {
      throw Self.error("an object reaches beyond where objects are")
    }
    return bytes[start..<(start + length)]
  }

  private mutating func object(_ reference: Int) throws(ManifestSyntaxError) -> PropertyValue {
    guard reference < objectCount else { throw Self.error("it names an object that it does not have") }
    count += 1
    guard count <= ManifestSyntax.countLimit else {
      throw Self.error("it is more than \(ManifestSyntax.countLimit) values long when its references are followed")
    }
    let entry = table + reference * offsetSize
    guard let start = Self.integer(bytes[entry..<(entry + offsetSize)]) else {
      throw Self.error("an object reaches beyond where objects are")
    }
    let marker = try slice(start, 1)[start]
    let low = Int(marker & 0xf)
    switch marker >> 4 {
    case 0x0:
      switch low {
      case 0x0: return .null
      case 0x8: return .bool(false)
      case 0x9: return .bool(true)
      default: throw Self.error("it has a kind of object that is not known (\(marker))")
      }
    case 0x1: return try integer(start + 1, 1 << low)
    case 0x2: return try real(start + 1, 1 << low)
    case 0x3: throw Self.error("it has a date, which no setting can be; write it as a string or a number")
    case 0x4: throw Self.error("it has data, which no setting can be; write it as a string")
    case 0x5, 0x6:
      let (length, content) = try length(low, start + 1)
      return .string(try string(content, length, isWide: marker >> 4 == 0x6))
    case 0xa, 0xd:
      let (length, content) = try length(low, start + 1)
      depth += 1
      defer { depth -= 1 }
      // A list that holds itself is deeper than any limit.
      guard depth <= ManifestSyntax.depthLimit else {
        throw Self.error("its nesting is deeper than \(ManifestSyntax.depthLimit), or an object holds itself")
      }
      return marker >> 4 == 0xa ? try array(content, length) : try dictionary(content, length)
    default: throw Self.error("it has a kind of object that is not known (\(marker))")
    }
  }

  /// How long an object is, and where its content begins.
  private func length(_ low: Int, _ start: Int) throws(ManifestSyntaxError) -> (Int, Int) {
    guard low == 0xf else { return (low, start) }
    let marker = try slice(start, 1)[start]
    let size = 1 << Int(marker & 0xf)
    guard marker >> 4 == 0x1, size <= 8, let length = Self.integer(try slice(start + 1, size)) else {
      throw Self.error("an object has a length that cannot be")
    }
    return (length, start + 1 + size)
  }

  private func integer(_ start: Int, _ size: Int) throws(ManifestSyntaxError) -> PropertyValue {
    var bytes = try slice(start, size)
    // Sixteen bytes are for numbers beyond 64 bits; those of eight have a sign, shorter ones have none.
    if size == 16, bytes.prefix(8).allSatisfy({ $0 == 0 }), bytes[start + 8] < 0x80 { bytes = bytes.suffix(8) }
    guard bytes.count <= 8 else { throw Self.error("it has an integer of more than 64 bits") }
    var value: UInt64 = 0
    for byte in bytes { value = value << 8 | UInt64(byte) }
    return .integer(Int(truncatingIfNeeded: Int64(bitPattern: value)))
  }

  private func real(_ start: Int, _ size: Int) throws(ManifestSyntaxError) -> PropertyValue {
    let bytes = try slice(start, size)
    guard size == 4 || size == 8 else { throw Self.error("it has a number of \(size) bytes") }
    var pattern: UInt64 = 0
    for byte in bytes { pattern = pattern << 8 | UInt64(byte) }
    let number =
      size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern))) : Double(bitPattern: pattern)
    guard number.isFinite else { throw Self.error("it has a number that is infinite or none") }
    return .double(number)
  }

  private mutating func string(_ start: Int, _ length: Int, isWide: Bool) throws(ManifestSyntaxError) -> String {
    let (size, isTooLong) = length.multipliedReportingOverflow(by: isWide ? 2 : 1)
    guard !isTooLong else { throw Self.error("an object has a length that cannot be") }
    let slice = try slice(start, size)
    textSize += size
    guard textSize <= ManifestSyntax.textLimit else {
      throw Self.error("its strings are more than \(ManifestSyntax.textLimit) bytes when its references are followed")
    }
    let bytes = Array(slice)
    // What is not Unicode is repaired, and differs then.
    let (text, isUnicode): (String, Bool)
    if isWide {
      let units = stride(from: 0, to: size, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      text = String(decoding: units, as: UTF16.self)
      isUnicode = text.utf16.elementsEqual(units)
    } else {
      text = String(decoding: bytes, as: UTF8.self)
      isUnicode = bytes.allSatisfy { $0 < 0x80 }
    }
    guard isUnicode else { throw Self.error("it has a string that is not Unicode") }
    return text
  }

  private func references(_ start: Int, _ length: Int) throws(ManifestSyntaxError) -> [Int] {
    let (size, isTooLong) = length.multipliedReportingOverflow(by: referenceSize)
    guard !isTooLong else { throw Self.error("an object has a length that cannot be") }
    let bytes = try slice(start, size)
    var references: [Int] = []
    references.reserveCapacity(length)
    for place in stride(from: start, to: start + size, by: referenceSize) {
      guard let reference = Self.integer(bytes[place..<(place + referenceSize)]) else {
        throw Self.error("it names an object that it does not have")
      }
      references.append(reference)
    }
    return references
  }

  private mutating func array(_ start: Int, _ length: Int) throws(ManifestSyntaxError) -> PropertyValue {
    var list: [PropertyValue] = []
    for reference in try references(start, length) { list.append(try object(reference)) }
    return .array(list)
  }

  private mutating func dictionary(_ start: Int, _ length: Int) throws(ManifestSyntaxError) -> PropertyValue {
    let keys = try references(start, length)
    let values = try references(start + length * referenceSize, length)
    var members: [String: PropertyValue] = [:]
    for (key, value) in zip(keys, values) {
      guard case .string(let name) = try object(key) else { throw Self.error("a key in it is no string") }
      let value = try object(value)
      guard members.updateValue(value, forKey: name) == nil else {
        throw Self.error("it has the key \"\(name.escapedForDisplay())\" for the second time")
      }
    }
    return .dictionary(members)
  }
}
