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

  /// The words that can precede a declaration's keyword, except `class`, which can also be a
  /// keyword.
  static let modifierWords: Set<String> = [
    "_const", "__consuming", "__setter_access", "async", "borrowing", "consuming", "convenience",
    "distributed",
    "dynamic", "fileprivate", "final", "indirect", "infix", "internal", "isolated", "lazy", "mutating",
    "nonisolated", "nonmutating", "open", "optional", "override", "package", "postfix", "prefix", "private",
    "public", "reasync", "required", "sending", "static", "unowned", "weak",
  ]

  /// Reads the attributes and modifiers before the keyword, even in conditional compilation.
  private mutating func readAttributesAndModifiers(_ source: Source) {
    var index = 0
    var conditions = 0
    while let token = source.token(index) {
      if source.isMark(index, "@") {
        index = readAttribute(source, index + 1, isConditional: conditions > 0)
      } else if token.kind == .directive, ["#if", "#elseif", "#else", "#endif"].contains(source.text(token)) {
        if source.text(token) == "#if" { conditions += 1 }
        if source.text(token) == "#endif" { conditions -= 1 }
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
    let word = source.text(source.tokens[index])
    if modifierWords.contains(word) { return true }
    // In `class func`, the word is a modifier. In `class Name {`, it's the keyword, because a mark
    // or a `where` clause follows the name.
    guard word == "class", let next = source.token(index + 1), next.kind == .word else { return false }
    let text = source.text(next)
    guard modifierWords.contains(text) || ["func", "let", "subscript", "var"].contains(text) else { return false }
    return
      !(source.isMark(index + 2, "{") || source.isMark(index + 2, ":") || source.isMark(index + 2, "<")
      || source.isWord(index + 2, "where"))
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
    var index = start
    while let token = source.token(index), token.isName {
      path.append(source.name(token))
      index += 1
      if source.isMark(index, "<") {
        isGeneric = true
        index = source.afterAngle(index)
      }
      if source.isPair(index, ":", ":") {
        path = []
        index += 2
      } else if source.isMark(index, ".") {
        index += 1
      } else {
        break
      }
    }
    if let name = path.last, path.count == 1 || path == ["Swift", name], Self.standardGenericTypes.contains(name) {
      isGeneric = true
    }
    // Any other tokens, as in `[Int]` and `Int?`, are shorthand for generic types.
    if !(source.isMark(index, "{") || source.isMark(index, ":") || source.token(index) == nil) { isGeneric = true }
    if source.tokens.indices.dropFirst(index).contains(where: { source.isWord($0, "where") }) { isGeneric = true }
  }
}

extension Source {
  fileprivate func startsLine(_ index: Int) -> Bool {
    bytes[tokens[index - 1].range.upperBound..<tokens[index].range.lowerBound].contains(where: \.isNewline)
  }
}
