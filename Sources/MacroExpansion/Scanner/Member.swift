extension Source {
  /// Returns the names, without modules and outer types, in the inheritance clause at an index.
  func inheritedNames(at start: Int) -> [String] {
    var index = start
    var names: [String] = []
    while index < tokens.count, !isMark(index, "{"), !isWord(index, "where") {
      if isMark(index, "@") {
        // An attribute, such as `@unchecked`, isn't a name.
        index = afterPath(index + 1)
      } else if isWord(index, "nonisolated") {
        index += 1
      } else {
        let end = afterPath(index)
        if end > index { names.append(name(tokens[end - 1])) }
        index = max(end, afterBracket(index))
      }
    }
    return names
  }

  /// Returns whether a token is in conditional compilation.
  func isConditional(_ index: Int) -> Bool {
    let directives = tokens[..<index].filter { $0.kind == .directive }.map(text)
    return directives.count { $0 == "#if" } > directives.count { $0 == "#endif" }
  }
}

/// A declaration in a type's body.
struct Member {
  let keyword: String
  /// The index of the keyword's token.
  let index: Int
  /// The name; for an initializer, `init`.
  let name: String
  private let modifiers: Set<String>
  let isGeneric: Bool
  /// The argument labels. An underscore means that the argument has no label.
  private(set) var labels: [String] = []
  /// The name that a function's body uses for the first parameter; nil for an underscore.
  private(set) var parameterName: String?
  /// The types of the parameters, as spelled in the source, or the written type of a property.
  private(set) var types: [String] = []
  /// A Boolean value that indicates whether a parameter has a default value.
  private(set) var hasDefault = false
  private(set) var effects: Set<String> = []
  private(set) var hasResult = false
  let nameRange: Range<Int>
  /// The byte range from the keyword through a function's last effect or a property's type.
  let range: Range<Int>
  /// The modifier that makes the member static, or nil: its offset, and the text between it and the
  /// keyword, such as other modifiers.
  private(set) var staticModifier: (offset: Int, textAfter: String)?

  var isProperty: Bool { keyword == "let" || keyword == "var" }

  /// The name with its labels, such as `setUp(_:)`.
  var fullName: String { isProperty ? name : "\(name)(\(labels.map { "\($0):" }.joined()))" }

  /// The lowercased name, with and without callback prefixes such as `on` or BeeHive's `mod`.
  var spellings: [String] {
    let word = name.lowercased()
    return [word]
      + ["on", "mod", "module", "handle", "application"].filter(word.hasPrefix).map {
        String(word.dropFirst($0.utf8.count))
      }
  }

  var isStatic: Bool { staticModifier != nil }

  /// A Boolean value that indicates whether the member can be an implementation: it's a function or
  /// a property and isn't generic, code in other files can use it, and it doesn't override another
  /// class's member.
  var canImplement: Bool {
    (isProperty || keyword == "func") && !isGeneric
      && modifiers.isDisjoint(with: ["private", "fileprivate", "override"])
  }

  /// A Boolean value that indicates whether the member is `init(services: ServiceManager)` and code
  /// next to the type can call it.
  var takesServices: Bool {
    keyword == "init" && !isGeneric && labels == ["services"] && !modifiers.contains("private")
      && ["ServiceManager", "Registry.ServiceManager", "Registry::ServiceManager"].contains(types.first)
  }

  /// Reads the declarations in a type's body, but not in nested types.
  static func all(in source: Source, body: Range<Int>) -> [Member] {
    var members: [Member] = []
    var modifiers = body.lowerBound
    // Skip brackets, because a body or an accessor can contain other functions.
    for index in source.outermost(body) {
      let (token, word) = (source.tokens[index], source.text(source.tokens[index]))
      let isKeyword = token.kind == .word && Declaration.keywords.contains(word)
      // A word follows one period in `= .private`, and several after `1...`.
      let isMember = source.isMark(index - 1, ".") && !source.isMark(index - 2, ".")
      if isKeyword, !isMember, let member = Member(source, modifiers..<index) {
        members.append(member)
      }
      // In `class func`, the keyword is a modifier. Modifiers such as `private(set)` have
      // arguments.
      let isModifier = token.kind == .word && !isMember && (!isKeyword || word == "class")
      if !isModifier, word != "(" { modifiers = source.afterBracket(index) }
    }
    return members
  }

  /// Reads the member after the modifiers, or returns nil for an operator or a tuple pattern.
  private init?(_ source: Source, _ modifierTokens: Range<Int>) {
    let start = modifierTokens.upperBound
    keyword = source.text(source.tokens[start])
    self.index = start
    var index = keyword == "init" ? start : start + 1
    guard let token = source.token(index), token.isName else { return nil }
    name = source.name(token)
    nameRange = token.range
    index += 1
    if keyword == "init", source.isMark(index, "?") || source.isMark(index, "!") { index += 1 }
    isGeneric = source.isMark(index, "<")
    if keyword == "let" || keyword == "var" {
      if source.isMark(index, ":") {
        index = source.afterPath(index + 1)
        types = [source.normalized((start + 3)..<index, keepBackticks: false)]
      }
    } else if keyword == "func" || keyword == "init" {
      index = source.afterAngle(index)
      guard source.isMark(index, "(") else { return nil }
      let parameters = source.split(source.insideBracket(index))
      labels = parameters.map { source.name(source.tokens[$0.lowerBound]) }
      for parameter in parameters {
        let colon = parameter.first { source.isMark($0, ":") } ?? parameter.upperBound
        let name = source.text(source.tokens[max(parameter.lowerBound, colon - 1)])
        if types.isEmpty, name != "_" { parameterName = name }
        let end = parameter.first { source.isMark($0, "=") } ?? parameter.upperBound
        hasDefault = hasDefault || end < parameter.upperBound
        types.append(source.normalized(min(colon + 1, end)..<end, keepBackticks: false))
      }
      index = source.afterBracket(index)
      while ["async", "throws", "rethrows"].contains(where: { source.isWord(index, $0) }) {
        effects.insert(source.text(source.tokens[index]))
        index = source.afterParentheses(index + 1)
      }
      let isEmpty = source.isMark(index + 2, "(") && source.isMark(index + 3, ")")
      hasResult = source.isPair(index, "-", ">") && !source.isWord(index + 2, "Void") && !isEmpty
    }
    // `private(set)` restricts only the setter.
    let before = source.outermost(modifierTokens)
    modifiers = Set(before.filter { !source.isMark($0 + 1, "(") }.map { source.text(source.tokens[$0]) })
    let offset = source.tokens[start].range.lowerBound
    range = offset..<source.tokens[min(index, source.tokens.count) - 1].range.upperBound
    if let modifier = before.first(where: { source.isWord($0, "static") || source.isWord($0, "class") }) {
      let next = source.tokens[modifier + 1].range.lowerBound
      let text = String(decoding: source.bytes[next..<offset], as: UTF8.self)
      staticModifier = (source.tokens[modifier].range.lowerBound, text)
    }
  }
}
