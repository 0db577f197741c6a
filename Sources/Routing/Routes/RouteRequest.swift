public import Foundation

/// What an opening is about: given to handlers, interceptors and observers.
public struct RouteRequest: Sendable {
  /// The route's id; nil as long as none was found for a URL.
  public internal(set) var route: String?
  /// Where it comes from.
  public let origin: RouteOrigin
  /// The URL, if it was one that led here.
  public internal(set) var url: URL?
  /// The pattern that the URL matched.
  public internal(set) var pattern: RoutePattern?
  /// Whether that pattern is the fallback of a whole scheme, `shop:**`.
  public internal(set) var isFallback = false
  /// The texts of the pattern's parameters, decoded.
  public internal(set) var pathParameters: [String: String] = [:]
  /// What `**` stands for, segment by segment, decoded; nil where the pattern has none.
  public internal(set) var rest: [String]?
  /// The items of the URL's query in order, decoded. None of them stands in for a parameter of the path.
  public internal(set) var query: [URLQueryItem] = []
  /// The URL's fragment, decoded.
  public internal(set) var fragment: String?
  /// What code passed along. Nothing of it comes from the URL.
  public let values: RouteValues
  /// Where it was redirected from, the first first: URLs, and ids of routes.
  public internal(set) var redirects: [String] = []

  /// The parameters, as whatever the route wants.
  var parameters: (any Sendable)?

  init(origin: RouteOrigin, values: RouteValues) {
    self.origin = origin
    self.values = values
  }

  /// The parameters that the handler will get; nil if the request is for another route.
  public func parameters<Parameters, Outcome>(of route: Route<Parameters, Outcome>) -> Parameters? {
    guard self.route == "\(route.id)", let boxed = parameters as? Boxed<Parameters> else { return nil }
    return boxed.value
  }

  /// The value of the first item of a name in the query; nil if there is none, empty where it has no `=`.
  public func queryValue(_ name: String) -> String? {
    query.first { $0.name == name }.map { $0.value ?? "" }
  }

  /// The values of all items of a name in the query, in order.
  public func queryValues(_ name: String) -> [String] {
    query.filter { $0.name == name }.map { $0.value ?? "" }
  }
}

/// A value under its own static type: a cast of the box asks for that type and nothing else.
struct Boxed<Value: Sendable>: AnyBoxed {
  let value: Value

  var erased: any Sendable { value }
}

/// A box whose type is not known.
protocol AnyBoxed: Sendable {
  var erased: any Sendable { get }
}

/// What came of an opening.
public struct RouteOutcome: Sendable {
  /// The route's id; nil if none was found and ``Router/onNotFound(_:)`` answered.
  public let route: String?
  /// What the handler returned; `()` if that is nothing.
  public let value: any Sendable
  /// What it was opened with, redirections done.
  public let request: RouteRequest
}

/// A route that a URL leads to.
public struct RouteMatch: Sendable, Hashable {
  /// Its id.
  public let route: String
  /// The pattern that the URL matched.
  public let pattern: RoutePattern
  /// Whether that pattern is the fallback of a whole scheme, `shop:**`, and no other one matched.
  public let isFallback: Bool
}
