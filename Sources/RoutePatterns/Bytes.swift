// The classes of ASCII characters in URLs (RFC 3986).

extension UInt8 {
  var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isCapital: Bool { (0x41...0x5a).contains(self) }
  /// A Boolean value that indicates whether the byte can be part of a scheme.
  var isScheme: Bool { isLetter || isDigit || self == 0x2b || self == 0x2d || self == 0x2e }
  /// The lowercase letter for a capital letter, or the byte itself.
  var small: UInt8 { isCapital ? self | 0x20 : self }
  /// A Boolean value that indicates whether the byte is a control character, which no URL contains.
  var isControl: Bool { self < 0x20 || self == 0x7f }
  /// A Boolean value that indicates whether URLs contain the character without encoding it.
  var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isLetter || isDigit
    }
  }

  /// The value of the hexadecimal digit, or nil if the character is not one.
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
  /// Returns whether the bytes equal an ASCII string.
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && text.withUTF8Buffer { elementsEqual($0) }
  }

  /// A Boolean value that indicates whether the bytes are a dot segment of a path. Dot segments are
  /// `.` and `..`.
  var isDots: Bool { equals(".") || equals("..") }

  /// The bytes as a string. The caller must know that they are UTF-8.
  var text: String { String(decoding: self, as: UTF8.self) }

  /// A Boolean value that indicates whether the bytes are well-formed UTF-8.
  var isUTF8: Bool {
    var iterator = makeIterator()
    var decoder = UTF8()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }
}
