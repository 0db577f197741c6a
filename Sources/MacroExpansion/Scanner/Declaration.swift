/// The parts of a declaration that export attributes need.
struct Declaration: Equatable {
  /// The keyword of the declaration, or an empty string if there is none.
  var keyword: String
  /// The contents of the availability attributes of the declaration.
  var availability: [Availability] = []
  var modifiers: [String] = []
  /// The name without backticks.
  ///
  /// An extension has the names of the extended type, from the outermost to the innermost. Other
  /// declarations have one name or none.
  var path: [String] = []
  /// The name as it appears in the source.
  var spelling = ""
  /// The offset of the name in the source.
  var nameOffset = 0
  /// A Boolean value that indicates whether the declaration or the extended type is generic.
  ///
  /// An extension counts as generic only if its text shows that, or if it extends a collection of
  /// the standard library or `Optional`.
  var isGeneric = false
  /// A Boolean value that indicates whether the declaration is marked as unsafe.
  var isUnsafe = false

  /// The name for messages.
  var name: String { path.joined(separator: ".") }

  /// A Boolean value that indicates whether the declaration is a type that can be exported.
  var isType: Bool { ["class", "struct", "enum", "actor"].contains(keyword) }
}

extension Declaration {
  /// Reads the header of a declaration. Text that is not a declaration has an empty keyword.
  init(_ source: Source) {
    var scanner = DeclarationScanner(source: source)
    self = scanner.declaration()
  }
}

/// A single pass over the tokens of a declaration's header.
struct DeclarationScanner {
  let source: Source
  private var index = 0
  /// A Boolean value that indicates whether an attribute has marked the declaration as unsafe.
  private var isUnsafe = false

  init(source: Source) {
    self.source = source
  }

  /// The words that can precede the keyword of a declaration.
  ///
  /// The set lacks `class`, which is a modifier or a keyword, depending on its context.
  static let modifiers: Set<String> = [
    "_const", "__consuming", "__setter_access", "async", "borrowing", "consuming", "convenience",
    "distributed",
    "dynamic", "fileprivate", "final", "indirect", "infix", "internal", "isolated", "lazy", "mutating",
    "nonisolated", "nonmutating", "open", "optional", "override", "package", "postfix", "prefix", "private",
    "public", "reasync", "required", "sending", "static", "unowned", "weak",
  ]

  mutating func declaration() -> Declaration {
    var declaration = Declaration(keyword: "")
    declaration.availability = skipLeading(&declaration.modifiers)
    declaration.isUnsafe = isUnsafe
    guard let keyword = source.token(index), keyword.kind == .word || keyword.kind == .directive else {
      return declaration
    }
    declaration.keyword = source.text(keyword)
    index += 1
    switch declaration.keyword {
    case "extension":
      extended(&declaration)
      if hasConstraints() { declaration.isGeneric = true }
    default:
      name(&declaration)
    }
    return declaration
  }

  /// Returns the index of the token after the attributes and modifiers of a declaration.
  static func keywordIndex(in source: Source) -> Int {
    var scanner = DeclarationScanner(source: source)
    var modifiers: [String] = []
    _ = scanner.skipLeading(&modifiers)
    return scanner.index
  }

  /// Skips attributes and modifiers, and returns the contents of availability attributes.
  ///
  /// The lines of conditional compilation around them are skipped as well.
  private mutating func skipLeading(_ modifiers: inout [String]) -> [Availability] {
    var availability: [Availability] = []
    var conditions = 0
    while let token = source.token(index) {
      if source.isMark(index, "@") {
        if let attribute = skipAttribute(isConditional: conditions > 0) { availability.append(attribute) }
      } else if token.kind == .directive, isCondition(token) {
        if source.text(token) == "#if" { conditions += 1 }
        if source.text(token) == "#endif" { conditions -= 1 }
        skipCondition()
      } else if token.kind == .word, isModifier() {
        modifiers.append(source.text(token))
        index += 1
        if source.isMark(index, "(") { index = source.afterBracket(index) }
      } else {
        break
      }
    }
    return availability
  }

  /// Returns a Boolean value that indicates whether the current word is a modifier.
  ///
  /// Otherwise, it is the keyword or the name of the declaration.
  private func isModifier() -> Bool {
    let word = source.text(source.tokens[index])
    if Self.modifiers.contains(word) { return true }
    // In `class func`, the word is a modifier, but in `class Name {`, it is the keyword: a mark or
    // a clause that begins the header follows the name of a type.
    guard word == "class", let next = source.token(index + 1), next.kind == .word else { return false }
    let text = source.text(next)
    guard Self.modifiers.contains(text) || ["func", "let", "subscript", "var"].contains(text) else {
      return false
    }
    return
      !(source.isMark(index + 2, "{") || source.isMark(index + 2, ":") || source.isMark(index + 2, "<")
      || source.isWord(index + 2, "where"))
  }

  /// Skips an attribute, and returns its contents if it is an availability attribute.
  private mutating func skipAttribute(isConditional: Bool) -> Availability? {
    index += 1
    let start = index
    index = source.afterPath(index)
    let isAvailable = source.isWord(start, "available") && index == start + 1
    if source.isWord(start, "unsafe"), index == start + 1 { isUnsafe = true }
    if source.isMark(index, "<") { index = source.afterAngle(index) }
    guard source.isMark(index, "(") else { return nil }
    let inside = index + 1
    index = source.afterBracket(index)
    guard isAvailable, inside < index - 1 else { return nil }
    return Availability(source, inside..<(index - 1), isConditional: isConditional)
  }

  private func isCondition(_ token: Token) -> Bool {
    ["#if", "#elseif", "#else", "#endif"].contains(source.text(token))
  }

  /// Skips a line of conditional compilation.
  private mutating func skipCondition() {
    repeat {
      index += 1
    } while index < source.tokens.count
      && !source.bytes[source.tokens[index - 1].range.upperBound..<source.tokens[index].range.lowerBound]
        .contains(where: \.isNewline)
  }

  /// Reads the name of the declaration if the current token is one.
  private mutating func name(_ declaration: inout Declaration) {
    guard let token = source.token(index), token.kind == .word || token.kind == .quoted else { return }
    declaration.path = [source.name(token)]
    declaration.spelling = source.text(token)
    declaration.nameOffset = token.range.lowerBound
    index += 1
    if source.isMark(index, "<") {
      declaration.isGeneric = true
      index = source.afterAngle(index)
    }
  }

  /// The generic types of the standard library whose names are unlikely for other types.
  private static let standardGenericTypes: Set<String> = [
    "Array", "ArraySlice", "ContiguousArray", "Dictionary", "Optional", "Set",
  ]

  /// Reads the type that an extension extends.
  private mutating func extended(_ declaration: inout Declaration) {
    while let token = source.token(index), token.kind == .word || token.kind == .quoted {
      declaration.path.append(source.name(token))
      index += 1
      if source.isMark(index, "<") {
        declaration.isGeneric = true
        index = source.afterAngle(index)
      }
      if source.isPair(index, ":", ":") {
        // The first part is a module.
        declaration.path = []
        index += 2
      } else if source.isMark(index, ".") {
        index += 1
      } else {
        break
      }
    }
    if let name = declaration.path.last, declaration.path.count == 1 || declaration.path == ["Swift", name],
      Self.standardGenericTypes.contains(name)
    {
      declaration.isGeneric = true
    }
    // Other tokens, as in `[Int]` and `Int?`, are sugar for generic types.
    if !(source.isMark(index, "{") || source.isMark(index, ":") || source.isWord(index, "where")
      || source.token(index) == nil)
    {
      declaration.isGeneric = true
    }
  }

  /// Advances to the opening brace of the body.
  ///
  /// - Returns: `true` if a `where` clause precedes the body.
  private mutating func hasConstraints() -> Bool {
    while index < source.tokens.count, !source.isMark(index, "{") {
      if source.isWord(index, "where") { return true }
      index = source.isMark(index, "(") || source.isMark(index, "[") ? source.afterBracket(index) : index + 1
    }
    return false
  }
}
