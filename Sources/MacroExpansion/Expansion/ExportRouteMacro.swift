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
  return free.text(
    kind: Record.route, method: source.handlerMethod, CallText(source, at: request.syntax.location), json)
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
  return free.text(kind: Record.action, method: "action", CallText(source, at: request.syntax.location), json)
}

extension Source {
  /// The name of the method that receives the handler of a macro.
  ///
  /// Only a closure as the whole handler has a method of its own. The type of any other expression,
  /// such as a call with a closure, is unknown. A method is not longer than the name of the macro,
  /// so that the compiler reports errors at the column where the user wrote the code.
  fileprivate var handlerMethod: String {
    guard let closure = handlerClosure else { return "on" }
    var index = closure.lowerBound + 1
    while isMark(index, "@") {
      if isWord(index + 1, "concurrent") { return "offMain.on" }
      index = afterPath(index + 1)
      if isMark(index, "(") { index = afterBracket(index) }
    }
    return canWait(in: closure) ? "on" : "onSynchronous"
  }

  /// The indices of the tokens of the closure that is the handler of a macro, or nil if the handler
  /// is another expression.
  private var handlerClosure: Range<Int>? {
    guard let arguments = argumentsIndex else { return nil }
    let end = afterBracket(arguments)
    let trailing = end < tokens.count ? end..<tokens.count : nil
    guard let handler = trailing ?? attributeArguments().first(where: { $0.label == "handler" })?.tokens,
      isMark(handler.lowerBound, "{"), afterBracket(handler.lowerBound) == handler.upperBound
    else { return nil }
    return handler
  }

  /// Returns a Boolean value that indicates whether a closure can wait.
  ///
  /// A closure with another macro can wait, because its expansion is unknown.
  private func canWait(in closure: Range<Int>) -> Bool {
    tokens[closure].contains { token in
      switch token.kind {
      case .word: ["await", "async"].contains(text(token))
      // An interpolation can contain code.
      case .string: text(token).contains("await ") || text(token).contains("(#")
      case .directive: true
      default: false
      }
    }
  }
}

extension FreeRecord {
  /// Returns the declarations of a record whose function calls a method with the macro's arguments.
  fileprivate func text(kind: UInt32, method: String, _ call: CallText, _ json: JSONObject) -> String {
    text(
      kind: kind, accessor: "return unsafe Routing::__provideRoute(__out, __type, \(functionName))", json: json,
      function: """
        (_ __routes: Routing::__RouteHandlers) {
        \(call.statement(calling: method, of: "__routes"))
        }
        """)
  }
}

/// Expands the attribute that exports a type as a route, or returns nil and adds problems.
func expandRouteType(
  _ request: HostMessage.AttachedMacro, _ attribute: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let type = ExportedType(request, attribute, attribute: "@ExportRoute", configuration, &problems)
  let declaration = type.declaration
  guard declaration.isType else { return nil }
  let arguments = RouteArguments(attribute, .exportRouteType, &problems)
  if request.precedingAttributes(named: "ExportRoute").contains(where: {
    RouteArguments($0, .exportRouteType).route == arguments.route
  }) {
    problems.append(.exportedTwice(declaration.name, at: arguments.route))
  }
  guard problems.isEmpty else { return nil }
  var json = JSONObject()
  json.set("route", arguments.route)
  json.set("class", type.qualifiedName)
  if let place = type.attributeLocation { json.set("at", place) }
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
      \(type.location.placing(".check(\(arguments.route), \(declaration.spelling).self) { $0 }", offset: 1, after: "let __checked = __routes"))
      \(type.location.placing(".make(\(arguments.route), \(declaration.spelling).init)", offset: 1, after: "__checked"))
      }
      }
      """)
}
