internal import Registry

extension Router {
  /// The routes that can be opened, ordered by identifier.
  ///
  /// Reading this property scans for new images. It lacks routes that belong to another actor and
  /// have not been read; see ``load()``.
  public var routes: [RouteInfo] {
    scan()
    return state.withLock { Array($0.routes.used) }.map { entry in
      RouteInfo(
        id: entry.handler.id, patterns: entry.handler.patterns, access: entry.handler.access,
        parameters: entry.handler.parametersType, outcome: entry.handler.outcomeType, image: entry.provenance.image,
        handler: entry.provenance.location)
    }.ordered { $0.id < $1.id }
  }

  /// The actions that can be performed, ordered by target, name, and module.
  ///
  /// Reading this property scans for new images. It lacks actions that belong to another actor and
  /// have not been read; see ``load()``.
  public var actions: [ActionInfo] {
    scan()
    return state.withLock { Array($0.actions.used) }.map { entry in
      ActionInfo(
        target: entry.handler.target, action: entry.handler.action, module: entry.provenance.module,
        access: entry.handler.access, parameters: entry.handler.parametersType, outcome: entry.handler.outcomeType,
        image: entry.provenance.image, handler: entry.provenance.location)
    }.ordered { ($0.target, $0.action, $0.module) < ($1.target, $1.action, $1.module) }
  }

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

/// Returns the reason why the shared router cannot open a route, or nil if it can.
///
/// Not API: expansions call it.
@MainActor public func __problem<Parameters, Outcome: ~Copyable & ~Escapable>(
  of route: Route<Parameters, Outcome>
) -> String? {
  Router.shared.problem(of: route.id)
}
