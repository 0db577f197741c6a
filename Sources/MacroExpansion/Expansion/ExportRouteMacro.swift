/// Expands the macro that exports a route, or returns nil and adds problems.
///
/// The arguments are in a function, because the compiler infers the actor of a function but not of
/// a closure. The function also reads the route, which can be isolated to that actor.
func expandRoute(
  _ request: HostMessage.FreestandingMacro, _ source: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let free = FreeRecord(request, source, .exportRoute, configuration, &problems)
  let arguments = RouteArguments(source, .exportRoute, &problems)
  guard problems.isEmpty else { return nil }
  var json = JSONObject()
  json.set("route", arguments.route)
  json.set("handler", free.location.name)
  return free.text(kind: Record.route, method: "on", CallText(source), json)
}

/// Expands the macro that exports an action, or returns nil and adds problems.
func expandAction(
  _ request: HostMessage.FreestandingMacro, _ source: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let free = FreeRecord(request, source, .exportAction, configuration, &problems)
  let arguments = ActionArguments(source, &problems)
  guard problems.isEmpty else { return nil }
  var json = JSONObject()
  json.set("target", arguments.target)
  json.set("action", arguments.action)
  json.set("handler", free.location.name)
  if arguments.access != .internal { json.set("access", arguments.access.rawValue) }
  return free.text(kind: Record.action, method: "action", CallText(source), json)
}

extension FreeRecord {
  /// Returns the declarations of a record whose function calls a method with the macro's arguments.
  fileprivate func text(kind: UInt32, method: String, _ call: CallText, _ json: JSONObject) -> String {
    text(
      kind: kind, accessor: "return unsafe Routing::__provideRoute(__out, __type, \(functionName))", json: json,
      function: """
        (_ __routes: Routing::__RouteHandlers) {
        \(location.inUsersFile("__routes.\(method)\(call.text)", skipping: call.skippedLines))
        }
        """)
  }
}

/// Expands the attribute that exports a type as a route, or returns nil and adds problems.
func expandRouteType(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute: "@ExportRoute", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  let arguments = RouteArguments(attribute, .exportRouteType, &problems)
  guard problems.isEmpty else { return nil }
  var json = JSONObject()
  json.set("route", arguments.route)
  json.set("class", type.qualifiedName)
  let record = Record(
    kind: Record.route,
    machOSection: "__DATA,__reg_exports",
    accessor: type.guards + ["return unsafe Routing::__provideRoute(__out, __type, __function)"],
    json: json.text,
    isStatic: true,
    name: "__record",
    attributes: type.availability
  ).text
  return type.absence.excluded(
    from: """
      private enum \(recordName(request, declaration.name)) {
      \(record)
      \(type.introductions.map { $0 + "\n" }.joined())private static func __function(_ __routes: Routing::__RouteHandlers) {
      __routes.check(\(arguments.route), \(declaration.spelling).self) { $0 }
      __routes.make(\(arguments.route), \(declaration.spelling).init)
      }
      }
      """)
}
