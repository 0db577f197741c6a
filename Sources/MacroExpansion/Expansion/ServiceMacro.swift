/// Expands the attribute of a property that holds a service or all its implementations, or returns
/// nil and adds problems.
///
/// The attribute has two roles. The accessor looks the service up, and the peer is the record of
/// the need. The compiler expands both, so only the accessor reports problems.
func expandNeededProperty(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  var found: [Problem] = []
  var property = NeededProperty(request, attribute, .service, configuration, &found)
  property.readType(request, configuration, &found)
  let arguments = NeededPropertyArguments(attribute, &found)
  if property.isList, arguments.isCached || arguments.nameRange != nil {
    found.append(.namedList(property.name, at: arguments.nameRange))
  }
  if arguments.isCached { property.checkStorage(request, &found) }
  property.checkObservation(request, &found)
  guard request.macroRole == "accessor" else { return found.isEmpty ? property.peers(arguments) : "" }
  problems += found
  return found.isEmpty ? property.accessor(arguments) : nil
}

/// Expands the attribute of a property that holds the contributions to a point, or returns nil and
/// adds problems.
func expandContributionsProperty(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  var found: [Problem] = []
  let property = NeededProperty(request, attribute, .contributions, configuration, &found)
  property.checkObservation(request, &found)
  // The compiler has checked that there is one argument.
  let point = attribute.attributeArguments().first.map { attribute.normalized($0.tokens, keepBackticks: true) } ?? ""
  guard request.macroRole == "accessor" else { return found.isEmpty ? property.peer(of: point) : "" }
  problems += found
  return found.isEmpty ? property.getter(of: point) : nil
}

extension NeededProperty {
  /// Returns the getter of a property that holds the contributions to a point.
  fileprivate func getter(of point: String) -> String {
    let call = "Registry::__contributions(\(point), \(JSONObject.quoted(dependent)), \(JSONObject.quoted(location)))"
    return "get {\n\(nameLocation.placing(call, after: "return ("  , before: ")"))\n}"
  }

  /// Returns the record that code reads a point.
  fileprivate func peer(of point: String) -> String {
    var json = JSONObject()
    json.set("point", point)
    return record(of: json, accessor: ["return false"])
  }

  /// Returns the getter of the property.
  fileprivate func accessor(_ arguments: NeededPropertyArguments) -> String {
    let name = arguments.nameText.map { "named: \($0), " } ?? ""
    let function = isList ? "__injectedAll" : isOptional ? "__injectedIfPresent" : "__injected"
    // The arguments after the name are literals without characters that need an escape.
    let call = "Registry::\(function)(\(name)\(JSONObject.quoted(dependent)), \(JSONObject.quoted(location)))"
    let method = isOptional ? "valueIfPresent" : "value"
    return arguments.isCached ? "get { \(cache).\(method) { \(call) } }" : "get { \(call) }"
  }

  /// Returns the record of the need, and the storage of a cached service.
  fileprivate func peers(_ arguments: NeededPropertyArguments) -> String {
    var json = JSONObject()
    json.set("protocol", service)
    if let name = arguments.name { json.set("name", name) }
    if isOptional || isList { json.set("optional", true) }
    let text = record(
      of: json,
      accessor: [
        nameLocation.statements("let __service = Registry::__needed((\(type)).self)"),
        nameLocation.return("Registry::__provideNeed(__service, __out, __type)"),
      ])
    guard arguments.isCached else { return text }
    return "private let \(cache) = Registry::__ServiceCache<\(type)>()\n" + text
  }

  /// Returns the record of a need.
  private func record(of need: JSONObject, accessor: [String]) -> String {
    var json = need
    json.set("property", true)
    json.set("dependent", dependent)
    json.set("at", location)
    let record = Record(
      kind: Record.need, machOSection: "__DATA,__reg_exports", accessor: accessor, json: json.text, isStatic: true,
      name: announced(isStatic ? "__needstatic_" : "__need_"), attributes: availability)
    return absence.excluded(from: record.text)
  }

  private var cache: String { announced("__cached_") }

  /// Adds a problem if the property's type cannot have a stored property here.
  fileprivate func checkStorage(_ request: HostMessage.AttachedMacro, _ problems: inout [Problem]) {
    if isStatic { return problems.append(.cachedStatic(name)) }
    guard let context = request.lexicalContext?.first else { return }
    let outer = Declaration(Source(header: context.source))
    if ["extension", "enum"].contains(outer.keyword) { problems.append(.cachedWithoutStorage(name, outer.keyword)) }
  }

  /// Adds a problem if the type is observable and the property is not ignored.
  ///
  /// `@Observable` adds an accessor to each variable of the type, and a variable can have only one.
  /// The compiler accepts `@ObservationIgnored` only after the attribute that adds the getter.
  fileprivate func checkObservation(_ request: HostMessage.AttachedMacro, _ problems: inout [Problem]) {
    guard !isStatic, let context = request.lexicalContext?.first,
      !Source(header: context.source).attributes(named: "Observable").isEmpty,
      !["Service", "Contributions"].contains(where: {
        Source(header: request.declSyntax.source).follows("ObservationIgnored", $0)
      })
    else { return }
    problems.append(.observedProperty(name))
  }
}

extension Source {
  /// Returns a Boolean value that indicates whether an attribute of the declaration follows
  /// another.
  fileprivate func follows(_ name: String, _ other: String) -> Bool {
    let names = tokens.indices.filter { isMark($0, "@") }.map { self.name(tokens[afterPath($0 + 1) - 1]) }
    guard let index = names.lastIndex(of: name) else { return false }
    return names[..<index].contains(other)
  }
}
