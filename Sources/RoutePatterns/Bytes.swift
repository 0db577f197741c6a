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

  /// Whether it is UTF-8: nothing cut off, no surrogates, nothing longer than need be.
  var isUTF8: Bool {
    var index = startIndex
    while index < endIndex {
      let lead = self[index]
      let (length, second): (Int, ClosedRange<UInt8>)
      switch lead {
      case 0..<0x80: (length, second) = (1, 0x80...0xbf)
      case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
      case 0xe0: (length, second) = (3, 0xa0...0xbf)
      case 0xed: (length, second) = (3, 0x80...0x9f)
      case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
      case 0xf0: (length, second) = (4, 0x90...0xbf)
      case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
      case 0xf4: (length, second) = (4, 0x80...0x8f)
      default: return false
      }
      guard distance(from: index, to: endIndex) >= length else { return false }
      for place in 1..<length {
        let byte = self[self.index(index, offsetBy: place)]
        guard place == 1 ? second.contains(byte) : (0x80...0xbf).contains(byte) else { return false }
      }
      formIndex(&index, offsetBy: length)
    }
    return true
  }
}
