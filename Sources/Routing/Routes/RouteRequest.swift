public import Foundation

/// A request to open a route or a URL.
///
/// Handlers, interceptors, and observers receive it.
public struct RouteRequest: Sendable {
  /// The identifier of the route, or nil if no route has been found for a URL.
  public internal(set) var routeID: String?
  /// The origin of the request.
  public let origin: RouteOrigin
  /// The URL, or nil if the request is for a typed route.
  public internal(set) var url: URL?
  /// The pattern that the URL matches, or nil if there is none.
  public internal(set) var pattern: RoutePattern?
  /// A Boolean value that indicates whether the pattern is the fallback of a scheme.
  ///
  /// The text of such a pattern is `shop:**`. It matches only if the other patterns don't.
  public internal(set) var isFallback = false
  /// The decoded parameters of the pattern by name, with the case in which they are written.
  ///
  /// A parameter of optional segments that the URL lacks has no value.
  public internal(set) var pathParameters: [String: String] = [:]
  /// The decoded segments that `**` matches, or nil if the pattern has no `**`.
  ///
  /// For the fallback of a scheme, such as `shop:**`, these are the host, unless it is empty, and
  /// the segments of the path. Only a fallback can receive the segments `.` and `..`.
  public internal(set) var remainingSegments: [String]?
  /// The decoded items of the URL's query in order.
  ///
  /// If the pattern has a fragment, the items of the fragment's query follow them.
  /// A query item cannot replace a parameter of the path.
  public internal(set) var queryItems: [URLQueryItem] = []
  /// The decoded fragment of the URL.
  public internal(set) var fragment: String?
  /// The values that the caller passed. None of them comes from the URL.
  public let values: RouteValues
  /// The URLs and the identifiers of routes from which the request was redirected, in order.
  public internal(set) var redirects: [String] = []

  /// The router that opens the request, whose type is in a layer above.
  let opener: any AnyObject & Sendable
  /// The decoded parameters, boxed with the parameter type of the route.
  var parameters: (any AnyBoxed)?

  @_optimize(speed) init(
    _ target: RouteTarget? = nil, in opener: any AnyObject & Sendable, origin: RouteOrigin,
    values: RouteValues = RouteValues()
  ) {
    self.opener = opener
    self.origin = origin
    self.values = values
    switch target {
    case .url(let url): self.url = url
    case .route(let target): (routeID, parameters) = (target.id, target.parameters)
    case nil: break
    }
  }

  /// Returns the parameters that the handler receives, or nil if the request is for another route.
  public func parameters<Parameters, Outcome>(of route: Route<Parameters, Outcome>) -> Parameters? {
    guard routeID == route.id, let boxed = parameters as? Boxed<Parameters> else { return nil }
    return boxed.value
  }

  /// Returns the value of the first query item with a name, or nil if there is none.
  ///
  /// The value is an empty string if the item has no `=`.
  public func queryValue(_ name: String) -> String? {
    queryItems.first { $0.name == name }.map { $0.value ?? "" }
  }
}

/// The target of a request.
enum RouteTarget: Sendable {
  case url(URL)
  case route(TypedTarget)

  /// The name of the target in messages.
  var label: String {
    switch self {
    case .url(let url): url.absoluteString
    case .route(let target): target.id
    }
  }
}

/// A target that is a route with parameters.
struct TypedTarget: Sendable {
  let id: String
  /// The boxed parameters.
  let parameters: any AnyBoxed
  let parametersType: any Sendable.Type
  let outcomeType: any Sendable.Type

  init<Parameters, Outcome: Sendable>(_ route: Route<Parameters, Outcome>, _ parameters: Parameters) {
    id = route.id
    self.parameters = Boxed(value: parameters)
    parametersType = Parameters.self
    outcomeType = Outcome.self
  }
}

/// A value with its static type.
///
/// A cast of the box succeeds only for that type, whereas a cast of the value could convert it.
struct Boxed<Value: Sendable>: AnyBoxed {
  let value: Value

  var erased: any Sendable { value }
}

/// A type-erased box.
protocol AnyBoxed: Sendable {
  var erased: any Sendable { get }
}

/// The outcome of a request.
public struct RouteOutcome: Sendable {
  /// The value with its static type.
  let boxed: any AnyBoxed
  /// The value that the handler returned, or an empty tuple if it returned none.
  public var value: any Sendable { boxed.erased }
  /// The request that was opened, after all redirections.
  ///
  /// Its route is nil if a closure of ``Router/onNotFound(_:)`` returned the value.
  public let request: RouteRequest

  /// Returns the value as an object for the caller that opened a URL.
  ///
  /// - Throws: ``RouteError`` if it has another type. The error does not name a route to which a
  ///   remote request was handed off.
  func object<Object>(for url: URL, as type: Object.Type, from origin: RouteOrigin) throws -> Object {
    if let object = value as? Object { return object }
    let isHandedOff = origin == .remote && request.origin == .local
    let found = isHandedOff ? "another type" : "\(Swift.type(of: value))"
    throw RouteError(
      .wrongType(expected: "\(type)", found: found),
      isHandedOff ? url.absoluteString : request.routeID ?? url.absoluteString)
  }
}
