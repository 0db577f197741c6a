func expandNeeds(_ use: MacroUse) -> String? {
  let name = use.text("named")
  let isOptional = use.boolean("optional")
  let group = use.text("group")
  var records: [(accessor: String, json: JSONObject)] = []
  func add(_ accessor: String, _ setSubject: (inout JSONObject) -> Void) {
    var json = JSONObject()
    setSubject(&json)
    json.set("optional", isOptional)
    json.setGroup(group)
    if use.context.isInType { json.set("dependent", use.enclosingName) }
    json.set("at", use.place)
    records.append((accessor, json))
  }
  while let tokens = use.next() {
    guard let service = TypeExpression(use.source, tokens) else {
      use.report(.serviceIsNotASelf, at: tokens)
      continue
    }
    if service.isOptional {
      use.report(
        .optionalService,
        "an optional is not a service; write the type without 'Optional' or the question mark, and add 'optional:"
          + " true'", at: tokens)
    }
    let accessor =
      use.placing(service, at: tokens, after: "let __service = Registry::__needed(") + "\n"
      + use.start.return("Registry::__provideNeed(__service, __out, __type)")
    add(accessor) { json in
      json.set("protocol", service.name)
      json.set("name", name)
    }
  }
  while let tokens = use.next("route") {
    let route = use.source.normalized(tokens)
    let problem = "{ Routing::__problem(of: \(route), in: $0) }"
    add("return unsafe Routing::__provideNeededRoute(__out, __type) \(problem)") { $0.set("route", route) }
  }
  while let tokens = use.next("module") {
    if let module = TypeExpression(use.source, tokens) {
      add("return unsafe Lifecycle::__provideNeededModule(__out, __type, \(module.expression))") { json in
        json.set("module", module.name)
        json.set("type", true)
      }
    } else if let name = use.text("module", tokens) {
      add("return false") { $0.set("module", name) }
    }
  }
  while let tokens = use.next("contributions") {
    add("return false") { $0.set("point", use.source.normalized(tokens)) }
  }
  if records.isEmpty { _ = use.required() }
  return use.isValid() ? use.freeRecords(.need, records) : nil
}
