/// Expands the attribute that exports a module, or returns nil and adds problems.
func expandModule(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute, attribute: "@ExportModule", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  if declaration.keyword != "class" {
    problems.append(.moduleIsNotAClass(declaration.name, declaration.keyword))
  } else if !declaration.modifiers.contains("final") {
    problems.append(.moduleIsNotFinal(declaration.name))
  }
  if let number = attributeNumber(request.discriminator), number > 0 {
    problems.append(.exportedTwice(declaration.name))
  }
  let arguments = ModuleArguments(attribute, name: type.qualifiedName, &problems)
  guard problems.isEmpty else { return nil }
  let source = Source(request.declSyntax.source, regex: configuration.hasBareSlashRegex)
  problems += Problem.nearMisses(in: source, name: type.qualifiedName)

  var json = JSONObject()
  json.set("module", type.qualifiedName)
  if arguments.level != .normal { json.set("level", arguments.level.rawValue) }
  if arguments.priority != 0 { json.set("priority", arguments.priority) }
  if !arguments.after.isEmpty { json.set("after", arguments.after) }
  if !arguments.afterTypes.isEmpty { json.set("afterTypes", arguments.afterTypes) }
  if arguments.afterNeeds { json.set("afterNeeds", true) }
  if arguments.activation != .atLaunch { json.set("activation", arguments.activation.rawValue) }
  if arguments.initialization != .inStart { json.set("initialization", arguments.initialization.rawValue) }
  if arguments.replaysMissedPhases { json.set("catchUp", true) }
  if let place = type.attributeLocation { json.set("at", place) }
  // The expression is passed unchanged, so that the accessor returns the types that it names.
  let after = arguments.afterTypes.isEmpty ? "" : "after: \(arguments.afterExpression), "
  let record = Record(
    kind: Record.module,
    machOSection: "__DATA,__reg_modules",
    accessor: type.guards + [
      type.location.return(
        "Lifecycle::__provideModule(\(declaration.spelling).self, \(after)__out, __type)")
    ],
    json: json.text,
    isStatic: type.context.isInType,
    name: recordName(request, declaration.name),
    attributes: type.availability
  )
  return type.absence.excluded(from: record.text)
}
