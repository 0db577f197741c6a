/// A requirement of the protocols for modules, which have default implementations.
///
/// Because of the defaults, the compiler accepts a module whose method almost matches a
/// requirement, and the manager does not call the method.
struct ModuleRequirement {
  let name: String
  let protocolName: String
  let parameterName: String
  let parameterType: String
  /// The effects of the declaration, with the space before them.
  let effects: String
  var isStatic = false
  var isAsync: Bool { protocolName == "AsyncModule" }

  /// The name with its label.
  var fullName: String { "\(name)(_:)" }

  static let all: [ModuleRequirement] =
    [
      ModuleRequirement(
        name: "subscribe", protocolName: "Module", parameterName: "events", parameterType: "Subscriptions<Self>",
        effects: "", isStatic: true)
    ]
    + ["setUp", "initialize", "didFinishStarting", "tearDown"].map {
      ModuleRequirement(
        name: $0, protocolName: "Module", parameterName: "context", parameterType: "Context", effects: " throws")
    }
    + ["becomeReady", "run", "shutDown"].map {
      ModuleRequirement(
        name: $0, protocolName: "AsyncModule", parameterName: "context", parameterType: "Context",
        effects: " async throws")
    }

  /// Returns a Boolean value that indicates whether a function implements the requirement of a
  /// module.
  ///
  /// - Parameters:
  ///   - module: The full name of the module.
  ///   - aliases: The names of the type aliases in the body of the module.
  func isImplemented(by function: MemberFunction, of module: String, aliases: Set<String>) -> Bool {
    function.name == name && function.labels == ["_"] && function.isStatic == isStatic
      && (isAsync || !function.isAsync) && hasParameter(function) && hasArgument(function, module, aliases)
      && !function.hasResult
  }

  /// Returns a Boolean value that indicates whether a function was probably meant to implement the
  /// requirement.
  func isMeant(by function: MemberFunction) -> Bool {
    // An override is part of another class's interface.
    guard !function.isPrivate, !function.isGeneric, !function.modifiers.contains("override"), function.labels.count <= 1
    else { return false }
    let isSpelledAlike = function.name.lowercased() == name.lowercased()
    // A function without a parameter resembles the requirement only by its name.
    if function.labels.isEmpty { return isSpelledAlike }
    guard hasParameter(function) else { return false }
    return isSpelledAlike || Self.isMisspelled(function.name, name)
  }

  /// Returns a Boolean value that indicates whether a function was probably meant for AsyncModule.
  ///
  /// The header of the function's type names only `Module`. Any type can have a function `run` that
  /// is not asynchronous.
  func isMeantForAsyncModule(by function: MemberFunction) -> Bool {
    isMeant(by: function) && hasParameter(function) && (function.isAsync || name != "run")
  }

  /// Returns the problem of a function that was probably meant to implement the requirement.
  func problem(of function: MemberFunction) -> Problem {
    if function.isAsync, !isAsync, function.labels == ["_"], function.name == name {
      return .asyncFunction(function.fullName, of: fullName, at: function.nameRange)
    }
    let declaration = declaration(for: function)
    return .nearMiss(
      function.fullName, of: fullName, in: protocolName, declaration: (isStatic ? "static " : "") + declaration,
      at: function.nameRange,
      // The result would remain. A function without a parameter can be a helper of an
      // implementation in an extension, which the replacement would repeat.
      fixIt: function.hasResult || function.labels.isEmpty ? nil : replacement(of: function, with: declaration))
  }

  /// Returns the declaration without modifiers, with the name that the body of a function uses.
  private func declaration(for function: MemberFunction) -> String {
    let parameter = function.parameterNames.first { $0 != "_" } ?? parameterName
    return "func \(name)(_ \(parameter): \(parameterType))\(effects)"
  }

  /// Returns the fix-it that replaces a function, whose other modifiers remain.
  private func replacement(of function: MemberFunction, with declaration: String) -> Problem.FixIt {
    if !isStatic, let offset = function.staticOffset {
      return Problem.FixIt(
        message: "replace it with '\(declaration)'", range: offset..<function.range.upperBound,
        text: function.textAfterStatic + declaration)
    }
    let text = (isStatic && !function.isStatic ? "static " : "") + declaration
    return Problem.FixIt(message: "replace it with '\(text)'", range: function.range, text: text)
  }

  /// Returns a Boolean value that indicates whether the parameter has the type that the requirement
  /// has, with any qualification and generic arguments.
  private func hasParameter(_ function: MemberFunction) -> Bool {
    guard let type = function.parameterTypes.first else { return false }
    let plain = type.prefix { $0 != "<" }
    let required = parameterType.prefix { $0 != "<" }
    return plain == required || plain.hasSuffix(".\(required)") || plain.hasSuffix(":\(required)")
  }

  /// Returns a Boolean value that indicates whether the generic argument of the parameter is a
  /// module.
  ///
  /// The source can spell the module as `Self`, with a part of its full name, or with a type alias.
  /// A parameter without a generic argument is an error of the compiler or a type alias.
  private func hasArgument(_ function: MemberFunction, _ module: String, _ aliases: Set<String>) -> Bool {
    guard let type = function.parameterTypes.first, let start = type.firstIndex(of: "<"), type.last == ">" else {
      return true
    }
    let argument = type[type.index(after: start)...].dropLast().split(separator: "::").joined(separator: ".")
    return argument == "Self" || ".\(module)".hasSuffix(".\(argument)")
      || aliases.contains { ".\(argument)".hasSuffix(".\($0)") }
  }

  /// Returns a Boolean value that indicates whether one character distinguishes two words.
  private static func isMisspelled(_ word: String, _ other: String) -> Bool {
    let (a, b) = (Array(word.lowercased().utf8), Array(other.lowercased().utf8))
    guard abs(a.count - b.count) <= 1 else { return false }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let (restA, restB) = (a[start...], b[start...])
    if restA.count == restB.count {
      let isSwapped = restA.count > 1 && restA.prefix(2).elementsEqual(restB.prefix(2).reversed())
      return restA.dropFirst().elementsEqual(restB.dropFirst())
        || (isSwapped && restA.dropFirst(2).elementsEqual(restB.dropFirst(2)))
    }
    return restA.count > restB.count
      ? restA.dropFirst().elementsEqual(restB) : restB.dropFirst().elementsEqual(restA)
  }
}

extension Problem {
  /// Returns a warning for each function in the body of a module that almost matches a requirement.
  ///
  /// A requirement that another function implements causes no warning, because the first function
  /// is then probably an overload. A private function is not meant as an implementation either.
  ///
  /// - Parameter name: The full name of the module.
  static func nearMisses(in module: Source, name: String) -> [Problem] {
    let functions = MemberFunction.all(in: module)
    let aliases = module.typeAliases
    // `Sendable` has no requirements and refines no other protocol.
    let inherited = Set(module.inheritedNames).subtracting(["Sendable"])
    let isAsync = inherited.contains("AsyncModule")
    let names = Set(ModuleRequirement.all.map(\.name))
    var problems: [Problem] = []
    for requirement in ModuleRequirement.all {
      // Another name in the header can be that of a protocol that refines AsyncModule.
      guard isAsync || !requirement.isAsync || inherited == ["Module"] else { continue }
      // An extension can conform to AsyncModule, so an implementation of a phase is no problem.
      guard !functions.contains(where: { requirement.isImplemented(by: $0, of: name, aliases: aliases) }) else {
        continue
      }
      let isMissing = requirement.isAsync && !isAsync
      for function in functions {
        guard isMissing ? requirement.isMeantForAsyncModule(by: function) : requirement.isMeant(by: function) else {
          continue
        }
        // The name of another requirement is not a misspelling.
        if function.name != requirement.name, names.contains(function.name) { continue }
        // A function without a parameter can implement a requirement of another protocol.
        if function.labels.isEmpty, !inherited.isSubset(of: ["Module", "AsyncModule"]) { continue }
        problems.append(
          isMissing
            ? .asyncRequirement(function.fullName, of: requirement.fullName, at: function.nameRange)
            : requirement.problem(of: function))
      }
    }
    return problems
  }
}
