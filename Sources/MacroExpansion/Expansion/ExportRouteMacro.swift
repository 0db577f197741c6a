func expandRoute(_ use: MacroUse) -> String? {
  var json = JSONObject()
  json.set("route", use.required().map { use.source.normalized($0) })
  return use.routeRecord(.route, method: use.source.handlerMethod, json)
}

func expandAction(_ use: MacroUse) -> String? {
  var json = JSONObject()
  for name in ["target", "action"] { json.set(name, use.required().flatMap { use.text(name, $0) }) }
  let access = use.choice("access", of: "RouteOrigin", ["local", "remote"], standard: "local")
  return use.routeRecord(.action, method: "action", json, access: access)
}

extension MacroUse {
  /// Returns the declarations of a record and of a function that passes the macro's arguments to a
  /// method.
  ///
  /// The arguments are in a function, because the compiler infers the actor of a function, but not
  /// of a closure. The function also reads the route, which can be isolated to the same actor.
  fileprivate func routeRecord(
    _ kind: Record.Kind, method: String, _ contents: JSONObject, access: String? = nil
  ) -> String? {
    // Skip a handler inside the parentheses, because it isn't part of the record.
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
  /// The name of the method that receives a macro's handler.
  ///
  /// For a closure, the method depends on whether the closure is `@concurrent` and whether it can
  /// suspend. For any other expression, it's `on`, because the type is unknown. No method has a
  /// longer name than the macro, so that the compiler can report errors at the user's columns.
  fileprivate var handlerMethod: String {
    guard let closure = handlerClosure else { return "on" }
    var index = closure.lowerBound + 1
    while isMark(index, "@") {
      if isWord(index + 1, "concurrent") { return "offMain.on" }
      index = afterParentheses(afterPath(index + 1))
    }
    return canWait(in: closure) ? "on" : "onNow"
  }

  /// The token indices of a macro's handler, or nil if the handler isn't a closure literal.
  private var handlerClosure: Range<Int>? {
    guard let arguments = argumentsIndex else { return nil }
    let end = afterBracket(arguments)
    let trailing = end < tokens.count ? end..<tokens.count : nil
    guard let handler = trailing ?? attributeArguments().first(where: { $0.label == "handler" })?.tokens,
      isMark(handler.lowerBound, "{"), afterBracket(handler.lowerBound) == handler.upperBound
    else { return nil }
    return handler
  }

  /// Returns whether a closure may suspend. A macro in it counts, because its expansion is unknown.
  private func canWait(in closure: Range<Int>) -> Bool {
    tokens[closure].contains { token in
      switch token.kind {
      case .word: return ["await", "async"].contains(text(token))
      case .string:
        let parts = text(token).split(separator: "#")
        return ["await ", "await(", "await\n"].contains(where: text(token).contains) && text(token).contains("\\")
          || zip(parts, parts.dropFirst()).contains { $0.last == "(" && isMacro($1) }
      case .directive: return isMacro(text(token).dropFirst())
      default: return false
      }
    }
  }

  /// Returns whether the text after a `#` can begin with a macro's name, which the compiler doesn't
  /// reserve.
  private func isMacro(_ text: Substring) -> Bool {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    if name.first?.isNumber != false { return false }
    return ![
      "if", "elseif", "else", "endif", "available", "unavailable", "_hasSymbol", "selector", "keyPath", "file",
      "fileID", "filePath", "function", "line", "column", "dsohandle", "sourceLocation", "warning", "error",
      "colorLiteral", "fileLiteral", "imageLiteral",
    ].contains(name)
  }
}

func expandRouteType(_ use: MacroUse) -> String? {
  let (declaration, location) = (use.declaration, use.nameLocation)
  let route = use.required().map { use.source.normalized($0) } ?? ""
  let group = use.text("group")
  use.checkIsExportedOnce("for the route '\(route)' ")
  guard use.isValid() else { return nil }
  var json = JSONObject()
  json.set("route", route)
  json.set("class", use.qualifiedName)
  json.setGroup(group)
  json.set("at", use.attributePlace)
  let record = use.typeRecord(
    .route, accessor: ["return unsafe Routing::__provideRoute(__out, __type, __function)"], json, name: "__record",
    isStatic: true)
  let effect = declaration.isUnsafe ? "unsafe " : ""
  let check = ".check(\(route), \(declaration.spelling).self) { \(effect)$0 }"
  let make = ".make(\(route), \(declaration.spelling).init)"
  return use.whereDeclared(
    """
    private enum \(recordName(use.request, declaration.name)) {
    \(record)
    \(use.introductions.map { $0 + "\n" }.joined())private static func __function(_ __routes: Routing::__RouteHandlers) {
    \(location.placing(check, offset: 1, after: "let __checked = \(effect)__routes"))
    \(location.placing(make, offset: 1, after: "\(effect)__checked"))
    }
    }
    """)
}
