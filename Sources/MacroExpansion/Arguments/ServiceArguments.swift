/// The arguments of the attribute that exports a service.
struct ServiceArguments: Equatable {
  enum Scope: Equatable {
    case transient, shared, weak
    case cached(String)

    /// The scope as records spell it.
    var recordText: String {
      switch self {
      case .transient: "transient"
      case .shared: "shared"
      case .weak: "weak"
      case .cached(let cache): "cached(\(cache))"
      }
    }
  }

  /// The implementation that the attribute's type replaces.
  enum Replaced: Equatable {
    /// The name in the record of the implementation.
    case name(String)
    /// The type of the implementation, and the expression as the expansion contains it.
    case type(String, expression: String)
  }

  /// The first argument as the expansion contains it.
  var expression = ""
  /// The name of the service that users and tools see.
  var protocolName = ""
  var scope = Scope.transient
  var scopeRange: Range<Int>?
  var name: String?
  var priority: Int64 = 0
  var separateInstance = false
  var replaced: Replaced?
  /// The condition as records spell it.
  var condition: String?

  /// Reads the arguments of another attribute, which reports its own problems.
  init(_ source: Source) {
    var problems: [Problem] = []
    self.init(source, &problems)
  }

  /// Reads the arguments.
  ///
  /// - Parameter own: The name of the exported type, which it cannot replace.
  init(_ source: Source, name own: String = "", _ problems: inout [Problem]) {
    for argument in source.attributeArguments() {
      let range = source.span(argument.tokens)
      switch argument.label {
      case nil:
        guard let service = ServiceExpression(source, argument.tokens) else {
          problems.append(.serviceIsNotASelf(at: range))
          continue
        }
        if service.isOptional { problems.append(.optionalService(at: range)) }
        expression = service.expression
        protocolName = service.name
      case "scope":
        scopeRange = range
        scope = source.serviceScope(argument.tokens, &problems) ?? scope
      case "named":
        if argument.tokens.count == 1, source.isWord(argument.tokens.lowerBound, "nil") { continue }
        name = source.text("named", argument.tokens, &problems)
      case "priority":
        priority = source.integer("priority", argument.tokens, &problems)
      case "separateInstance":
        separateInstance = source.boolean("separateInstance", argument.tokens, &problems)
      case "replaces":
        if argument.tokens.count == 1, source.isWord(argument.tokens.lowerBound, "nil") { continue }
        replaced = source.replaced(argument.tokens, own, &problems)
      case "when":
        condition = source.serviceCondition(argument.tokens, &problems)
      case let label?:
        problems.append(.unknownArgument(label, at: range))
      }
    }
    if expression.isEmpty, problems.isEmpty { problems.append(.serviceIsNotASelf(at: nil)) }
  }

  /// Returns a Boolean value that indicates whether two attributes export the same service.
  func isSameService(as other: ServiceArguments) -> Bool {
    !protocolName.isEmpty && protocolName == other.protocolName && name == other.name
  }
}

/// An expression for the type of a service.
///
/// Examples are `P.self` and `(any P).self`.
struct ServiceExpression {
  /// The text for the expansion, in one line and without comments.
  let expression: String
  /// The name of the type.
  ///
  /// The name lacks outer parentheses, a leading `any`, and backticks.
  let name: String
  /// A Boolean value that indicates whether the type is written as an optional.
  let isOptional: Bool

  /// Creates the expression from tokens that refer to a metatype, or returns nil for other tokens.
  ///
  /// Tokens that refer to a metatype have the form `X.self`.
  init?(_ source: Source, _ range: Range<Int>) {
    guard range.count > 2, source.isWord(range.upperBound - 1, "self"),
      source.isMark(range.upperBound - 2, ".")
    else { return nil }
    expression = source.normalized(range, keepBackticks: true)
    name = source.serviceName(range.lowerBound..<(range.upperBound - 2))
    isOptional = source.isOptional(range.lowerBound..<(range.upperBound - 2))
  }
}

extension Source {
  /// Returns the name of a type for users and tools.
  ///
  /// The name lacks outer parentheses, a leading `any`, and backticks.
  func serviceName(_ range: Range<Int>) -> String {
    var type = range
    while true {
      if let inner = insideParentheses(type) {
        type = inner
      } else if isWord(type.lowerBound, "any"), type.count > 1 {
        type = (type.lowerBound + 1)..<type.upperBound
      } else {
        return normalized(type, keepBackticks: false)
      }
    }
  }

  /// Returns whether a type is written as an optional.
  fileprivate func isOptional(_ range: Range<Int>) -> Bool {
    if let inner = insideParentheses(range) { return isOptional(inner) }
    if isMark(range.upperBound - 1, "?") || isMark(range.upperBound - 1, "!") { return true }
    // Another module or type can declare an 'Optional' of its own.
    guard let angle = range.first(where: { isMark($0, "<") }), afterAngle(angle) == range.upperBound else {
      return false
    }
    let names = ["Optional", "Swift.Optional", "Swift::Optional"]
    return names.contains(normalized(range.lowerBound..<angle, keepBackticks: false))
  }

  /// Returns the tokens inside the parentheses that surround a range of tokens, or nil without
  /// these.
  func insideParentheses(_ range: Range<Int>) -> Range<Int>? {
    guard range.count > 2, isMark(range.lowerBound, "("), afterBracket(range.lowerBound) == range.upperBound else {
      return nil
    }
    return (range.lowerBound + 1)..<(range.upperBound - 1)
  }
}

extension Source {
  /// Returns the text of a type or expression with the white space that a formatter would use.
  func normalized(_ range: Range<Int>, keepBackticks: Bool) -> String {
    var text = ""
    for index in range {
      let token = tokens[index]
      let isWord = token.kind != .mark
      let followsWord = index > range.lowerBound && tokens[index - 1].kind != .mark
      if isWord, followsWord { text += " " }
      if isMark(index, "&") || isMark(index, "-") && isPair(index, "-", ">") { text += " " }
      // Separate a word from the next token, as in `throws ->`, `inout (`, and `any [`.
      if isMark(index, "("), followsWord, token.isSpaced { text += " " }
      text += keepBackticks ? self.text(token) : name(token)
      if index + 1 < range.upperBound {
        if isMark(index, "&") || isMark(index, ",")
          || isMark(index, ":") && !isPair(index, ":", ":")
            && !isPair(index - 1, ":", ":")
          || isMark(index, ">") && isPair(index - 1, "-", ">")
        {
          text += " "
        }
        // Keep white space that can change the meaning: `any ~Copyable` has some, and `Int?` has
        // none.
        if isWord, tokens[index + 1].kind == .mark, tokens[index + 1].isSpaced, isMark(index + 1, "~") {
          text += " "
        }
      }
    }
    return text
  }

  /// Returns the name of a case in an expression of an enumeration's type.
  ///
  /// Examples are `.x`, `Type.x`, and `Module.Type.x`.
  func member(_ range: Range<Int>, of type: StaticString) -> String? {
    guard range.count >= 2, let last = token(range.upperBound - 1),
      last.kind == .word || last.kind == .quoted,
      isMark(range.upperBound - 2, ".")
    else { return nil }
    let prefix = range.lowerBound..<(range.upperBound - 2)
    let isPlain = prefix.isEmpty || isWord(prefix.upperBound - 1, type)
    let isPath = prefix.allSatisfy { tokens[$0].kind == .word || isMark($0, ".") || isMark($0, ":") }
    return isPlain && isPath ? name(last) : nil
  }

  /// Returns the value of an argument that must be a scope.
  ///
  /// For another value, the function adds a problem and returns nil.
  fileprivate func serviceScope(_ range: Range<Int>, _ problems: inout [Problem]) -> ServiceArguments.Scope? {
    switch member(range, of: "ServiceScope") {
    case "transient": return .transient
    case "shared": return .shared
    case "weak": return .weak
    default: break
    }
    if let cache = associatedText("scope", range, of: "ServiceScope", "cached", &problems) {
      return cache.map { .cached($0) }
    }
    problems.append(.notACase("scope", ["transient", "shared", "weak", "cached(\"name\")"], at: span(range)))
    return nil
  }

  /// Returns the value of an argument that must be a condition, as records spell it.
  ///
  /// For another value, the function adds a problem and returns nil.
  func serviceCondition(
    _ range: Range<Int>, of expanded: String = "attribute", _ problems: inout [Problem]
  ) -> String? {
    if range.count == 1, isWord(range.lowerBound, "nil") { return nil }
    let conditions = ["debug", "release", "preview", "test"]
    if let name = member(range, of: "ServiceCondition"), conditions.contains(name) { return name }
    if let flag = associatedText("when", range, of: "ServiceCondition", "flag", &problems) {
      return flag.map { "flag(\($0))" }
    }
    problems.append(.notACase("when", conditions + ["flag(\"name\")"], of: expanded, at: span(range)))
    return nil
  }

  /// Returns the string in a case of an enumeration, such as `.flag("name")`.
  ///
  /// - Returns: The string, or nil if it is invalid, which the function then reports. For another
  ///   expression, the result is nil.
  private func associatedText(
    _ label: String, _ range: Range<Int>, of type: StaticString, _ name: String, _ problems: inout [Problem]
  ) -> String?? {
    guard let bracket = range.first(where: { isMark($0, "(") }), afterBracket(bracket) == range.upperBound,
      member(range.lowerBound..<bracket, of: type) == name
    else { return nil }
    return .some(text(label, (bracket + 1)..<(range.upperBound - 1), &problems))
  }

  /// Returns the value of an argument that must be the name or the type of an implementation.
  ///
  /// For another value, the function adds a problem and returns nil.
  ///
  /// - Parameter own: The name of the exported type, which it cannot replace.
  fileprivate func replaced(
    _ range: Range<Int>, _ own: String, _ problems: inout [Problem]
  ) -> ServiceArguments.Replaced? {
    if let type = ServiceExpression(self, range) {
      // The compiler itself rejects the type that has the attribute. `Checkout::CardPayment` is a
      // name in records with a period.
      return .type(type.name.split(separator: "::").joined(separator: "."), expression: type.expression)
    }
    guard let name = text("replaces", range, &problems) else { return nil }
    if name == own { problems.append(.replacesItself(own, at: span(range))) }
    return .name(name)
  }

  /// Returns the value of an argument that must be a case of an enumeration.
  ///
  /// For another value, the function adds a problem and returns nil.
  func enumCase<Case: RawRepresentable<String> & CaseIterable>(
    _ label: String, _ range: Range<Int>, of type: StaticString, in expanded: String = "attribute",
    _ problems: inout [Problem]
  ) -> Case? {
    if let value = member(range, of: type).flatMap(Case.init(rawValue:)) { return value }
    problems.append(.notACase(label, Case.allCases.map(\.rawValue), of: expanded, at: span(range)))
    return nil
  }

  /// Returns the value of an argument that must be a Boolean literal.
  func boolean(
    _ label: String, _ range: Range<Int>, of expanded: String = "attribute", _ problems: inout [Problem]
  ) -> Bool {
    let isTrue = range.count == 1 && isWord(range.lowerBound, "true")
    if !isTrue, range.count != 1 || !isWord(range.lowerBound, "false") {
      problems.append(.notABoolean(label, of: expanded, at: span(range)))
    }
    return isTrue
  }

  /// Returns the value of an argument that must be an integer literal.
  func integer(
    _ label: String, _ range: Range<Int>, of expanded: String = "attribute", _ problems: inout [Problem]
  ) -> Int64 {
    do {
      return try integer(range)
    } catch .tooLarge {
      problems.append(.integerTooLarge(label, at: span(range)))
    } catch {
      problems.append(.notAnInteger(label, of: expanded, at: span(range)))
    }
    return 0
  }

  /// Returns the value of an argument that must be a string literal that contains a name.
  func text(
    _ label: String, _ range: Range<Int>, of expanded: String = "attribute", canBeEmpty: Bool = false,
    _ problems: inout [Problem]
  ) -> String? {
    do {
      let text = try string(range)
      if text.isEmpty, !canBeEmpty {
        problems.append(.emptyText(label, at: span(range)))
      } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        problems.append(.controlCharacter(label, at: span(range)))
      } else {
        return text
      }
    } catch .interpolation {
      problems.append(.interpolated(label, of: expanded, at: span(range)))
    } catch {
      problems.append(.notAString(label, of: expanded, at: span(range)))
    }
    return nil
  }
}
