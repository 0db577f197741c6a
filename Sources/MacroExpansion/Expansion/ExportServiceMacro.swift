/// Expands the attribute that exports a service, or returns nil and adds problems.
func expandService(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute, attribute: "@ExportService", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  let arguments = ServiceArguments(attribute, &problems)
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
  if let place = type.attributeLocation { json.set("at", place) }
  // The accessor has separate statements, because the type checker completes each before the next,
  // so that it can report a service that is not Sendable. See Provide.swift.
  let effect = declaration.isUnsafe ? "unsafe " : ""
  let isShared = arguments.scope != .transient
  let service = "let __service = Registry::__service(\(arguments.expression))"
  let check = "\(effect)Registry::__checkConversion(__service, \(declaration.spelling).self) { \(effect)$0 }"
  let statements =
    isShared
    ? [service, "let __exported = \(check)", "let __shared = Registry::__shared(__service)"] : [service, check]
  let provide = isShared ? "__provideShared(__shared, __exported" : "__provide(__service"
  let accessor = [
    type.location.statements(statements.joined(separator: "; ")),
    type.location.return("Registry::\(provide), __out, __type, \(declaration.spelling).init)"),
  ]
  let record = Record(
    kind: Record.service,
    machOSection: "__DATA,__reg_services",
    accessor: type.guards + accessor,
    json: json.text,
    isStatic: type.context.isInType,
    name: recordName(request, declaration.name),
    attributes: type.availability
  )
  return type.absence.excluded(from: record.text)
}
