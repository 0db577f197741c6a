func expandNeededProperty(_ use: MacroUse) -> String? {
  let type = NeededType(use)
  if let option = use.next("optional") {
    use.skip(nil)
    let optional = type.isOptional ? "" : ", and write the type as '(\(type.text))?'"
    use.report(
      .invalidProperty,
      "the type of '\(use.declaration.name)' states whether the service is optional; remove 'optional:'\(optional)",
      at: option)
  } else if let argument = use.next() {
    use.report(
      .invalidProperty,
      "'@Service' looks up the type of the property; remove this argument, or write 'named:' before the name of an"
        + " implementation", at: argument)
  }
  // The expansion contains the name as it's spelled in the source.
  let nameTokens = use.peek("named")
  let name = use.text("named")
  let isCached = use.boolean("cached")
  if type.isList, isCached || nameTokens != nil {
    let option = nameTokens == nil ? "cached" : "named"
    use.report(
      .invalidProperty,
      "'\(use.declaration.name)' contains all implementations, and '\(option)' selects one; remove it, or declare"
        + " one service", at: nameTokens)
  }
  if isCached { use.checkStorage() }
  let manager = use.manager()
  let cache = use.announced("__cached_")
  return use.property {
    let function = type.isList ? "__injectedAll" : type.isOptional ? "__injectedIfPresent" : "__injected"
    let argument = nameTokens.map { "named: \(use.source.normalized($0)), " } ?? ""
    let call = "Registry::\(function)(\(manager ?? "")\(argument)\(use.lookupOrigin))"
    return isCached ? "get { \(cache).\(type.isOptional ? "valueIfPresent" : "value") { \(call) } }" : "get { \(call) }"
  } peer: {
    var json = JSONObject()
    json.set("protocol", type.service)
    json.set("name", name)
    json.set("all", type.isList)
    json.set("optional", type.isOptional || type.isList)
    let storage = isCached ? "private let \(cache) = Registry::__ServiceCache<\(type.text)>()\n" : ""
    return storage
      + use.needRecord(
        json, isShared: manager == nil,
        accessor: [
          use.nameLocation.statements("let __service = Registry::__needed((\(type.text)).self)"),
          use.nameLocation.return("Registry::__provideNeed(__service, __out, __type)"),
        ])
  }
}

func expandContributionsProperty(_ use: MacroUse) -> String? {
  let argument = use.next()
  if argument == nil {
    use.report(.missingArgument, "'@Contributions' requires a point; write '\(use.macro.usage)'")
  }
  if let argument, use.source.token(argument.lowerBound)?.kind == .string {
    use.report(
      .missingArgument,
      "'@Contributions' requires a point instead of its identifier; write '\(use.macro.usage)', and declare the point"
        + " in 'extension ContributionPoint<[Dish]>'", at: argument)
  }
  let point = argument.map { use.source.normalized($0) } ?? ""
  let manager = use.manager()
  if use.declaration.keyword == "var", let type = use.writtenType, type.upperBound < use.header.tokens.count {
    use.report(.invalidProperty, use.textAfterType)
  }
  return use.property {
    let call = "Registry::__contributions(\(point), \(manager ?? "")\(use.lookupOrigin))"
    return "get {\n\(use.nameLocation.placing(call, after: "return (", before: ")"))\n}"
  } peer: {
    var json = JSONObject()
    json.set("point", point)
    return use.needRecord(json, isShared: manager == nil, accessor: ["return false"])
  }
}

extension MacroUse {
  /// Returns the expansion for the request's role, or nil or an empty string if there are problems.
  ///
  /// The attribute has two roles: the accessor performs the lookup, and the peer declares a record
  /// of the need and any cache. The compiler expands both, so only the accessor reports problems.
  fileprivate func property(accessor: () -> String, peer: () -> String) -> String? {
    checkObservation()
    let isValid = isValid()
    if request.role == "accessor" { return isValid ? accessor() : nil }
    discardProblems()
    return isValid ? peer() : ""
  }

  /// Returns the manager argument of a lookup, or nil. The argument reads members from `self`,
  /// which is faster than using the key path.
  fileprivate func manager() -> String? {
    guard let tokens = next("in") else { return nil }
    let path = tokens.dropFirst().filter { source.token($0)?.isName == true }.map { source.name(source.tokens[$0]) }
    // The root of the key path can be qualified with enclosing types and the module.
    let types = [module] + context.path
    let roots = [["Self"]] + types.indices.map { Array(types[$0...]) }
    guard source.isMark(tokens.lowerBound, "\\"),
      let root = roots.first(where: { path.starts(with: $0) && path.count > $0.count }),
      let member = tokens.dropFirst(2 * root.count).first(where: { source.isMark($0, ".") })
    else {
      report(
        .notALiteral,
        "'in' must be a key path from the type that has the property, such as '\\\(context.path.last ?? "Self").services'",
        at: tokens)
      return nil
    }
    if isStatic {
      report(
        .invalidProperty,
        "'in' reads the manager from an instance, but '\(declaration.name)' is static; remove 'static', or remove 'in'"
          + " to use 'ServiceManager.shared'", at: tokens)
    }
    // In a key path such as `\Cart.[0].services`, the subscript follows a period.
    let start = source.isMark(member + 1, "[") ? member + 1 : member
    return "in: self\(source.normalized(start..<tokens.upperBound)), "
  }

  /// The lookup arguments that state the property's enclosing type and the attribute's location.
  fileprivate var lookupOrigin: String { "\(JSONObject.quoted(enclosingName)), \(JSONObject.quoted(place))" }

  /// Returns the prefixed name that the macro's declaration announces, in backticks if it's a raw
  /// identifier.
  fileprivate func announced(_ prefix: String) -> String {
    let name = prefix + declaration.name
    return name.unicodeScalars.allSatisfy(\.properties.isXIDContinue) ? name : "`\(name)`"
  }

  private var isStatic: Bool { declaration.modifiers.contains("static") || declaration.modifiers.contains("class") }

  fileprivate func needRecord(_ need: JSONObject, isShared: Bool, accessor: [String]) -> String {
    var json = need
    json.set("property", isShared)
    json.set("own", !isShared)
    json.set("dependent", enclosingName)
    json.set("at", place)
    let name = announced(isStatic ? "__needstatic_" : "__need_")
    return whereDeclared(typeRecord(.need, accessor: accessor, json, name: name, isStatic: true))
  }

  fileprivate var writtenType: Range<Int>? {
    let colon = declaration.keywordIndex + 2
    let (start, count) = (colon + 1, header.tokens.count)
    guard header.isMark(colon, ":"), start < count else { return nil }
    let end = header.outermost(start..<count, isType: true).first { index in
      "={,".contains { header.isMark(index, $0) }
    }
    return start..<(end ?? count)
  }

  fileprivate var textAfterType: String {
    "'\(macro.name)' looks '\(declaration.name)' up, so the property cannot have a value or accessors, and it needs "
      + "a declaration of its own; remove the text after the type"
  }

  fileprivate func checkStorage() {
    let name = declaration.name
    let outer = request.lexicalContext.first.map { Declaration(Source($0.source, isHeader: true)).keyword }
    if isStatic {
      report(
        .invalidProperty,
        "'cached: true' cannot be used for the static property '\(name)', because a test would keep its service for"
          + " all others; remove it, or export the service with 'scope: .shared'")
    } else if let outer, ["extension", "enum"].contains(outer) {
      report(
        .invalidProperty,
        "'cached: true' stores the instance of '\(name)', but \(outer.withArticle) cannot have stored properties;"
          + " remove 'cached', or declare the property in a class, struct, or actor")
    }
  }

  /// Reports a problem if the type is `@Observable` and the property lacks `@ObservationIgnored`.
  ///
  /// `@Observable` adds a getter to each stored instance variable, and a variable can have only one
  /// getter. The compiler accepts `@ObservationIgnored` only after the attribute of this macro.
  private func checkObservation() {
    guard !isStatic, let context = request.lexicalContext.first,
      Source(context.source, isHeader: true).hasAttribute("Observable")
    else { return }
    let names = header.attributes.map(\.name)
    if let ignored = names.lastIndex(of: "ObservationIgnored"),
      names[..<ignored].contains(where: { ["Service", "Contributions"].contains($0) })
    {
      return
    }
    report(
      .observedProperty,
      "'@Observable' adds an accessor to '\(declaration.name)', which '\(macro.name)' already does; write"
        + " '\(source.normalized(source.tokens.indices)) @ObservationIgnored var \(declaration.name)', in this order")
  }
}

private struct NeededType {
  private(set) var (text, service) = ("", "")
  private(set) var isOptional = false
  private(set) var isList = false

  init(_ use: MacroUse) {
    guard use.declaration.keyword == "var", let problem = read(use) else { return }
    use.report(.invalidProperty, problem)
  }

  private mutating func read(_ use: MacroUse) -> String? {
    let (source, name) = (use.header, use.declaration.name)
    guard let written = use.writtenType else {
      return "'@Service' requires a property with a written type, as in '@Service var \(name): any CartService'"
    }
    let (start, end, count) = (written.lowerBound, written.upperBound, source.tokens.count)
    if end < count { return use.textAfterType }
    if source.isMark(end - 1, "!") {
      return "'@Service' looks '\(name)' up at each use, so '!' has no effect; remove it, or write '?' if the service"
        + " can be missing"
    }
    var range = start..<end
    if let element = source.inside("[", range) {
      isList = true
      range = element
    } else if let wrapped = source.wrappedType(range) {
      isOptional = true
      range = wrapped
    }
    if source.isWord(range.lowerBound, "some") {
      return "'@Service' requires a type that the service has; write 'any' instead of 'some' for '\(name)'"
    }
    if isList && (range.isEmpty || source.wrappedType(range) != nil) || source.isCompoundType(range) {
      return "'@Service' looks one service up, so '\(name)' cannot be a dictionary, a tuple, a function, or an "
        + "optional array; write the type of a service, as in 'any CartService', or '[any CartService]' for all implementations"
    }
    text = source.normalized(range)
    service = source.normalized(source.bareType(range), keepBackticks: false)
    return nil
  }
}

extension Source {
  fileprivate func isCompoundType(_ range: Range<Int>) -> Bool {
    outermost(bareType(range), isType: true).contains { index in
      isMark(index, "[") || isMark(index, ",") || isPair(index, "-", ">")
        || isMark(index, ":") && !isPair(index, ":", ":") && !isPair(index - 1, ":", ":")
    }
  }
}
