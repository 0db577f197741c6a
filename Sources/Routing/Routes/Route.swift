/// A way to something: its name, what it needs to know, what comes of it, and the URLs that lead there.
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
/// It stands where callers and the feature behind it can see it; the feature exports a handler, ``exportRoute(_:handler:)``,
/// and callers write `try await router.open(.orderDetail, OrderLink(id: 7))`. A route is its id and both types together.
// What is wanted of an outcome is asked where it is made and had. Were it asked here, be it only that it can be copied, a type that
// ``ExportRoute(_:)`` stands on could not be the outcome of its own route: to find the route the compiler would look at what the type
// conforms to, which it does not know before it has found all that its attributes add.
public struct Route<Parameters: Sendable, Outcome: ~Copyable & ~Escapable>: Sendable {
  /// By convention `feature.whatIsThere`.
  public let id: StaticString
  /// The URLs that lead there; none if only code does.
  public let patterns: [RoutePattern]
  /// From where these URLs may come.
  public let access: RouteAccess

  /// Makes parameters of what a URL says; nil if no URL leads there.
  let decode: (@Sendable (RouteArguments) throws -> Parameters)?

  /// Makes a route that no URL leads to: only ``Router/open(_:_:values:)`` does.
  public init(_ id: StaticString) {
    self.id = id
    patterns = []
    access = .internal
    decode = nil
  }
}

extension Route where Parameters: Decodable {
  /// Makes a route that URLs lead to.
  ///
  /// - Parameters:
  ///   - id: Tells routes apart.
  ///   - patterns: What these URLs look like. Parameters are decoded from the patterns' parameters, and then from the query.
  ///   - access: From where they may come. A route is the app's own unless it says `.remote`.
  public init(_ id: StaticString, _ patterns: [RoutePattern], access: RouteAccess = .internal) {
    self.id = id
    self.patterns = patterns
    self.access = access
    decode = { arguments in try arguments.decode(Parameters.self) }
  }
}

extension Route where Parameters == Void {
  /// Makes a route without parameters that URLs lead to.
  public init(_ id: StaticString, _ patterns: [RoutePattern], access: RouteAccess = .internal) {
    self.id = id
    self.patterns = patterns
    self.access = access
    decode = { _ in () }
  }
}

/// From where a route, or an action, may be opened.
public enum RouteAccess: String, Sendable, Hashable, CaseIterable {
  /// From the app's own code and its own URLs.
  case `internal`
  /// Also from URLs of others: deep links, notifications.
  case remote
}

/// Where an opening comes from.
public enum RouteOrigin: String, Sendable, Hashable, CaseIterable {
  /// The app's own code.
  case local
  /// Somebody else: reaches only what has ``RouteAccess/remote``.
  case remote

  /// Whether what has some access may be reached from here.
  func reaches(_ access: RouteAccess) -> Bool { self == .local || access == .remote }
}
