/// A module protocol's requirement that has a default implementation.
///
/// Because of the defaults, the compiler accepts a module whose member almost matches a
/// requirement, but the manager doesn't use the member.
struct ModuleRequirement {
  let name: String
  var isAsync = false
  /// The name of the parameter; nil for a property.
  var parameterName: String? = "context"
  var type = "Context"
  var isStatic = false
  /// Other lowercase names that developers give the function. For a function, nil means that any
  /// name counts, because no other requirement has a parameter of this type.
  var synonyms: Set<String>?
  /// The fix for an asynchronous function that was meant to implement this synchronous requirement.
  var asyncHint = ""
  /// A Boolean value that indicates whether the requirement belongs to `AsyncModule`, which the
  /// class lacks.
  var isMissing = false
  var protocolName: String { isAsync ? "AsyncModule" : "Module" }
  var isProperty: Bool { parameterName == nil }
  /// The effects of the declaration with a leading space, such as ` throws`, or an empty string.
  var effects: String { isStatic ? "" : isAsync ? " async throws" : " throws" }

  var fullName: String { isProperty ? name : "\(name)(_:)" }

  /// Returns the requirements for a module.
  ///
  /// - Parameters:
  ///   - module: The name of the module as spelled in the declaration.
  ///   - isAsync: A Boolean value that indicates whether the module names `AsyncModule`.
  private static func all(_ module: String, isAsync: Bool) -> [ModuleRequirement] {
    let phases: [(String, String, String?)] = [
      ("setUp", "start load launch boot install begin willstart", "becomeReady"),
      ("initialize", "init willsetup", "becomeReady"),
      ("didFinishStarting", "didfinishstart finishstarting didstart started didsetup splash", "becomeReady"),
      ("tearDown", "stop destroy unload cleanup terminate uninstall unmount dispose willstop", "shutDown"),
      ("becomeReady", "ready didbecomeready prepare warmup start load launch boot", nil),
      ("run", "main execute serve loop", nil),
      ("shutDown", "stop close drain gracefulshutdown willshutdown terminate destroy cleanup", nil),
    ]
    let functions = phases.map { name, synonyms, phase in
      ModuleRequirement(
        name: name, isAsync: phase == nil, synonyms: Set(synonyms.split(separator: " ").map(String.init)),
        asyncHint: "conform to 'AsyncModule' and implement '\(phase ?? "")(_:)' for asynchronous work",
        isMissing: phase == nil && !isAsync)
    }
    let settings = ["failureTerminationBehavior", "successTerminationBehavior"].map { name in
      ModuleRequirement(
        name: name, isAsync: true, parameterName: nil, type: "RunTermination", isStatic: true, isMissing: !isAsync)
    }
    let subscribe = ModuleRequirement(
      name: "subscribe", parameterName: "events", type: "Subscriptions<\(module)>", isStatic: true,
      asyncHint: "remove 'async'")
    return [subscribe] + functions + settings
  }

  /// The types in this package that developers expect a phase to receive.
  private static let types: Set<Substring> = [
    "Context", "ContextValues", "ModuleManager", "Router", "ServiceManager", "Subscriptions",
  ]

  /// The names of this package's events, which developers mistake for phases.
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

  func isImplemented(by member: Member, of module: String, aliases: Set<String>) -> Bool {
    member.name == name && member.isProperty == isProperty && member.isStatic == isStatic
      && (isProperty
        ? member.types.isEmpty || hasType(member)
        : member.labels == ["_"] && member.effects.allSatisfy { effects.contains($0) } && hasType(member)
          && hasArgument(member, module, aliases) && !member.hasResult)
  }

  /// Returns whether a member was probably meant to implement the requirement.
  ///
  /// - Parameter isUnclaimed: A Boolean value that indicates whether the member seems to have no
  ///   other purpose, such as a requirement of another protocol. If it has one, a synonym doesn't
  ///   count.
  func isMeant(by member: Member, isUnclaimed: Bool) -> Bool {
    guard member.canImplement, member.isProperty == isProperty else { return false }
    let isSpelledAlike = member.name.lowercased() == name.lowercased()
    let isSimilar = isSpelledAlike || Self.isMisspelled(member.name, name)
    // A property of another type can serve a different library. A property that has the
    // requirement's name and that the class uses can help a static implementation in an extension.
    if isProperty {
      return isSimilar && (member.types.isEmpty || hasType(member)) && (isUnclaimed || member.name != name)
    }
    // A function without parameters can resemble the requirement only by name.
    if member.labels.isEmpty { return isSpelledAlike }
    guard member.labels.count == 1, hasType(member, isExact: false) else {
      // A function with labels doesn't count, because it can help an implementation in an
      // extension.
      return isSpelledAlike && isUnclaimed && !isMissing && member.labels.allSatisfy { $0 == "_" }
        && (member.labels.count == 1 || hasType(member, isExact: false))
        && Self.types.isSuperset(of: member.types.map(Self.baseName))
    }
    if isSimilar { return true }
    guard isUnclaimed, member.labels == ["_"], !member.hasResult else { return false }
    guard let synonyms else { return true }
    let isAsynchronous = member.effects.contains("async")
    return (isAsync ? isAsynchronous || !isMissing : !isAsynchronous)
      && member.spellings.contains { $0 == name.lowercased() || synonyms.contains($0) }
  }

  func warning(about member: Member) -> Problem {
    let isOfType = hasType(member, isExact: false)
    // Keep the parameter's name, because the function's body uses it.
    let declaration =
      parameterName.map { parameter in
        "func \(name)(_ \(isOfType ? member.parameterName ?? parameter : parameter): \(type))\(effects)"
      } ?? "\(member.isProperty ? member.keyword : "var") \(name): \(type)"
    let suggestion = "\(isStatic ? "static " : "")\(declaration)"
    let use = isProperty ? "read" : "called"
    let reason: String
    var fixIt: Problem.FixIt?
    if isMissing, member.name == name, isProperty ? member.isStatic : member.labels == ["_"] && hasType(member) {
      // The macro doesn't see extensions, which can declare the conformance.
      return Self.warning(
        about: member,
        "is \(use) only if the class conforms to 'AsyncModule'; write 'AsyncModule' instead of 'Module' in its"
          + " declaration")
    } else if isMissing {
      reason =
        "only 'AsyncModule' has a requirement '\(fullName)'; conform to 'AsyncModule' instead of 'Module', and declare"
        + " it as '\(suggestion)'"
    } else if member.effects.contains("async"), !isAsync {
      reason =
        "it does not match the requirement '\(fullName)' of 'Module', which is not asynchronous; \(asyncHint)"
    } else {
      reason =
        "it does not match the requirement '\(fullName)' of '\(protocolName)'; did you mean '\(suggestion)'?"
      // Don't replace a function that has a result or other parameters, because its body uses them,
      // or a default value, because its callers use it.
      // A function without parameters can help an implementation in an extension, and replacing the
      // function would duplicate that implementation.
      if isProperty || isOfType && member.labels.count == 1 && !member.hasResult && !member.hasDefault {
        fixIt = replacement(of: member, with: declaration)
      }
    }
    var problem = Self.warning(about: member, "is not \(use) by the manager, because \(reason)")
    problem.fixIt = fixIt
    return problem
  }

  private static func warning(aboutEvent function: Member, of module: String) -> Problem? {
    guard function.canImplement, !function.isStatic,
      function.labels.count <= 2, function.labels.allSatisfy({ $0 == "_" }),
      function.types.last.map(baseName) == "Context", !function.isProperty,
      let event = events.first(where: { function.spellings.contains($0.lowercased()) })
    else { return nil }
    return warning(
      about: function,
      "is not called by the manager, because '\(event)' is an event and not a phase; handle it in 'static func"
        + " subscribe(_ events: Subscriptions<\(module)>)', with 'events.on(.\(event)) { … }'")
  }

  private static func warning(about member: Member, _ text: String) -> Problem {
    var problem = Problem(.nearMiss, "'\(member.fullName)' \(text)")
    problem.severity = .warning
    problem.range = member.nameRange
    return problem
  }

  /// Returns a fix-it that replaces a member and keeps its modifiers, except an incorrect `static`.
  private func replacement(of member: Member, with declaration: String) -> Problem.FixIt {
    let text = (isStatic && !member.isStatic ? "static " : "") + declaration
    let (start, kept) = (isStatic ? nil : member.staticModifier) ?? (member.range.lowerBound, "")
    return Problem.FixIt(
      message: "replace it with '\(text)'", range: start..<member.range.upperBound, text: kept + text)
  }

  /// Returns whether the first parameter or the property has the requirement's type.
  ///
  /// - Parameter isExact: A Boolean value that indicates whether to reject optional, `inout`, and
  ///   variadic parameters.
  private func hasType(_ member: Member, isExact: Bool = true) -> Bool {
    guard let type = member.types.first, Self.baseName(type) == Self.baseName(self.type) else { return false }
    return !isExact || !type.hasPrefix("inout ") && !"?!.".contains(type.last ?? ".")
  }

  /// Returns the unqualified name of a type without keywords, generic arguments, or punctuation.
  private static func baseName(_ type: String) -> Substring {
    if type.contains("->") { return "" }
    return type.prefix { !"<?!".contains($0) }.split { " .:".contains($0) }.last ?? ""
  }

  /// Returns whether the parameter's generic argument is the module.
  ///
  /// The source can spell the module as `Self`, with all or part of its full name, or as a type
  /// alias. A type without generic arguments counts: it's `Context`, a type alias, or invalid.
  private func hasArgument(_ function: Member, _ module: String, _ aliases: Set<String>) -> Bool {
    guard let type = function.types.first, let start = type.firstIndex(of: "<"), type.last == ">" else {
      return true
    }
    let argument = type[type.index(after: start)...].dropLast().split(separator: "::").joined(separator: ".")
    return argument == "Self" || ".\(module)".hasSuffix(".\(argument)")
      || aliases.contains { ".\(argument)".hasSuffix(".\($0)") }
  }

  private static func isMisspelled(_ word: String, _ other: String) -> Bool {
    let (a, b) = (Array(word.lowercased().utf8), Array(other.lowercased().utf8))
    let start = zip(a, b).prefix { $0 == $1 }.count
    let end = zip(a[start...].reversed(), b[start...].reversed()).prefix { $0 == $1 }.count
    let (restA, restB) = (a[start...].dropLast(end), b[start...].dropLast(end))
    return max(restA.count, restB.count) <= 1 || restA.count == 2 && restA.elementsEqual(restB.reversed())
  }

  /// Returns a statement that makes the compiler warn if a phase's `Context` isn't Lifecycle's
  /// type.
  ///
  /// Returns nil if no phase has a parameter of type `Context`, or if the source doesn't show which
  /// `Context` that is. The statement is outside the class, so it qualifies a nested type's name.
  static func contextCheck(in use: MacroUse) -> String? {
    let (module, members, inherited) = (use.wholeDeclaration, use.members, use.supertypes)
    let own = members.first { $0.name == "Context" && !$0.isProperty && $0.keyword != "func" }
    // A different supertype can have its own `Context`, or require the function.
    guard inherited.isSubset(of: ["Module", "AsyncModule"]), own?.keyword != "typealias" else { return nil }
    let all = all(use.declaration.spelling, isAsync: inherited.contains("AsyncModule"))
    let phases = all.lazy.filter { $0.type == "Context" && !$0.isMissing }.compactMap { requirement in
      let found = members.filter {
        $0.canImplement && requirement.isImplemented(by: $0, of: use.qualifiedName, aliases: [])
      }
      // If there are two overloads, one of them is probably the implementation.
      return found.count == 1 && found[0].types == ["Context"] ? found[0] : nil
    }
    guard let phase = phases.min(by: { $0.nameRange.lowerBound < $1.nameRange.lowerBound }) else { return nil }
    if let own, module.isConditional(own.index) { return nil }
    let owner = own == nil ? "" : "\(use.declaration.spelling)."
    return UserLocation(of: phase.nameRange.lowerBound, in: module, at: use.request.declaration?.location).placing(
      "Lifecycle::__checkContext(__context)", after: "func __checkPhase(_ __context: \(owner)Context) {", before: "}")
  }

  /// Returns a warning for each member that almost matches a requirement or is named like an event.
  ///
  /// There's no warning if another member implements the requirement, because the similar member is
  /// probably an overload. Private members get no warning either.
  static func nearMisses(in use: MacroUse) -> [Problem] {
    let (module, members, inherited) = (use.wholeDeclaration, use.members, use.supertypes)
    // A parameter's type can also be an alias in a nested type.
    let aliases = Set(
      module.tokens.indices.dropFirst().filter { module.isWord($0 - 1, "typealias") }
        .map { module.name(module.tokens[$0]) })
    let all = all(use.declaration.spelling, isAsync: inherited.contains("AsyncModule"))
    let names = Set(all.map(\.name))
    let isPlain = inherited.isSubset(of: ["Module", "AsyncModule"])
    let uses = module.tokens.reduce(into: [String: Int]()) { $0[module.name($1), default: 0] += 1 }
    // Another protocol can require a function, and the class can use a helper elsewhere.
    func isUnclaimed(_ member: Member) -> Bool {
      (isPlain || member.isProperty) && uses[member.name, default: 0] == 1
    }
    let candidates = all.filter { requirement in
      // Any other name in the header can be a protocol that refines AsyncModule.
      if requirement.isMissing { return inherited == ["Module"] }
      return !members.contains { requirement.isImplemented(by: $0, of: use.qualifiedName, aliases: aliases) }
    }
    // The properties' types; empty for an array. Without a type, a level can be another one, such
    // as a log level.
    let settings = ["after": "", "level": "ModuleLevel", "priority": "Int"]
    var problems: [Problem] = []
    for member in members {
      let meant = candidates.first { requirement in
        requirement.isMeant(by: member, isUnclaimed: isUnclaimed(member))
          // Any type can have a synchronous function `run`.
          && (!requirement.isMissing || member.isProperty
            || !member.labels.isEmpty && (member.effects.contains("async") || requirement.name != "run"))
          // The name of another requirement isn't a misspelling.
          && (member.name == requirement.name || !names.contains(member.name))
          // A member without a parameter can implement another protocol's requirement.
          && (!member.labels.isEmpty || isPlain)
      }
      if let meant {
        problems.append(meant.warning(about: member))
      } else if isUnclaimed(member), let problem = warning(aboutEvent: member, of: use.declaration.spelling) {
        problems.append(problem)
      } else if isPlain, isUnclaimed(member), member.isProperty, member.isStatic, member.canImplement,
        let type = settings[member.name], member.types == [type] || member.types.isEmpty && type != "ModuleLevel"
      {
        problems.append(
          warning(
            about: member, "is not read by the manager; pass it to the attribute: '@ExportModule(\(member.name): …)'"))
      }
    }
    return problems
  }
}

extension MacroUse {
  /// The names in the inheritance clause, which follows the keyword and the name. `Sendable` is
  /// omitted, because it has no requirements and refines no protocol.
  fileprivate var supertypes: Set<String> {
    Set(header.inheritedNames(at: declaration.keywordIndex + 2)).subtracting(["Sendable"])
  }
}
