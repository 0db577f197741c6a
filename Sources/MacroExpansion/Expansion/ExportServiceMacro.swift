/// Expands the attribute that exports a service, or returns nil and adds problems.
func expandService(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute: "@ExportService", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  let arguments = ServiceArguments(attribute, &problems)
  if arguments.scope == .weak, declaration.keyword == "struct" || declaration.keyword == "enum" {
    problems.append(.weakValue(declaration.name, declaration.keyword, at: arguments.scopeRange))
  }
  guard problems.isEmpty else { return nil }

  var json = JSONObject()
  json.set("protocol", arguments.protocolName)
  json.set("class", type.qualifiedName)
  if arguments.scope != .transient { json.set("scope", arguments.scope.rawValue) }
  if let name = arguments.name { json.set("name", name) }
  if arguments.priority != 0 { json.set("priority", arguments.priority) }
  // The accessor has separate statements, because the type checker completes each before the next,
  // so that it can report a service that is not Sendable. See Provide.swift.
  var accessor = [
    "let __service = Registry::__service(\(arguments.expression))",
    "\(declaration.isUnsafe ? "unsafe " : "")Registry::__checkConversion(__service, \(declaration.spelling).self)"
      + " { \(declaration.isUnsafe ? "unsafe " : "")$0 }",
  ]
  if arguments.scope == .transient {
    accessor.append("return unsafe Registry::__provide(__service, __out, __type, \(declaration.spelling).init)")
  } else {
    accessor.append("let __shared = Registry::__shared(__service)")
    accessor.append("return unsafe Registry::__provideShared(__shared, __out, __type, \(declaration.spelling).init)")
  }
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
