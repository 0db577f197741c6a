/// A requirement of the protocols for modules, which have default implementations.
///
/// Because of the defaults, the compiler accepts a module whose method almost matches a
/// requirement, and the manager does not call the method.
struct ModuleRequirement {
  let name: String
  let protocolName: String
  /// The declaration after its modifiers.
  let declaration: String
  let parameterType: String
  var isStatic = false
  var isAsync: Bool { protocolName == "AsyncModule" }

  /// The name with its label.
  var fullName: String { "\(name)(_:)" }

  static let all: [ModuleRequirement] =
    [
      ModuleRequirement(
        name: "subscribe", protocolName: "Module", declaration: "func subscribe(_ events: Subscriptions<Self>)",
        parameterType: "Subscriptions", isStatic: true)
    ]
    + ["setUp", "initialize", "didFinishStarting", "tearDown"].map {
      ModuleRequirement(
        name: $0, protocolName: "Module", declaration: "func \($0)(_ context: Context) throws", parameterType: "Context"
      )
    }
    + ["becomeReady", "run", "shutDown"].map {
      ModuleRequirement(
        name: $0, protocolName: "AsyncModule", declaration: "func \($0)(_ context: Context) async throws",
        parameterType: "Context")
    }

  /// Returns a Boolean value that indicates whether a function implements the requirement.
  func isImplemented(by function: MemberFunction) -> Bool {
    function.name == name && function.labels == ["_"] && function.isStatic == isStatic
      && (isAsync || !function.isAsync) && hasParameter(function) && !function.hasResult
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

  /// Returns a Boolean value that indicates whether a function was probably meant to implement the
  /// requirement of `AsyncModule`, although its type conforms only to `Module`.
  ///
  /// Any type can have a function `run` that is not asynchronous.
  func isMeantForAsyncModule(by function: MemberFunction) -> Bool {
    isMeant(by: function) && hasParameter(function) && (function.isAsync || name != "run")
  }

  /// Returns the problem of a function that was probably meant to implement the requirement.
  func problem(of function: MemberFunction) -> Problem {
    if function.isAsync, !isAsync, function.labels == ["_"], function.name == name {
      return .asyncFunction(function.fullName, of: fullName, at: function.nameRange)
    }
    // The modifiers before the keyword stay, and may already contain `static`.
    let text = (isStatic && !function.isStatic ? "static " : "") + declaration
    return .nearMiss(
      function.fullName, of: fullName, in: protocolName, declaration: (isStatic ? "static " : "") + declaration,
      at: function.nameRange,
      // The result would remain.
      fixIt: function.hasResult
        ? nil : Problem.FixIt(message: "replace it with '\(text)'", range: function.range, text: text))
  }

  /// Returns a Boolean value that indicates whether the parameter has the type that the requirement
  /// has, with any qualification and generic arguments.
  private func hasParameter(_ function: MemberFunction) -> Bool {
    guard let type = function.parameterTypes.first else { return false }
    let plain = type.prefix { $0 != "<" }
    return plain == parameterType || plain.hasSuffix(".\(parameterType)") || plain.hasSuffix(":\(parameterType)")
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
  static func nearMisses(in module: Source) -> [Problem] {
    let functions = MemberFunction.all(in: module)
    let isAsync = module.inherits("AsyncModule")
    let names = Set(ModuleRequirement.all.map(\.name))
    var problems: [Problem] = []
    for requirement in ModuleRequirement.all where isAsync || !requirement.isAsync {
      guard !functions.contains(where: requirement.isImplemented) else { continue }
      for function in functions where requirement.isMeant(by: function) {
        // The name of another requirement is not a misspelling.
        if function.name != requirement.name, names.contains(function.name) { continue }
        problems.append(requirement.problem(of: function))
      }
    }
    // Another protocol in the header can refine AsyncModule, so only Module itself is certain.
    guard !isAsync, module.inherits("Module") else { return problems }
    for requirement in ModuleRequirement.all where requirement.isAsync {
      for function in functions where requirement.isMeantForAsyncModule(by: function) {
        if function.name != requirement.name, names.contains(function.name) { continue }
        problems.append(.asyncRequirement(function.fullName, of: requirement.fullName, at: function.nameRange))
      }
    }
    return problems
  }
}
