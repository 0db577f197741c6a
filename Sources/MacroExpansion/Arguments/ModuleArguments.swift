/// The arguments of the attribute that exports a module.
struct ModuleArguments: Equatable {
  enum Level: String, CaseIterable {
    case basic, normal
  }

  enum Activation: String, CaseIterable {
    case atLaunch, onFirstEvent
  }

  enum Initialization: String, CaseIterable {
    case inStart, inNextTurn
  }

  var level = Level.normal
  var activation = Activation.atLaunch
  var initialization = Initialization.inStart
  var replaysMissedPhases = false
  var afterNeeds = false
  var priority: Int64 = 0
  /// The names of modules, as in their records.
  var after: [String] = []
  /// The types of modules, as they appear in the source.
  var afterTypes: [String] = []
  /// The array literal of types as it appears in the source.
  var afterExpression = ""

  /// Reads the arguments.
  ///
  /// - Parameter name: The module's own name, which `after` must not contain.
  init(_ source: Source, name: String, _ problems: inout [Problem]) {
    for argument in source.attributeArguments() {
      let range = source.span(argument.tokens)
      switch argument.label {
      case "level":
        level = source.enumCase("level", argument.tokens, of: "ModuleLevel", &problems) ?? level
      case "activation":
        activation = source.enumCase("activation", argument.tokens, of: "ModuleActivation", &problems) ?? activation
      case "initialization":
        initialization =
          source.enumCase("initialization", argument.tokens, of: "ModuleInitialization", &problems) ?? initialization
      case "replaysMissedPhases":
        replaysMissedPhases = source.boolean("replaysMissedPhases", argument.tokens, &problems)
      case "afterNeeds":
        afterNeeds = source.boolean("afterNeeds", argument.tokens, &problems)
      case "priority":
        priority = source.integer("priority", argument.tokens, &problems)
      case "after":
        readAfter(source, argument.tokens, name, &problems)
      case let label:
        problems.append(.unknownArgument(label ?? "", at: range))
      }
    }
  }

  /// Reads an array literal of names or of types, such as `[AccountModule.self]`.
  private mutating func readAfter(
    _ source: Source, _ range: Range<Int>, _ own: String, _ problems: inout [Problem]
  ) {
    guard range.count >= 2, source.isMark(range.lowerBound, "["),
      source.afterBracket(range.lowerBound) == range.upperBound
    else {
      problems.append(.notAnArray("after", at: source.span(range)))
      return
    }
    afterExpression = source.normalized(range, keepBackticks: true)
    var seen: Set<String> = []
    for element in source.split((range.lowerBound + 1)..<(range.upperBound - 1)) {
      let type = Self.typeName(source, element)
      guard let name = type ?? source.text("after", element, &problems) else { continue }
      if name == own || type != nil && own.hasSuffix(".\(name)") && !name.contains(".") {
        problems.append(.afterItself(name, at: source.span(element)))
      } else if !seen.insert(name).inserted {
        problems.append(.duplicate("after", name, at: source.span(element)))
      } else if type == nil {
        after.append(name)
      } else {
        afterTypes.append(name)
      }
    }
  }

  /// Returns the type in an expression such as `Account.AccountModule.self`, or nil.
  private static func typeName(_ source: Source, _ element: Range<Int>) -> String? {
    guard element.count > 2, source.isMark(element.upperBound - 2, "."), source.isWord(element.upperBound - 1, "self")
    else { return nil }
    var type = element.lowerBound..<(element.upperBound - 2)
    while source.isMark(type.lowerBound, "("), source.afterBracket(type.lowerBound) == type.upperBound {
      type = (type.lowerBound + 1)..<(type.upperBound - 1)
    }
    // `Account::AccountModule` is a name in records with a period.
    return source.normalized(type, keepBackticks: false).split(separator: "::").joined(separator: ".")
  }
}
