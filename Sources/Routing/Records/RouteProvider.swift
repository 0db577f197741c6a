internal import Registry

/// What the accessor of a route's or an action's record hands over. Not API: what an expansion calls.
///
/// One stored function, so that its layout is the two words that `RecordFormat.md` promises. The function names the route, which
/// may be an actor's; so the accessor itself runs no code of the user's.
///
/// Unchecked: what expansions hand over is a static function, which captures nothing. Swift 5 mode does not know that it is therefore
/// Sendable (SE-0418).
@frozen public struct __RouteProvider: @unchecked Sendable {
  @usableFromInline let list: @isolated(any) (__RouteHandlers) -> Void

  @inlinable init(list: @escaping @isolated(any) (__RouteHandlers) -> Void) {
    self.list = list
  }
}

/// The accessor of a route or an action. Not API: what an expansion calls.
///
/// - Returns: Whether `type` is null or ``__RouteProvider``; `out` was touched only then.
public func __provideRoute(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ list: @escaping @isolated(any) (__RouteHandlers) -> Void
) -> Bool {
  provide(__RouteProvider(list: list), out, type)
}

extension __RouteProvider {
  /// The actor on which the route is to be read; nil if that does not matter.
  var actor: (any Actor)? { list.isolation }

  /// Reads the route, if the code that runs now may; nil otherwise. Runs the user's code.
  func read() -> __RouteHandlers? {
    guard actor?.isCurrent ?? true else { return nil }
    let handlers = __RouteHandlers()
    withoutIsolation(list)(handlers)
    return handlers
  }

  /// Reads the route on its actor. Runs the user's code.
  nonisolated(nonsending) func readOnActor() async -> __RouteHandlers {
    let handlers = __RouteHandlers()
    await list(handlers)
    return handlers
  }
}
