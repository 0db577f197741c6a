/// The texts about a macro that its problems contain.
struct FreeMacro {
  let name: String
  /// The alternative at run time.
  let atRunTime: String
  /// The first argument that the macro requires, with an example of its usage.
  let usage: String

  static let onEvent = FreeMacro(
    name: "#onEvent", atRunTime: "subscribe with 'modules.on(…)'",
    usage: "an event, as in '#onEvent(.userDidLogIn) { user, context in … }'")
  static let exportRoute = FreeMacro(
    name: "#exportRoute", atRunTime: "register the handler with 'router.register(…)'",
    usage: "a route, as in '#exportRoute(.orderDetail) { parameters, request in … }'")
  static let exportAction = FreeMacro(
    name: "#exportAction", atRunTime: "register the action with 'router.registerAction(…)'",
    usage: "a target and an action, as in '#exportAction(\"orders\", \"show\") { (parameters: ShowOrder) in … }'")
  static let contribute = FreeMacro(
    name: "#contribute", atRunTime: "register the value with 'services.contribute(to:)'",
    usage: "a contribution point, as in '#contribute(.menu) { Dish(\"soup\") }'")
  static let needs = FreeMacro(
    name: "#needs", atRunTime: "call 'modules.expect(…)'",
    usage: "a service, as in '#needs(CartService.self)'")
  static let exportRouteType = FreeMacro(
    name: "@ExportRoute", atRunTime: "register the type at run time",
    usage: "a route, as in '@ExportRoute(.orderDetail)'")
}
