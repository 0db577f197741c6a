func expandService(_ use: MacroUse) -> String? {
  let declaration = use.declaration
  let argument = use.required()
  let service = argument.flatMap { TypeExpression(use.source, $0) }
  if let argument, service == nil { use.report(.serviceIsNotASelf, at: argument) }
  if service?.isOptional == true {
    use.report(
      .optionalService,
      "an optional is not a service, and lookups of the type that it wraps do not find it; write the type without"
        + " 'Optional' or the question mark", at: argument)
  }
  if let other = use.next() {
    let isType = TypeExpression(use.source, other) != nil
    use.report(
      .missingArgument,
      isType
        ? "'@ExportService' takes one service; write another attribute for this one"
        : "an argument after the service needs a label, such as 'scope:'", at: other)
  }
  var json = JSONObject()
  json.set("protocol", service?.name)
  json.set("class", use.qualifiedName)
  let scopeTokens = use.peek("scope")
  let scope = use.choice(
    "scope", of: "ServiceScope", ["transient", "shared", "weak"], standard: "transient", named: "cached")
  json.set("scope", scope)
  json.set("name", use.text("named"))
  json.set("priority", use.integer("priority"))
  json.set("separateInstance", use.boolean("separateInstance"))
  let replaced = use.replacedImplementation()
  json.set("replaces", replaced.name)
  json.set("replacesType", replaced.type?.recordName)
  let condition = use.condition()
  json.set("when", condition)
  json.setGroup(use.text("group"))
  if scope == "weak", declaration.keyword == "struct" || declaration.keyword == "enum" {
    use.report(
      .weakValue,
      "scope '.weak' requires a class or an actor, but '\(declaration.name)' is \(declaration.keyword.withArticle); "
        + "use '.shared' or '.transient'", at: scopeTokens)
  }
  if let service {
    use.checkIsExportedOnce("as '\(service.name)' ", fix: ", or pass a different name as 'named:'")
  }
  guard use.isValid(), let service, let argument else { return nil }
  // Write separate statements. The type checker completes each statement before the next, so it can
  // report a service that isn't Sendable. See Provide.swift.
  let effect = declaration.isUnsafe ? "unsafe " : ""
  let type = "\(declaration.spelling).self"
  var statements = ["let __exported = \(effect)Registry::__checkConversion(__service, \(type)) { \(effect)$0 }"]
  var answers = ["__provideExported(__exported"]
  if scope == nil {
    answers.append("__provideNotSendable(__service")
  } else {
    statements.append("let __shared = Registry::__shared(__service)")
  }
  if let type = replaced.type { answers.append("__provideReplaced(\(type.expression)") }
  let provide = scope == nil ? "__provide(__service" : "__provide(__shared"
  let location = use.nameLocation
  let accessor =
    [
      use.placing(service, at: argument, after: "let __service = Registry::__service("),
      location.statements(statements.joined(separator: "; ")),
    ]
    + answers.map { location.statements("if unsafe Registry::\($0), __out, __type) { return true }") }
    + [location.return("Registry::\(provide), __out, __type, \(use.factory))")]
  return use.whereDeclared(
    withBuild(condition, json) { json in
      var json = json
      json.set("at", use.attributePlace)
      return use.typeRecord(.service, accessor: accessor, json)
    })
}

extension MacroUse {
  fileprivate var factory: String {
    let initializer = "\(declaration.spelling).init"
    guard let found = members.first(where: \.takesServices) else { return initializer }
    // Only the compiler knows whether an initializer in conditional compilation exists.
    return
      "Registry::__creatingWithManager(\(initializer)\(wholeDeclaration.isConditional(found.index) ? "" : "(services:)"))"
  }

  fileprivate func replacedImplementation() -> (name: String?, type: TypeExpression?) {
    guard let tokens = next("replaces") else { return (nil, nil) }
    // The compiler rejects the attributed type itself.
    if let type = TypeExpression(source, tokens) { return (nil, type) }
    let name = text("replaces", tokens)
    if name == qualifiedName {
      report(.replacesItself, "'\(qualifiedName)' cannot replace itself; remove it from 'replaces'", at: tokens)
    }
    return (name, nil)
  }
}
