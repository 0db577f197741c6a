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
  /// Other names that developers give to the function, in lowercase; nil for any name, because only
  /// this requirement has the parameter.
  var synonyms: Set<String>?
  /// The fix for an asynchronous function with the name of this synchronous requirement.
  var asyncHint = ""
  var isAsync: Bool { protocolName == "AsyncModule" }

  /// The name with its label.
  var fullName: String { "\(name)(_:)" }

  static let all: [ModuleRequirement] =
    [
      ModuleRequirement(
        name: "subscribe", protocolName: "Module", parameterName: "events", parameterType: "Subscriptions<Self>",
        effects: "", isStatic: true, asyncHint: "remove 'async'")
    ]
    + [
      ("setUp", "start load launch boot install begin willstart", "becomeReady"),
      ("initialize", "init willsetup", "becomeReady"),
      ("didFinishStarting", "didfinishstart finishstarting didstart started didsetup splash", "becomeReady"),
      ("tearDown", "stop destroy unload cleanup terminate uninstall unmount dispose willstop", "shutDown"),
    ].map { name, synonyms, phase in
      ModuleRequirement(
        name: name, protocolName: "Module", parameterName: "context", parameterType: "Context", effects: " throws",
        synonyms: Set(synonyms.split(separator: " ").map(String.init)),
        asyncHint: "conform to 'AsyncModule' and implement '\(phase)(_:)' for asynchronous work")
    }
    + [
      ("becomeReady", "ready didbecomeready prepare warmup start load launch boot"),
      ("run", "main execute serve loop"),
      ("shutDown", "stop close drain gracefulshutdown willshutdown terminate destroy cleanup"),
    ].map { name, synonyms in
      ModuleRequirement(
        name: name, protocolName: "AsyncModule", parameterName: "context", parameterType: "Context",
        effects: " async throws", synonyms: Set(synonyms.split(separator: " ").map(String.init)))
    }

  /// The names of the events of this package, which developers mistake for phases.
  static let events = Set(
    """
    configurationDidChange continueUserActivity custom didBecomeActive didEnterBackground \
    didFailToContinueUserActivity didFailToRegisterForRemoteNotifications didFinishLaunching \
    didReceiveLocalNotification didReceiveMemoryWarning didReceiveNotificationResponse didReceiveQuitSignal \
    didReceiveRemoteNotification didReceiveUserSignal1 didReceiveUserSignal2 didRegisterForRemoteNotifications \
    didUpdateUserActivity finishInBackground handleBackgroundURLSession moduleDidUnregister modulesDidFinishStarting \
    modulesDidInitialize modulesDidSetUp modulesWillTearDown openLink openURL performQuickAction \
    protectedDataDidBecomeAvailable protectedDataWillBecomeUnavailable sceneDidBecomeActive sceneDidDisconnect \
    sceneDidEnterBackground sceneRestoreState sceneSaveState sceneWasDiscarded sceneWillConnect \
    sceneWillEnterForeground sceneWillResignActive significantTimeDidChange userDidAcceptCloudKitShare \
    willContinueUserActivity willEnterForeground willPresentNotification willResignActive willTerminate
    """.split(separator: " ").map(String.init))

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
  ///
  /// - Parameters:
  ///   - isUnclaimed: A Boolean value that indicates whether the class has no use for the function:
  ///     no other protocol, and no code that names it. Otherwise, a synonym means nothing.
  ///   - isMissing: A Boolean value that indicates whether the function's type lacks the
  ///     conformance to the protocol.
  func isMeant(by function: MemberFunction, isUnclaimed: Bool, isMissing: Bool) -> Bool {
    guard function.canImplement, function.labels.count <= 1 else { return false }
    let isSpelledAlike = function.name.lowercased() == name.lowercased()
    // A function without a parameter resembles the requirement only by its name.
    if function.labels.isEmpty { return isSpelledAlike }
    guard hasParameter(function, isOptional: true) else { return false }
    if isSpelledAlike || Self.isMisspelled(function.name, name) { return true }
    guard isUnclaimed, function.labels == ["_"], !function.hasResult else { return false }
    guard let synonyms else { return true }
    return (isAsync ? function.isAsync || !isMissing : !function.isAsync)
      && function.spellings.contains { $0 == name.lowercased() || synonyms.contains($0) }
  }

  /// Returns the warning about a function that was probably meant to implement the requirement.
  ///
  /// - Parameter isMissing: A Boolean value that indicates whether the function's type lacks the
  ///   conformance to the protocol.
  func warning(about function: MemberFunction, isMissing: Bool) -> Problem {
    let reason: String
    var fixIt: Problem.FixIt?
    if isMissing, function.name == name, function.labels == ["_"], hasParameter(function) {
      // An extension can declare the conformance, which the macro does not see.
      return Self.warning(
        about: function,
        "is called only if the class conforms to 'AsyncModule'; write 'AsyncModule' instead of 'Module' in its"
          + " declaration")
    } else if isMissing {
      reason =
        "only 'AsyncModule' has a requirement '\(fullName)'; conform to 'AsyncModule' instead of 'Module', and declare"
        + " it as 'func \(name)(_ context: Context) async throws'"
    } else if function.isAsync, !isAsync {
      reason =
        "it does not match the requirement '\(fullName)' of 'Module', which is not asynchronous; \(asyncHint)"
    } else {
      // The body of the function uses the name of its parameter.
      let declaration = "func \(name)(_ \(function.parameterName ?? parameterName): \(parameterType))\(effects)"
      reason =
        "it does not match the requirement '\(fullName)' of '\(protocolName)'; did you mean "
        + "'\(isStatic ? "static " : "")\(declaration)'?"
      // The replacement keeps a result. It would repeat an implementation in an extension if the
      // function is a helper without parameters.
      if !function.hasResult, !function.labels.isEmpty { fixIt = replacement(of: function, with: declaration) }
    }
    var problem = Self.warning(about: function, "is not called by the manager, because \(reason)")
    problem.fixIt = fixIt
    return problem
  }

  /// Returns the warning about a function that has the name of an event, or nil.
  private static func warning(aboutEvent function: MemberFunction) -> Problem? {
    guard function.canImplement, !function.isStatic,
      function.labels.count <= 2, function.labels.allSatisfy({ $0 == "_" }),
      function.lastParameterType.map({ isType($0, "Context") }) == true,
      let event = events.first(where: { function.spellings.contains($0.lowercased()) })
    else { return nil }
    return warning(
      about: function,
      "is not called by the manager, because '\(event)' is an event and not a phase; handle it in 'static func"
        + " subscribe(_ events: Subscriptions<Self>)', with 'events.on(.\(event)) { … }'")
  }

  private static func warning(about function: MemberFunction, _ text: String) -> Problem {
    var problem = Problem(.nearMiss, "'\(function.fullName)' \(text)")
    problem.severity = .warning
    problem.range = function.nameRange
    return problem
  }

  /// Returns the fix-it that replaces a function, whose other modifiers remain.
  private func replacement(of function: MemberFunction, with declaration: String) -> Problem.FixIt {
    let text = (isStatic && !function.isStatic ? "static " : "") + declaration
    let (start, kept) = (isStatic ? nil : function.staticModifier) ?? (function.range.lowerBound, "")
    return Problem.FixIt(
      message: "replace it with '\(text)'", range: start..<function.range.upperBound, text: kept + text)
  }

  /// Returns a Boolean value that indicates whether the parameter has the type that the requirement
  /// has, with any qualification and generic arguments.
  ///
  /// - Parameter isOptional: A Boolean value that indicates whether an optional counts too.
  private func hasParameter(_ function: MemberFunction, isOptional: Bool = false) -> Bool {
    guard var type = function.parameterType else { return false }
    if isOptional, type.last == "?" || type.last == "!" { type.removeLast() }
    return Self.isType(type, parameterType)
  }

  /// Returns a Boolean value that indicates whether a type has a name, with any qualification and
  /// generic arguments.
  private static func isType(_ type: String, _ name: String) -> Bool {
    let plain = type.prefix { $0 != "<" }
    let required = name.prefix { $0 != "<" }
    return plain == required || plain.hasSuffix(".\(required)") || plain.hasSuffix(":\(required)")
  }

  /// Returns a Boolean value that indicates whether the generic argument of the parameter is a
  /// module.
  ///
  /// The source can spell the module as `Self`, with a part of its full name, or with a type alias.
  /// A parameter without a generic argument is an error of the compiler or a type alias.
  private func hasArgument(_ function: MemberFunction, _ module: String, _ aliases: Set<String>) -> Bool {
    guard let type = function.parameterType, let start = type.firstIndex(of: "<"), type.last == ">" else {
      return true
    }
    let argument = type[type.index(after: start)...].dropLast().split(separator: "::").joined(separator: ".")
    return argument == "Self" || ".\(module)".hasSuffix(".\(argument)")
      || aliases.contains { ".\(argument)".hasSuffix(".\($0)") }
  }

  /// Returns a Boolean value that indicates whether one character distinguishes two words.
  private static func isMisspelled(_ word: String, _ other: String) -> Bool {
    let (a, b) = (Array(word.lowercased().utf8), Array(other.lowercased().utf8))
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a[start...].reversed(), b[start...].reversed()).prefix { $0 == $1 }.count
    let (restA, restB) = (a[start...].dropLast(end), b[start...].dropLast(end))
    return max(restA.count, restB.count) <= 1 || restA.count == 2 && restA.elementsEqual(restB.reversed())
  }

  /// Returns a warning for each function in the body of a module that almost matches a requirement.
  ///
  /// A requirement that another function implements causes no warning, because the first function
  /// is then probably an overload. A private function is not meant as an implementation either.
  ///
  /// - Parameter use: The attribute of the module.
  static func nearMisses(in use: MacroUse) -> [Problem] {
    let module = Source(use.request.declaration?.source ?? "", regex: use.configuration.hasBareSlashRegex)
    // The header ends with the opening brace of the body.
    let functions = MemberFunction.all(in: module, body: module.insideBracket(use.header.tokens.count - 1))
    let aliases = module.typeAliases
    // `Sendable` has no requirements and refines no other protocol. The inheritance clause follows
    // the keyword and the name.
    let inherited = Set(use.header.inheritedNames(at: use.declaration.keywordIndex + 2)).subtracting(["Sendable"])
    let conformsToAsync = inherited.contains("AsyncModule")
    let names = Set(all.map(\.name))
    let isPlain = inherited.isSubset(of: ["Module", "AsyncModule"])
    let uses = module.tokens.reduce(into: [String: Int]()) { $0[module.name($1), default: 0] += 1 }
    // Another protocol can require a function, and a helper is used elsewhere in the class.
    func isUnclaimed(_ function: MemberFunction) -> Bool { isPlain && uses[function.name, default: 0] == 1 }
    var problems: [Problem] = []
    for function in functions {
      let meant = all.first { requirement in
        let isMissing = requirement.isAsync && !conformsToAsync
        // Another name in the header can name a protocol that refines AsyncModule.
        return (!isMissing || inherited == ["Module"])
          && (isMissing
            || !functions.contains { requirement.isImplemented(by: $0, of: use.qualifiedName, aliases: aliases) })
          && requirement.isMeant(by: function, isUnclaimed: isUnclaimed(function), isMissing: isMissing)
          // Any type can have a function `run` that is not asynchronous.
          && (!isMissing || !function.labels.isEmpty && (function.isAsync || requirement.name != "run"))
          // The name of another requirement is not a misspelling.
          && (function.name == requirement.name || !names.contains(function.name))
          // A function without a parameter can implement a requirement of another protocol.
          && (!function.labels.isEmpty || isPlain)
      }
      if let meant {
        problems.append(meant.warning(about: function, isMissing: meant.isAsync && !conformsToAsync))
      } else if isUnclaimed(function), let problem = warning(aboutEvent: function) {
        problems.append(problem)
      }
    }
    return problems
  }
}
