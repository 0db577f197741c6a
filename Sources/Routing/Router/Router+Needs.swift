internal import Registry

/// Returns the reason why the shared router cannot open a route, or nil if it can.
///
/// Not API: expansions call it.
@MainActor public func __problem<Parameters, Outcome: ~Copyable & ~Escapable>(
  of route: Route<Parameters, Outcome>
) -> String? {
  Router.shared.problem(of: route.id)
}

extension Router {
  /// Returns the reason why no route with an identifier can be opened, and the fix, or nil.
  func problem(of route: String) -> String? {
    scan(reportsUnread: false)
    // A route that another actor must read first can have this identifier.
    let (isKnown, names, hasUnread) = state.withLock { state in
      (state.routes[route] != nil, Array(state.routes.keys), !state.unread.isEmpty)
    }
    if isKnown || hasUnread { return nil }
    return
      "no loaded image exports a handler of the route \(route.quotedForDisplay()), and no code registered one; link"
      + " the target that exports it with '#exportRoute' or '@ExportRoute'\(route.suggestion(in: names))"
  }
}
