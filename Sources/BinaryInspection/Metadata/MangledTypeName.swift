/// A parser for the mangled names of plain Swift types.
///
/// The parser covers the part of `docs/ABI/Mangling.rst` for references to other images: modules
/// and nested types, including private types and types in extensions. It ignores trailing generic
/// arguments and rejects non-ASCII names and types that are local to functions.
struct MangledTypeName {
  private let bytes: [UInt8]
  private var position = 0
  /// The words of the identifiers so far. Later identifiers refer to a word by letter.
  private var words: [ArraySlice<UInt8>] = []
  /// The modules and types that later parts of the name refer to by letter.
  private var substitutions: [String] = []
  private var context: String?

  /// The limit on a name's bytes. Substitutions can make a name much longer than its mangled form.
  private static let limit = 4_096
  /// The number of bytes that the remaining identifiers can have in total. Repeated words can
  /// produce many long identifiers from a few bytes.
  private var left = 16 * limit

  private init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Mach-O symbols start with an underscore.
  private init?(symbol: String) {
    guard let prefix = ["$s", "_$s", "$S", "_$S"].first(where: symbol.hasPrefix) else { return nil }
    self.init(symbol.utf8.dropFirst(prefix.utf8.count))
  }

  /// Returns the plain name in a descriptor's symbol; nil for other symbols and names. For example,
  /// `"$s4Cart5OuterV5InnerCMn"` contains `"Cart.Outer.Inner"`.
  static func path(ofSymbol symbol: String) -> String? {
    guard var name = MangledTypeName(symbol: symbol), let path = name.path() else { return nil }
    // These suffixes mark the descriptors of types, protocols, and modules.
    return ["Mn", "Mp", "MXM"].contains { name.bytes[name.position...].elementsEqual($0.utf8) } ? path : nil
  }

  /// Returns the innermost plain type or module that encloses a variable, such as `"Cart.Outer"` in
  /// `"$s4Cart5OuterV5countSivpZ"`; nil for other symbols.
  static func context(ofVariable symbol: String) -> String? {
    guard symbol.hasSuffix("vp") || symbol.hasSuffix("vpZ"), var name = MangledTypeName(symbol: symbol)
    else { return nil }
    // Parse up to the variable's name, which isn't part of a type.
    _ = name.path()
    return name.context
  }

  /// Returns the name of a mangled type, such as `"Foundation.URL"` for `"10Foundation3URLV"`; nil
  /// if it isn't a plain type.
  static func path(_ mangled: String) -> String? {
    var name = MangledTypeName(mangled.utf8)
    guard let path = name.path() else { return nil }
    // Generic arguments start with the letter y.
    return name.next == nil || name.next == UInt8(ascii: "y") ? path : nil
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ text: StaticString) -> Bool {
    let wanted = text.withUTF8Buffer { Array($0) }
    guard bytes[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  private mutating func path() -> String? {
    guard var path = root() else { return nil }
    while let byte = next, path.utf8.count <= Self.limit {
      context = path
      if byte == UInt8(ascii: "A") || byte == UInt8(ascii: "s") {
        // A substitution followed by the letter E is the module of an extension.
        guard module() != nil, skip("E") else { return nil }
        continue
      }
      guard byte.isDigit else { return path }
      guard let name = identifier() else { return nil }
      if skip("E") {
        substitutions.append(name)
        continue
      }
      // A private type's name is followed by an identifier for its file.
      if let byte = next, byte.isDigit {
        guard identifier() != nil, skip("LL") else { return nil }
      }
      path += ".\(name)"
      substitutions.append(path)
      // These letters mark structures, classes, enumerations, protocols, and Objective-C type
      // aliases. The symbol of a protocol's descriptor omits the P.
      let isKnown = skip("V") || skip("C") || skip("O") || skip("P") || skip("a")
      guard isKnown || bytes[position...].elementsEqual("Mp".utf8) else { return nil }
    }
    return path.utf8.count <= Self.limit ? path : nil
  }

  private mutating func root() -> String? {
    if let module = module() { return module }
    if skip("S") {
      let letters = bytes[position...].prefix(next == UInt8(ascii: "c") ? 2 : 1)
      position += letters.count
      return Self.standard[Substring(decoding: letters, as: UTF8.self)].map { "Swift.\($0)" }
    }
    guard let name = identifier() else { return nil }
    substitutions.append(name)
    return name
  }

  private mutating func module() -> String? {
    if skip("So") { return "__C" }
    if skip("SC") { return "__C_Synthesized" }
    if skip("s") { return "Swift" }
    guard skip("A"), let byte = next else { return nil }
    // A lowercase letter starts a list of substitutions, which a plain name doesn't contain.
    guard byte.isCapital else { return nil }
    position += 1
    let index = Int(byte - UInt8(ascii: "A"))
    return index < substitutions.count ? substitutions[index] : nil
  }

  /// Reads an identifier: a length followed by that many characters. An identifier that starts with
  /// a zero contains words from earlier identifiers.
  private mutating func identifier() -> String? {
    var text: [UInt8] = []
    var hasWords = skip("0")
    repeat {
      while hasWords, let byte = next, byte.isLetter {
        position += 1
        let isLast = byte < UInt8(ascii: "a")
        let index = Int(byte - (isLast ? UInt8(ascii: "A") : UInt8(ascii: "a")))
        guard index < words.count else { return nil }
        text += words[index]
        guard text.count <= Self.limit else { return nil }
        hasWords = !isLast
      }
      if skip("0") { break }
      guard let count = number(), count > 0, count <= bytes.count - position else { return nil }
      let letters = bytes[position..<position + count]
      position += count
      text += letters
      addWords(of: letters)
    } while hasWords
    // The text is empty after two zeros, which start a non-ASCII name.
    guard !text.isEmpty, text.count <= left else { return nil }
    left -= text.count
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let byte = next, byte.isDigit, number ?? 0 <= Self.limit {
      number = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      position += 1
    }
    return number
  }

  /// Adds an identifier's words. A word has at least two characters, doesn't start with a digit,
  /// and ends at the identifier's end, before an underscore, or before an uppercase letter that
  /// follows another kind of character.
  private mutating func addWords(of letters: ArraySlice<UInt8>) {
    var start: Int?
    for index in letters.startIndex...letters.endIndex {
      let byte = index < letters.endIndex ? letters[index] : 0
      let isEnd = byte == 0 || byte == UInt8(ascii: "_")
      if let begin = start, isEnd || byte.isCapital && !letters[index - 1].isCapital {
        if index - begin >= 2, words.count < 26 { words.append(letters[begin..<index]) }
        start = nil
      }
      let isStart = !isEnd && !byte.isDigit
      if start == nil, isStart { start = index }
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  fileprivate var isLetter: Bool { isCapital || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
}
