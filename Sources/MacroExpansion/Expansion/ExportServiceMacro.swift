/// Expands the attribute that exports a service, or returns nil and adds problems.
func expandService(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute, attribute: "@ExportService", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  let arguments = ServiceArguments(attribute, name: type.qualifiedName, &problems)
  if arguments.scope == .weak, declaration.keyword == "struct" || declaration.keyword == "enum" {
    problems.append(.weakValue(declaration.name, declaration.keyword, at: arguments.scopeRange))
  }
  if request.precedingAttributes(named: "ExportService").contains(where: {
    ServiceArguments($0).isSameService(as: arguments)
  }) {
    problems.append(.exportedTwice(declaration.name, as: arguments.protocolName))
  }
  guard problems.isEmpty else { return nil }

  var json = JSONObject()
  json.set("protocol", arguments.protocolName)
  json.set("class", type.qualifiedName)
  if arguments.scope != .transient { json.set("scope", arguments.scope.recordText) }
  if let name = arguments.name { json.set("name", name) }
  if arguments.priority != 0 { json.set("priority", arguments.priority) }
  if arguments.separateInstance { json.set("separateInstance", true) }
  switch arguments.replaced {
  case .name(let name): json.set("replaces", name)
  case .type(let name, _): json.set("replacesType", name)
  case nil: break
  }
  if let condition = arguments.condition { json.set("when", condition) }
  // The accessor has separate statements, because the type checker completes each before the next,
  // so that it can report a service that is not Sendable. See Provide.swift.
  let effect = declaration.isUnsafe ? "unsafe " : ""
  let isShared = arguments.scope != .transient
  let service = "let __service = Registry::__service(\(arguments.expression))"
  let check = "\(effect)Registry::__checkConversion(__service, \(declaration.spelling).self) { \(effect)$0 }"
  let exported = "let __exported = \(check)"
  let statements =
    isShared ? [service, exported, "let __shared = Registry::__shared(__service)"] : [service, exported]
  let provide = isShared ? "__provideShared(__shared, __exported" : "__provide(__service"
  var accessor = type.guards + [type.location.statements(statements.joined(separator: "; "))]
  func answer(_ request: String) {
    accessor.append(type.location.statements("if unsafe Registry::\(request), __out, __type) { return true }"))
  }
  if !isShared {
    answer("__provideExported(__exported")
    answer("__provideNotSendable(__service")
  }
  // The accessor returns the type that the expression names.
  if case .type(_, let expression) = arguments.replaced { answer("__provideReplaced(\(expression)") }
  accessor.append(type.location.return("Registry::\(provide), __out, __type, \(declaration.spelling).init)"))
  func text(build: String?) -> String {
    var json = json
    if let build { json.set("build", build) }
    if let place = type.attributeLocation { json.set("at", place) }
    return Record(
      kind: Record.service,
      machOSection: "__DATA,__reg_services",
      accessor: accessor,
      json: json.text,
      isStatic: type.context.isInType,
      name: recordName(request, declaration.name),
      attributes: type.availability
    ).text
  }
  return type.absence.excluded(from: withBuild(arguments.condition, text))
}
