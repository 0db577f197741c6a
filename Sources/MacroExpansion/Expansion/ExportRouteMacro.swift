/// Expands the macro that exports a route, or returns nil and adds problems.
func expandRoute(_ use: MacroUse) -> String? {
  var json = JSONObject()
  json.set("route", use.required().map { use.source.normalized($0) })
  return use.routeRecord(.route, method: use.source.handlerMethod, json)
}

/// Expands the macro that exports an action, or returns nil and adds problems.
func expandAction(_ use: MacroUse) -> String? {
  var json = JSONObject()
  for name in ["target", "action"] { json.set(name, use.required().flatMap { use.text(name, $0) }) }
  let access = use.choice("access", of: "RouteOrigin", ["local", "remote"], standard: "local")
  return use.routeRecord(.action, method: "action", json, access: access)
}

extension MacroUse {
  /// Returns the declarations of a record whose function calls a method with the macro's arguments.
  ///
  /// The arguments are in a function, because the compiler infers the actor of a function but not
  /// of a closure. The function also reads the route, which can be isolated to that actor.
  fileprivate func routeRecord(
    _ kind: Record.Kind, method: String, _ contents: JSONObject, access: String? = nil
  ) -> String? {
    // The record does not contain a handler in parentheses.
    skip("handler")
    var json = contents
    json.set("handler", place)
    json.set("access", access)
    json.setGroup(text("group"))
    guard isValid() else { return nil }
    let accessor = "return unsafe Routing::__provideRoute(__out, __type, \(functionName))"
    let function = function("__routes", "Routing::__RouteHandlers", calling: method)
    return freeRecords(kind, [(accessor, json)], function: function)
  }
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
      index = afterParentheses(afterPath(index + 1))
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

  /// Returns a Boolean value that indicates whether an attribute exports a route in a group.
  fileprivate func exports(_ route: String, in group: String?) -> Bool {
    attributeArguments().first { $0.label == nil }.map { normalized($0.tokens) } == route
      && stringArgument("group") == group
  }
}

/// Expands the attribute that exports a type as a route, or returns nil and adds problems.
func expandRouteType(_ use: MacroUse) -> String? {
  let (declaration, location) = (use.declaration, use.nameLocation)
  let route = use.required().map { use.source.normalized($0) } ?? ""
  let group = use.text("group")
  if use.hasPreceding("ExportRoute", where: { $0.exports(route, in: group) }) {
    use.report(.exportedTwice(declaration.name, "for the route '\(route)' ", by: "@ExportRoute"))
  }
  guard use.isValid() else { return nil }
  var json = JSONObject()
  json.set("route", route)
  json.set("class", use.qualifiedName)
  json.setGroup(group)
  json.set("at", use.attributePlace)
  let record = use.typeRecord(
    .route, accessor: ["return unsafe Routing::__provideRoute(__out, __type, __function)"], json, name: "__record",
    isStatic: true)
  let check = ".check(\(route), \(declaration.spelling).self) { $0 }"
  let make = ".make(\(route), \(declaration.spelling).init)"
  return use.whereDeclared(
    """
    private enum \(recordName(use.request, declaration.name)) {
    \(record)
    \(use.introductions.map { $0 + "\n" }.joined())private static func __function(_ __routes: Routing::__RouteHandlers) {
    \(location.placing(check, offset: 1, after: "let __checked = __routes"))
    \(location.placing(make, offset: 1, after: "__checked"))
    }
    }
    """)
}
