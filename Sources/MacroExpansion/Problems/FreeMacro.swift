/// The texts about a macro that its problems contain.
struct FreeMacro {
  let name: String
  /// The alternative at run time.
  let atRunTime: String
  /// The first argument that the macro requires, with an example of its usage.
  let usage: String

  static let onEvent = FreeMacro(
    name: "#onEvent", atRunTime: "subscribe there with 'modules.on(…)'",
    usage: "an event first: '#onEvent(.userDidLogIn) { user, context in … }'")
  static let exportRoute = FreeMacro(
    name: "#exportRoute", atRunTime: "register there with 'router.register(…)'",
    usage: "a route first: '#exportRoute(.orderDetail) { parameters, request in … }'")
  static let exportAction = FreeMacro(
    name: "#exportAction", atRunTime: "register there with 'router.registerAction(…)'",
    usage: "a target and an action first: '#exportAction(\"orders\", \"show\") { (parameters: ShowOrder) in … }'")
  static let exportRouteType = FreeMacro(
    name: "@ExportRoute", atRunTime: "register the type at run time", usage: "a route: '@ExportRoute(.orderDetail)'")
}
