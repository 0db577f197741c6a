/// An archive in the format of BSD, Apple, or GNU.
///
/// The format has no standard. This reader follows what GNU binutils and LLVM write (`ar(5)`,
/// LLVM's `Archive.cpp`).
struct Archive {
  struct Member {
    var name: String
    var content: BinaryView
  }

  private static let magic = Array("!<arch>\n".utf8)
  private static let thinMagic = Array("!<thin>\n".utf8)
  private static let headerSize: UInt64 = 60
  /// The largest length of a name, which members can share, in bytes.
  ///
  /// File systems allow half as much. A header has 60 bytes, so all names together have at most
  /// nine times as many bytes as the archive.
  private static let longestName = 512
  private static let symbolTables: Set<String> = ["/", "/SYM64/", "/<ECSYMBOLS>/"]

  static func isArchive(_ view: BinaryView) throws(InspectionError) -> Bool {
    guard view.size >= 8 else { return false }
    let bytes = try view.bytes(0, 8, "the beginning")
    return bytes == magic || bytes == thinMagic
  }

  let view: BinaryView
  private var next: UInt64 = 8
  /// The position of GNU's table of long names; nil before the table.
  private var names: (offset: UInt64, size: UInt64)?

  init(_ view: BinaryView) throws(InspectionError) {
    self.view = view
    let bytes = try view.bytes(0, 8, "the beginning")
    guard bytes != Self.thinMagic else {
      throw view.error(
        0, "is a thin archive, which does not contain its members; pass the member files instead",
        code: .unsupportedFile)
    }
    guard bytes == Self.magic else { throw view.error(0, "is not an archive") }
  }

  /// Returns the next member; nil after the last one.
  ///
  /// Tables of symbols are skipped.
  ///
  /// - Throws: An ``InspectionError`` if the archive is damaged. No more members can be found then.
  mutating func nextMember() throws(InspectionError) -> Member? {
    while next < view.size {
      let header = try Header(view, at: next)
      next += Self.headerSize
      if header.name == "//" {
        names = (next, header.size)
        try skip(header.size, header.name)
      } else if Self.symbolTables.contains(header.name) {
        try skip(header.size, header.name)
      } else if let member = try member(header) {
        return member
      }
    }
    return nil
  }

  private mutating func skip(_ size: UInt64, _ name: String) throws(InspectionError) {
    guard size <= view.size - next else {
      throw view.error(
        next, "the member '\(name)' has \(size) bytes, but the archive has only \(view.size - next) bytes left")
    }
    // Members start at even offsets. The padding byte after the last member can be missing.
    next = min(next + size + size % 2, view.size)
  }

  private mutating func member(_ header: Header) throws(InspectionError) -> Member? {
    var name = header.name
    var (start, size) = (next, header.size)
    if name.hasPrefix("#1/") {
      guard let length = Self.decimal(name.dropFirst(3)), length <= size, length <= Self.longestName else {
        throw view.error(
          header.offset, "the length of the member's name is '\(name.dropFirst(3))', but the member has \(size) bytes")
      }
      let bytes = try view.bytes(start, length, "the name of a member")
      name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      (start, size) = (start + length, size - length)
    } else if name.hasPrefix("/") {
      name = try longName(name, header.offset)
    } else if name.hasSuffix("/"), name.count > 1 {
      name.removeLast()
    }
    try skip(header.size, name)
    if ["__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEF_64", "__.SYMDEF_64 SORTED"].contains(name) { return nil }
    let part = try view.part(start, size, name: "\(view.name)(\(name))", what: "the member '\(name)'")
    return Member(name: name, content: part)
  }

  /// Returns a name from GNU's table of long names.
  ///
  /// A member refers to the name at offset 12 as `/12`.
  private func longName(_ name: String, _ offset: UInt64) throws(InspectionError) -> String {
    guard let nameOffset = Self.decimal(name.dropFirst()) else {
      throw view.error(offset, "the member's name '\(name)' has an unknown form")
    }
    guard let names, nameOffset < names.size else {
      throw view.error(
        offset,
        "the member's name is at \(nameOffset) in a table of names that \(names.map { "has \($0.size) bytes" } ?? "is missing")"
      )
    }
    let bytes = try view.bytes(
      names.offset + nameOffset, min(names.size - nameOffset, UInt64(Self.longestName) + 2), "the name of a member")
    // GNU tools end a name with a slash and a newline, and other tools with a NUL.
    guard let end = bytes.firstIndex(where: { $0 == 0x0a || $0 == 0 }) else {
      throw view.error(names.offset + nameOffset, "the name of a member is not terminated")
    }
    let text = bytes[..<end]
    return String(decoding: text.last == UInt8(ascii: "/") ? text.dropLast() : text, as: UTF8.self)
  }

  private static func decimal(_ text: Substring) -> UInt64? {
    text.isEmpty || !text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? nil : UInt64(text)
  }
}

extension Archive {
  /// The header of a member, whose fields are text.
  private struct Header {
    let offset: UInt64
    let name: String
    let size: UInt64

    init(_ view: BinaryView, at offset: UInt64) throws(InspectionError) {
      self.offset = offset
      guard view.size - offset >= Archive.headerSize else {
        throw view.error(offset, "the archive is truncated in the header of a member")
      }
      let bytes = try view.bytes(offset, Archive.headerSize, "the header of a member")
      guard bytes[58] == 0x60, bytes[59] == 0x0a else {
        throw view.error(offset + 58, "the header of a member has an invalid end")
      }
      func text(_ range: Range<Int>) -> String {
        var field = bytes[range]
        while field.last == 0x20 { field.removeLast() }
        return String(decoding: field, as: UTF8.self)
      }
      name = text(0..<16)
      let digits = text(48..<58)
      guard let size = Archive.decimal(digits[...]) else {
        throw view.error(offset + 48, "the size of the member '\(name)' is '\(digits)', which is not a number")
      }
      self.size = size
    }
  }
}
