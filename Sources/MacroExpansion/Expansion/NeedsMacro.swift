/// Expands the macro that states needs, or returns nil and adds problems.
func expandNeeds(
  _ request: HostMessage.FreestandingMacro, _ source: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let free = FreeRecord(request, source, .needs, configuration, &problems)
  let arguments = NeedsArguments(source, &problems)
  guard problems.isEmpty else { return nil }
  let place = UserLocation(of: source.tokens.first?.range.lowerBound ?? 0, in: source, at: request.syntax.location)
  let records = arguments.subjects.map { subject in
    var json = JSONObject()
    let accessor: String
    switch subject {
    case .service(let type, let name):
      json.set("protocol", name)
      if let name = arguments.name { json.set("name", name) }
      accessor =
        place.statements("let __service = Registry::__needed(\(type))") + "\n"
        + place.return("Registry::__provideNeed(__service, __out, __type)")
    case .route(let route):
      json.set("route", route)
      accessor = "return unsafe Routing::__provideNeededRoute(__out, __type) { Routing::__problem(of: \(route)) }"
    case .module(let type, let name):
      json.set("module", name)
      json.set("type", true)
      accessor = "return unsafe Lifecycle::__provideNeededModule(__out, __type, \(type))"
    case .point(let point):
      json.set("point", point)
      accessor = "return false"
    case .namedModule(let name):
      json.set("module", name)
      accessor = "return false"
    }
    if arguments.isOptional { json.set("optional", true) }
    if !free.context.path.isEmpty {
      json.set("dependent", ([free.location.module] + free.context.path).joined(separator: "."))
    }
    json.set("at", free.location.name)
    return (accessor, json)
  }
  return free.text(kind: Record.need, records)
}
