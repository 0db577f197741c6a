/// How large the elements of a list of records are, seen before any of them is read.
///
/// Reading an element takes many times as much memory as it has bytes: its texts, its keys, its members one by one. So each is to be
/// small; how many there are is another matter.
enum ListElements {
  /// No record is as large.
  private static let limit = 256 << 10
  /// Such a list has three members, and may have a few more.
  private static let memberLimit = 1_000

  /// Where an element of a list begins that is too large for one; nil if none is.
  ///
  /// Elements are the list's own members and, where these are arrays, what is in them. Whether it is JSON at all is not seen here.
  static func tooLarge(in bytes: [UInt8]) -> Int? {
    var (start, depth, members) = (0, 0, 0)
    var (isText, isEscaped, isInArray) = (false, false, false)
    for (offset, byte) in bytes.enumerated() {
      guard offset - start <= limit, members <= memberLimit else { return start }
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 2 { isInArray = byte == UInt8(ascii: "[") }
        if depth == 1 || depth == 2 && isInArray { start = offset + 1 }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 1 { start = offset + 1 }
      case UInt8(ascii: ","):
        if depth == 1 { members += 1 }
        if depth == 1 || depth == 2 && isInArray { start = offset + 1 }
      default: break
      }
    }
    return nil
  }
}
