/// An archive in the BSD, Apple, or GNU format.
///
/// The format has no standard. This reader follows GNU binutils and LLVM (`ar(5)`, LLVM's
/// `Archive.cpp`).
struct Archive {
  typealias Member = (name: String, content: BinaryView)

  private static let magic = Array("!<arch>\n".utf8)
  private static let thinMagic = Array("!<thin>\n".utf8)
  private static let headerSize: UInt64 = 60
  /// The maximum size of a name, about twice the limit of file systems. Members can share a name,
  /// but each has a 60-byte header, so the names total at most nine times the archive's size.
  private static let longestName = 512
  private static let symbolTables: Set<String> = [
    "/", "/SYM64/", "/<ECSYMBOLS>/", "__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEF_64", "__.SYMDEF_64 SORTED",
  ]

  let view: BinaryView
  private var next: UInt64 = 8
  /// The range of GNU's table of long names; nil until the reader reaches the table.
  private var names: (offset: UInt64, size: UInt64)?

  /// Creates a reader, or returns nil if the view isn't an archive.
  init?(_ view: BinaryView) throws(InspectionProblem) {
    self.view = view
    guard try !view.starts(with: Self.thinMagic) else {
      throw view.error(
        0, "is a thin archive, which does not contain its members; pass the member files instead",
        code: .unsupportedFile)
    }
    guard try view.starts(with: Self.magic) else { return nil }
  }

  /// Returns the next member that isn't a table of symbols or names, or nil after the last member.
  /// If the archive is damaged, the method throws an error and can't find more members.
  mutating func nextMember() throws(InspectionProblem) -> Member? {
    while next < view.size {
      let header = next
      var (name, size) = try readHeader()
      let end = next + size
      var start = next
      var isTable = name == "//" || Self.symbolTables.contains(name)
      if name == "//" {
        names = (start, size)
      } else if name.hasPrefix("#1/") {
        let digits = name.dropFirst(3)
        guard let length = Self.decimal(digits), length <= size, length <= Self.longestName else {
          throw view.error(header, "the length of the member's name is '\(digits)', but the member has \(size.bytes)")
        }
        name = String(decoding: try view.bytes(start, length, "a name").prefix { $0 != 0 }, as: UTF8.self)
        (start, size) = (start + length, size - length)
        // After `#1/`, only BSD names mark tables; other names, such as GNU's `/`, are ordinary.
        isTable = !name.hasPrefix("/") && Self.symbolTables.contains(name)
      } else if !isTable {
        if name.hasPrefix("/") { name = try longName(name, header) }
        if name.hasSuffix("/"), name.count > 1 { name.removeLast() }
      }
      guard end <= view.size else {
        throw view.error(
          next,
          "the member '\(name)' has \((end - next).bytes), but the archive has only \((view.size - next).bytes) left")
      }
      // Members start at even offsets. The padding byte after the last member can be missing.
      next = min(end + (end - next) % 2, view.size)
      if isTable { continue }
      let part = try view.part(start, size, name: "\(view.name)(\(name))", what: "the member '\(name)'")
      return (name, part)
    }
    return nil
  }

  /// Reads a member's header, whose fields are text, and returns the name and the size.
  private mutating func readHeader() throws(InspectionProblem) -> (String, UInt64) {
    guard view.size - next >= Self.headerSize else {
      throw view.error(next, "the archive is truncated in the header of a member")
    }
    let bytes = try view.bytes(next, Self.headerSize, "the header of a member")
    func text(_ range: Range<Int>) -> String {
      let end = bytes[range].lastIndex { $0 != 0x20 }
      return String(decoding: bytes[range.lowerBound..<(end.map { $0 + 1 } ?? range.lowerBound)], as: UTF8.self)
    }
    guard bytes[58] == 0x60, bytes[59] == 0x0a else {
      throw view.error(next + 58, "the header of a member has an invalid end")
    }
    let (name, digits) = (text(0..<16), text(48..<58))
    guard let size = Self.decimal(digits) else {
      throw view.error(next + 48, "the size of the member '\(name)' is '\(digits)', which is not a number")
    }
    next += Self.headerSize
    return (name, size)
  }

  /// Returns a name from GNU's table of long names. For example, `/12` refers to offset 12.
  private func longName(_ name: String, _ header: UInt64) throws(InspectionProblem) -> String {
    guard let offset = Self.decimal(name.dropFirst()) else {
      throw view.error(header, "the member's name '\(name)' has an unknown form")
    }
    guard let names, offset < names.size else {
      let table = names.map { "has \($0.size.bytes)" } ?? "is missing"
      throw view.error(header, "the member's name is at \(offset) in a table of names that \(table)")
    }
    let bytes = try view.bytes(
      names.offset + offset, min(names.size - offset, UInt64(Self.longestName) + 2), "the name of a member")
    // GNU tools end a name with a slash and a newline, and other tools with a NUL.
    guard let end = bytes.firstIndex(where: { $0 == 0x0a || $0 == 0 }) else {
      throw view.error(names.offset + offset, "the name of a member is not terminated")
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  private static func decimal(_ text: some StringProtocol) -> UInt64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
  }
}
