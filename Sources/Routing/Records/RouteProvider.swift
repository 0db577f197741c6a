internal import Registry

/// The value that the accessor of a route's or an action's record returns. Not API: expansions use
/// it.
///
/// It has one stored function, so that its layout is the two words that `RecordFormat.md` promises.
/// The accessor itself runs no code of the client: the expression that names the route may be
/// isolated to an actor, so it is evaluated in the function.
///
/// Unchecked: expansions pass a static function, which captures nothing. Swift 5 mode does not know
/// that this makes it Sendable (SE-0418).
@frozen public struct __RouteProvider: @unchecked Sendable {
  @usableFromInline let list: @isolated(any) (__RouteHandlers) -> Void

  @inlinable init(list: @escaping @isolated(any) (__RouteHandlers) -> Void) {
    self.list = list
  }
}

/// Implements the accessor of a route's or an action's record. Not API: expansions call it.
///
/// - Returns: `true` if `type` is null or identifies ``__RouteProvider``. Otherwise `out` is not
///   written.
public func __provideRoute(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ list: @escaping @isolated(any) (__RouteHandlers) -> Void
) -> Bool {
  provide(__RouteProvider(list: list), out, type)
}
