/// `%41` for `A`, both ways.
enum PercentEncoding {
  /// Appends to `bytes` what a part of them stands for.
  ///
  /// - Returns: Where that is; the part itself if nothing in it is encoded; nil, with nothing appended, if something is not
  ///   two hexadecimal digits behind a `%`, or not UTF-8 once it is decoded.
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
      else {
        bytes.removeSubrange(start...)
        return nil
      }
      bytes.append(high << 4 | low)
      index += 2
    }
    guard bytes[start...].isUTF8 else {
      bytes.removeSubrange(start...)
      return nil
    }
    return start..<bytes.count
  }

  /// What a part stands for; nil as above.
  static func decoded(_ part: some Sequence<UInt8>) -> [UInt8]? {
    var bytes = Array(part)
    return decode(0..<bytes.count, in: &bytes).map { Array(bytes[$0]) }
  }

  /// A component of a URL.
  enum Component {
    case segment, query, fragment

    /// Returns whether the component can contain a character without encoding it.
    func keeps(_ byte: UInt8) -> Bool {
      switch byte {
      case _ where byte.isUnreserved: true
      case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: "*"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "@"):
        true
      // Others split queries at semicolons, and take a plus sign for a space.
      case UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "+"): self != .query
      case UInt8(ascii: "/"), UInt8(ascii: "?"): self != .segment
      default: false
      }
    }
  }

  /// Appends a text, encoded.
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
