// The classes of ASCII characters in URLs (RFC 3986).

extension UInt8 {
  var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isCapital: Bool { (0x41...0x5a).contains(self) }
  var isScheme: Bool { isLetter || isDigit || self == 0x2b || self == 0x2d || self == 0x2e }
  var small: UInt8 { isCapital ? self | 0x20 : self }
  /// True for control characters, which no URL can contain.
  var isControl: Bool { self < 0x20 || self == 0x7f }
  /// True for characters that need no encoding in any part of a URL.
  var isUnreserved: Bool { isLetter || isDigit || "-._~".utf8.contains(self) }

  var hexadecimal: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension Collection<UInt8> {
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && text.withUTF8Buffer { elementsEqual($0) }
  }

  /// True for the dot segments of a path, `.` and `..`.
  var isDots: Bool { equals(".") || equals("..") }

  /// The bytes, which must be UTF-8, as a string.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// True for UTF-8. A string replaces any other bytes when it decodes them.
  var isUTF8: Bool { text.utf8.elementsEqual(self) }
}
