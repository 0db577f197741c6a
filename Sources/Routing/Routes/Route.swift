/// A typed description of something that an app can open.
///
/// ```swift
/// public struct OrderLink: Codable, Sendable { public var id: Int }
///
/// extension Route where Parameters == OrderLink, Outcome == OrderScreen {
///   public static var orderDetail: Self {
///     .init("shop.orderDetail", [#pattern("shop://order/:id(Int)")], access: .remote)
///   }
/// }
/// ```
///
/// A route has an identifier, the types of its parameters and its outcome, and the patterns of the
/// URLs that open it. Declare the route where both its callers and its handler can see it, because
/// both must use the same identifier and types. Export a handler with `#exportRoute` or
/// `@ExportRoute`, and call ``Router/open(_:_:values:)`` to open the route.
// The outcome has no requirements here; functions that create and return outcomes state them. A
// requirement of `Route`, even `Copyable`, would prevent a type with `@ExportRoute` from being
// the outcome of its own route: to find the route, the compiler would need the conformances of the
// type, which it knows only after it has expanded the type's attributes.
public struct Route<Parameters: Sendable, Outcome: ~Copyable & ~Escapable>: Sendable {
  /// The identifier of the route. By convention, it has the form `feature.subject`.
  ///
  /// It's usually a literal. If the identifier is known only at run time, for example because a
  /// server sends it, register the route with `Router.register`.
  public let id: String
  /// The patterns of the URLs that open the route; empty if only code can open it.
  public let patterns: [RoutePattern]
  /// The widest origin of requests that can open the route.
  public let access: RouteOrigin

  /// A closure that decodes the parameters; nil for a route that was created without patterns.
  let decode: (@Sendable (RouteDecoder) throws -> Parameters)?
}

extension Route where Outcome: ~Copyable & ~Escapable {
  /// Creates a route that no URL opens. Code opens it with ``Router/open(_:_:values:)``.
  ///
  /// - Parameter id: The identifier of the route.
  public init(_ id: String) { self.init(id: id, patterns: [], access: .local, decode: nil) }
}

extension Route where Parameters: Decodable {
  /// Creates a route that URLs open.
  ///
  /// - Parameters:
  ///   - id: The identifier of the route.
  ///   - patterns: The patterns of the URLs. The route's parameters are decoded from the pattern's
  ///     parameters and the query. If both have a name, the pattern's parameter applies.
  ///   - access: The widest origin of requests that can open the route.
  public init(_ id: String, _ patterns: [RoutePattern], access: RouteOrigin = .local) {
    self.init(id: id, patterns: patterns, access: access) { decoder in try decoder.value(as: Parameters.self) }
  }
}

extension Route where Parameters == Void {
  /// Creates a route that URLs open and that has no parameters.
  public init(_ id: String, _ patterns: [RoutePattern], access: RouteOrigin = .local) {
    self.init(id: id, patterns: patterns, access: access) { _ in () }
  }
}

/// The origin of a request, and the widest origin that can open a route or perform an action.
@nonexhaustive public enum RouteOrigin: Sendable {
  /// The app's own code, and the URLs that it creates.
  case local
  /// A source outside the app, such as a deep link or a URL in a notification. It reaches only
  /// routes and actions with this access.
  case remote

  func reaches(_ access: RouteOrigin) -> Bool { self == .local || access == .remote }
}
