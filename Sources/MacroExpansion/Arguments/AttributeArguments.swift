struct Argument: Equatable {
  var label: String?
  /// The indices of the value's tokens in the attribute's source.
  var tokens: Range<Int>
}

extension Source {
  /// Returns the arguments in the parentheses of an attribute or a freestanding macro. The compiler
  /// has already matched them with the parameters.
  func attributeArguments() -> [Argument] {
    guard let index = argumentsIndex else { return [] }
    return split(insideBracket(index)).map { part in
      let first = part.lowerBound
      guard part.count > 1, tokens[first].isName,
        isMark(first + 1, ":"), !isPair(first + 1, ":", ":")
      else { return Argument(label: nil, tokens: part) }
      return Argument(label: name(tokens[first]), tokens: (first + 2)..<part.upperBound)
    }
  }

  /// The service or route that an attribute exports a type for, with the name and the group.
  var exportedName: [String?] {
    let arguments = attributeArguments()
    let subject = arguments.first { $0.label == nil }?.tokens
    return [subject.map { TypeExpression(self, $0)?.name ?? normalized($0) }]
      + ["named", "group"].map { label in
        arguments.first { $0.label == label }.flatMap { try? string($0.tokens) }
      }
  }

  /// The index of the parenthesis before a macro's arguments, or nil.
  ///
  /// A module name and generic arguments can precede the parenthesis. Attributes and modifiers,
  /// which can have their own parentheses, can precede a freestanding macro.
  var argumentsIndex: Int? {
    let keyword = Declaration(self).keywordIndex
    // Only a freestanding macro's source has a keyword, which begins with `#`.
    var index = token(keyword)?.kind == .directive ? keyword : 0
    while index < tokens.count, !isMark(index, "(") {
      index = isMark(index, "<") ? afterAngle(index) : index + 1
    }
    return index < tokens.count ? index : nil
  }

  func afterPath(_ start: Int) -> Int {
    var index = start
    while token(index)?.isName == true {
      let separator = isMark(index + 1, ".") ? 1 : isPair(index + 1, ":", ":") ? 2 : 0
      index += 1 + separator
      if separator == 0 { break }
    }
    return index
  }

  var hasConditions: Bool { tokens.contains { $0.kind == .directive && text($0) == "#if" } }

  var attributes: [(name: String, tokens: Range<Int>)] {
    tokens.indices.filter { isMark($0, "@") && token($0 + 1)?.isName == true }.map { start in
      let end = afterPath(start + 1)
      return (name(tokens[end - 1]), start..<end)
    }
  }

  func hasAttribute(_ name: String) -> Bool { attributes.contains { $0.name == name } }

  /// Returns the nonempty parts between the top-level commas in a range of tokens.
  func split(_ range: Range<Int>) -> [Range<Int>] {
    // Commas of generic arguments don't count. No other value here can contain an angle bracket.
    let commas = outermost(range, isType: true).filter { isMark($0, ",") }
    return zip([range.lowerBound] + commas.map { $0 + 1 }, commas + [range.upperBound]).map { $0..<$1 }
      .filter { !$0.isEmpty }
  }
}
