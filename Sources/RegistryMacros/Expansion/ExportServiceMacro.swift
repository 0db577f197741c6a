/// Expands `@ExportService`; nil when something is wrong.
func expandService(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute: "@ExportService", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  type.checkInitializers(&problems)
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
  let provide = arguments.scope == .transient ? "__provide" : "__provideShared"
  return Record(
    kind: Record.service,
    machOSection: "__DATA,__reg_services",
    accessor: "Registry::\(provide)(\(arguments.expression), out, type, \(declaration.spelling).init)",
    json: json.text,
    isStatic: type.context.isInType,
    discriminator: request.discriminator
  ).text
}
