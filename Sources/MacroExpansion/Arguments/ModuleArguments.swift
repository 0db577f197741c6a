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
  var priority: Int64 = 0
  var after: [String] = []

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
      case "priority":
        priority = source.integer("priority", argument.tokens, &problems)
      case "after":
        after = Self.names(source, argument.tokens, name, &problems)
      case let label:
        problems.append(.unknownArgument(label ?? "", at: range))
      }
    }
  }

  /// Returns the names in an array literal.
  private static func names(
    _ source: Source, _ range: Range<Int>, _ own: String, _ problems: inout [Problem]
  ) -> [String] {
    guard range.count >= 2, source.isMark(range.lowerBound, "["),
      source.afterBracket(range.lowerBound) == range.upperBound
    else {
      problems.append(.notAnArray("after", at: source.span(range)))
      return []
    }
    var names: [String] = []
    var seen: Set<String> = []
    for element in source.split((range.lowerBound + 1)..<(range.upperBound - 1)) {
      guard let name = source.text("after", element, &problems) else { continue }
      if name == own {
        problems.append(.afterItself(name, at: source.span(element)))
      } else if !seen.insert(name).inserted {
        problems.append(.duplicate("after", name, at: source.span(element)))
      } else {
        names.append(name)
      }
    }
    return names
  }
}
