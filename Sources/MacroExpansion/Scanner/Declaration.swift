struct Declaration: Equatable {
  /// The keyword of the declaration, or an empty string.
  var keyword: String
  var availability: [Availability] = []
  var modifiers: [String] = []
  /// The components of the name, without backticks. An extension has the components of the extended
  /// type, outermost first. Other declarations have at most one component.
  var path: [String] = []
  var spelling = ""
  var nameOffset = 0
  /// A Boolean value that indicates whether the declaration or the extended type is generic.
  ///
  /// An extension counts as generic if its text contains generic arguments or a `where` clause, or
  /// if it extends `Optional` or a common generic collection of the standard library.
  var isGeneric = false
  /// A Boolean value that indicates whether `::` follows the module of the extended type.
  var hasModule = false
  var isUnsafe = false
  var keywordIndex = 0

  var name: String { path.joined(separator: ".") }

  var isType: Bool { ["class", "struct", "enum", "actor"].contains(keyword) }
}

extension Declaration {
  /// Reads the header of a declaration. For an attribute, the keyword is empty.
  init(_ source: Source) {
    keyword = ""
    readAttributesAndModifiers(source)
    let index = keywordIndex
    guard let token = source.token(index), token.kind == .word || token.kind == .directive else { return }
    keyword = source.text(token)
    if keyword == "extension" {
      readExtendedType(source, index + 1)
    } else if let token = source.token(index + 1), token.isName {
      path = [source.name(token)]
      spelling = source.text(token)
      nameOffset = token.range.lowerBound
      isGeneric = source.isMark(index + 2, "<")
    }
  }

  /// The keywords of declarations. Other words before a keyword are modifiers.
  static let keywords: Set<String> = [
    "actor", "associatedtype", "case", "class", "deinit", "enum", "extension", "func", "import", "init", "let", "macro",
    "operator", "precedencegroup", "protocol", "struct", "subscript", "typealias", "var",
  ]

  /// Reads the attributes and modifiers before the keyword, even in conditional compilation.
  private mutating func readAttributesAndModifiers(_ source: Source) {
    var index = 0
    while let token = source.token(index) {
      if source.isMark(index, "@") {
        index = readAttribute(source, index + 1, isConditional: source.isConditional(index))
      } else if token.kind == .directive, ["#if", "#elseif", "#else", "#endif"].contains(source.text(token)) {
        repeat { index += 1 } while index < source.tokens.count && !source.startsLine(index)
      } else if token.kind == .word, Self.isModifier(source, index) {
        modifiers.append(source.text(token))
        index = source.afterParentheses(index + 1)
      } else {
        break
      }
    }
    keywordIndex = index
  }

  private static func isModifier(_ source: Source, _ index: Int) -> Bool {
    guard source.isWord(index, "class") else { return !keywords.contains(source.text(source.tokens[index])) }
    // In `class func`, the word is a modifier. In `class Name {`, it's the keyword, because a mark
    // or a `where` clause follows the name.
    guard source.token(index + 1)?.kind == .word, source.token(index + 2) != nil else { return false }
    return !("{:<".contains { source.isMark(index + 2, $0) } || source.isWord(index + 2, "where"))
  }

  /// Reads the attribute whose name is at an index, and returns the index after it.
  private mutating func readAttribute(_ source: Source, _ start: Int, isConditional: Bool) -> Int {
    var index = source.afterPath(start)
    let isSimple = index == start + 1
    if isSimple, source.isWord(start, "unsafe") { isUnsafe = true }
    index = source.afterAngle(index)
    guard source.isMark(index, "(") else { return index }
    let end = source.afterBracket(index)
    if isSimple, source.isWord(start, "available"), index + 1 < end - 1 {
      availability.append(Availability(source, (index + 1)..<(end - 1), isConditional: isConditional))
    }
    return end
  }

  /// The generic standard library types whose names other types are unlikely to have.
  private static let standardGenericTypes: Set<String> = [
    "Array", "ArraySlice", "ContiguousArray", "Dictionary", "Optional", "Set",
  ]

  private mutating func readExtendedType(_ source: Source, _ start: Int) {
    let end = source.afterPath(start)
    let module = (start..<end).last { source.isMark($0, ":") } ?? start - 1
    hasModule = module >= start
    path = source.tokens[(module + 1)..<end].filter(\.isName).map(source.name)
    let isInSwift = path.count == 1 || path.count == 2 && path[0] == "Swift"
    let isStandard = isInSwift && Self.standardGenericTypes.contains(path[path.count - 1])
    // Any other tokens, as in `A<B>`, `[Int]`, and `Int?`, are generic arguments or shorthand.
    let isPlain = source.isMark(end, "{") || source.isMark(end, ":") || source.token(end) == nil
    isGeneric =
      isStandard || !isPlain || source.tokens.indices.dropFirst(end).contains { source.isWord($0, "where") }
  }
}

extension Source {
  fileprivate func startsLine(_ index: Int) -> Bool {
    bytes[tokens[index - 1].range.upperBound..<tokens[index].range.lowerBound].contains(where: \.isNewline)
  }
}
