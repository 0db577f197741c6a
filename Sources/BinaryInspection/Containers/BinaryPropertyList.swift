/// A binary property list (`bplist00`), as far as one value of its outermost dictionary goes.
///
/// Not by Foundation: that unfolds all of it, and a list of 200 bytes whose arrays each name the next one twice is 2^40 arrays then.
struct BinaryPropertyList {
  static let magic = Array("bplist0".utf8)

  private let view: BinaryView
  private let offsetSize: UInt64
  private let referenceSize: UInt64
  private let count: UInt64
  private let top: UInt64
  private let table: UInt64

  /// Reads the trailer.
  init(_ view: BinaryView) throws(InspectionError) {
    self.view = view
    guard view.size >= 40 else { throw view.error(0, "it has \(view.size) bytes, too few for a trailer") }
    var trailer = try view.cursor(view.size - 26, 26, isBigEndian: true, "the trailer")
    offsetSize = UInt64(try trailer.next(UInt8.self))
    referenceSize = UInt64(try trailer.next(UInt8.self))
    count = try trailer.next()
    top = try trailer.next()
    table = try trailer.next()
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw view.error(view.size - 26, "its numbers have \(offsetSize) and \(referenceSize) bytes")
    }
    let (size, overflows) = count.multipliedReportingOverflow(by: offsetSize)
    guard !overflows, table <= view.size, size <= view.size - table else {
      throw view.error(view.size - 24, "its table of \(count) offsets leads out of it")
    }
  }

  /// The string of a key; nil if the dictionary has no such key.
  func string(of key: String) throws(InspectionError) -> String? {
    let place = try place(of: top)
    let (kind, entries, start) = try header(at: place)
    guard kind == 0xd else { throw view.error(place, "is no dictionary") }
    let (size, overflows) = entries.multipliedReportingOverflow(by: 2 * referenceSize)
    guard !overflows else { throw view.error(place, "a dictionary of \(entries) entries") }
    let references = try view.bytes(start, size, "a dictionary of \(entries) entries")
    for index in 0..<entries {
      // Of other lengths it is another key, and need not be read: any number of keys may be one long string.
      guard try text(at: try self.place(of: number(references, index)), only: UInt64(key.utf8.count)) == key else {
        continue
      }
      let value = try self.place(of: number(references, entries + index))
      guard let text = try text(at: value) else { throw view.error(value, "\(key) is no string") }
      return text
    }
    return nil
  }

  private func number(_ references: [UInt8], _ index: UInt64) -> UInt64 {
    let start = Int(index * referenceSize)
    return references[start..<start + Int(referenceSize)].reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func place(of object: UInt64) throws(InspectionError) -> UInt64 {
    guard object < count else { throw view.error(table, "an object has the number \(object), and there are \(count)") }
    let bytes = try view.bytes(table + object * offsetSize, offsetSize, "an offset")
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// What an object is, how many parts it has, and where they begin.
  private func header(at place: UInt64) throws(InspectionError) -> (kind: UInt8, count: UInt64, start: UInt64) {
    let byte = try view.bytes(place, 1, "an object")[0]
    guard byte & 0xf == 0xf, byte >> 4 >= 4 else { return (byte >> 4, UInt64(byte & 0xf), place + 1) }
    let marker = try view.bytes(place + 1, 1, "the size of an object")[0]
    guard marker >> 4 == 1, marker & 0xf <= 3 else { throw view.error(place + 1, "the size of an object is no number") }
    let size = UInt64(1) << UInt64(marker & 0xf)
    let bytes = try view.bytes(place + 2, size, "the size of an object")
    return (byte >> 4, bytes.reduce(0) { $0 << 8 | UInt64($1) }, place + 2 + size)
  }

  /// The string at a place; nil if it is something else, or longer than any name.
  ///
  /// - Parameter length: How many characters it is to have; nil: any number.
  private func text(at place: UInt64, only length: UInt64? = nil) throws(InspectionError) -> String? {
    let (kind, count, start) = try header(at: place)
    guard count <= 1_024, length == nil || count == length else { return nil }
    switch kind {
    case 5: return String(decoding: try view.bytes(start, count, "a string"), as: UTF8.self)
    case 6:
      let bytes = try view.bytes(start, count * 2, "a string")
      let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }
}
