/// Functions that percent-encode and decode text in URLs, such as `%41` for `A`.
enum PercentEncoding {
  /// Decodes a part of an array of bytes and appends the result to the array.
  ///
  /// - Returns: The range of the result, or `part` if nothing is encoded. It's nil if a `%` isn't
  ///   followed by two hexadecimal digits, or if the decoded bytes aren't UTF-8. Bytes that were
  ///   appended before that stay, and no range refers to them.
  static func decode(_ part: Range<Int>, in bytes: inout [UInt8]) -> Range<Int>? {
    guard bytes[part].contains(UInt8(ascii: "%")) else { return part }
    let start = bytes.count
    var index = part.lowerBound
    while index < part.upperBound {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard part.upperBound - index >= 2, let high = bytes[index].hexadecimal, let low = bytes[index + 1].hexadecimal
      else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return bytes[start...].isUTF8 ? start..<bytes.count : nil
  }

  static func decoded(_ part: some Sequence<UInt8>) -> [UInt8]? {
    var bytes = Array(part)
    return decode(0..<bytes.count, in: &bytes).map { Array(bytes[$0]) }
  }

  /// A part of a URL, with the reserved characters that need no encoding in it.
  enum Component: String {
    case host = ""
    case segment = "!$'()*,:@&=;+"
    // Some parsers split a query at semicolons, and read a plus sign as a space.
    case query = "!$'()*,:@/?"

    func keeps(_ byte: UInt8) -> Bool { byte.isUnreserved || rawValue.utf8.contains(byte) }
  }

  static func append(_ text: String, to url: inout String, in component: Component) {
    for byte in text.utf8 {
      if component.keeps(byte) {
        url.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        url += byte < 16 ? "%0" : "%"
        url += String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
