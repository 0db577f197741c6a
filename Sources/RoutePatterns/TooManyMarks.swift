/// Accents upon accents, without end.
///
/// Texts are compared and hashed in one order of the marks on a letter, which takes quadratic time to find: a URL of a megabyte
/// would keep whoever looks a name of its query up, or puts a value of it into a set, for minutes. Unicode allows for 30 of them
/// (UAX #15, Stream-Safe Text Format).
enum TooManyMarks {
  static let limit = 100

  /// Where one too many is, in a text that may be percent-encoded: about there, as is said of a URL that nobody can read.
  static func firstOffset(in text: ArraySlice<UInt8>) -> Int? {
    guard mayHaveMarks(text) else { return nil }
    var bytes = Decoded(text: text)
    var decoder = UTF8()
    var count = 0
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar):
        count = isMark(scalar) ? count + 1 : 0
        if count > limit { return min(bytes.index, text.endIndex) - 1 }
      case .error: count = 0
      case .emptyInput: return nil
      }
    }
  }

  /// Whether anything is not ASCII, as it stands or encoded. Most URLs are all ASCII.
  private static func mayHaveMarks(_ text: ArraySlice<UInt8>) -> Bool {
    for index in text.indices {
      if text[index] >= 0x80 { return true }
      if text[index] == UInt8(ascii: "%"), index + 1 < text.endIndex, text[index + 1].hexadecimal ?? 0 >= 8 {
        return true
      }
    }
    return false
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: false
    // Vowels of Tibetan, which are two marks each and none themselves.
    case 0xf73, 0xf75, 0xf81: true
    default: scalar.properties.canonicalCombiningClass != .notReordered
    }
  }

  /// The bytes that a text stands for; what is no encoded byte stands for itself.
  private struct Decoded: IteratorProtocol {
    let text: ArraySlice<UInt8>
    var index: Int

    init(text: ArraySlice<UInt8>) {
      self.text = text
      index = text.startIndex
    }

    mutating func next() -> UInt8? {
      guard index < text.endIndex else { return nil }
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "%"), text.endIndex - index >= 2, let high = text[index].hexadecimal,
        let low = text[index + 1].hexadecimal
      else { return byte }
      index += 2
      return high << 4 | low
    }
  }
}
