internal import Registry

/// The value that the accessor of a route or action record returns. Not API: expansions use it.
///
/// It has one stored function, so its layout is the two words that `RecordFormat.md` specifies. The
/// accessor itself runs no client code: the expression that names the route may be isolated to an
/// actor, so the stored function evaluates it.
///
/// Unchecked: expansions pass a static function, which captures nothing. Swift 5 mode doesn't know
/// that this makes it Sendable (SE-0418).
@frozen public struct __RouteProvider: @unchecked Sendable {
  @usableFromInline let list: @isolated(any) (__RouteHandlers) -> Void

  @inlinable init(list: @escaping @isolated(any) (__RouteHandlers) -> Void) {
    self.list = list
  }
}

/// Implements the accessor of a route or action record. Not API: expansions call it.
///
/// - Returns: `true` if `type` is null or identifies ``__RouteProvider``. Otherwise, the function
///   doesn't write to `out`.
public func __provideRoute(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ list: @escaping @isolated(any) (__RouteHandlers) -> Void
) -> Bool {
  provide(__RouteProvider(list: list), out, type)
}
