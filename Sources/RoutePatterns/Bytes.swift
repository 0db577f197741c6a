// What ASCII characters are in URLs (RFC 3986).

extension UInt8 {
  var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isCapital: Bool { (0x41...0x5a).contains(self) }
  /// Control characters, which no URL has.
  var isControl: Bool { self < 0x20 || self == 0x7f }
  /// What is never encoded.
  var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isLetter || isDigit
    }
  }

  /// As a hexadecimal digit.
  var hexadecimal: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension RandomAccessCollection<UInt8> {
  /// Whether these are the bytes of a text in ASCII.
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && text.withUTF8Buffer { elementsEqual($0) }
  }

  /// Whether it is the path segment `.` or `..`.
  var isDots: Bool { equals(".") || equals("..") }

  /// The text, which is known to be UTF-8.
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
