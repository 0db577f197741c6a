public import Foundation

/// A request to open a route or a URL, or to perform an action.
public struct RouteRequest: Sendable {
  /// The identifier of the route; nil for an action, and until a route is found for a URL.
  public internal(set) var routeID: String?
  /// The origin of the request.
  public let origin: RouteOrigin
  /// The URL, or nil if the request is for a typed route or an action.
  public internal(set) var url: URL?
  /// The pattern that the URL matches, or nil.
  public internal(set) var pattern: RoutePattern?
  /// A Boolean value that indicates whether the pattern is the fallback of a scheme, such as
  /// `shop:**`, which matches only if no other pattern does.
  public internal(set) var isFallback = false
  /// The decoded parameters of the pattern, by name. Values keep the URL's case. Optional segments
  /// that the URL lacks have no value.
  public internal(set) var pathParameters: [String: String] = [:]
  /// The decoded segments that `**` matches, or nil if the pattern has no `**`.
  ///
  /// For the fallback of a scheme, such as `shop:**`, they begin with the host, unless it is empty.
  /// Only a fallback can receive the segments `.` and `..`.
  public internal(set) var remainingSegments: [String]?
  /// The decoded items of the URL's query, followed by the items of the fragment's query if the
  /// pattern has a fragment. A query item can't replace a parameter of the pattern.
  public internal(set) var queryItems: [URLQueryItem] = []
  /// The decoded fragment of the URL.
  public internal(set) var fragment: String?
  /// The values that the caller passed. A URL can't add values.
  public let values: RouteValues
  /// The URLs and route identifiers that the request was redirected from, oldest first.
  public internal(set) var redirects: [String] = []

  /// The router that handles the request. Its type is declared in a higher layer.
  let opener: any AnyObject & Sendable
  /// The decoded parameters, boxed with their static type.
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

  /// Returns the value of the first query item with a name, or nil. An item without `=` has an
  /// empty value.
  public func queryValue(_ name: String) -> String? {
    queryItems.first { $0.name == name }.map { $0.value ?? "" }
  }
}

enum RouteTarget: Sendable {
  case url(URL)
  case route(TypedTarget)

  var label: String {
    switch self {
    case .url(let url): url.absoluteString
    case .route(let target): target.id
    }
  }
}

struct TypedTarget: Sendable {
  let id: String
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

/// A value with its static type. A cast of the box succeeds only for that type, whereas a cast of
/// the value could convert it.
struct Boxed<Value: Sendable>: AnyBoxed {
  let value: Value

  var erased: any Sendable { value }
}

protocol AnyBoxed: Sendable {
  var erased: any Sendable { get }
}

/// The outcome of a request.
public struct RouteOutcome: Sendable {
  let boxed: any AnyBoxed
  /// The value of the outcome, or an empty tuple if the handler returned no value.
  public var value: any Sendable { boxed.erased }
  /// The request that was opened, after all redirections. Its ``RouteRequest/routeID`` is nil if a
  /// ``Router/onNotFound(fileID:line:_:)`` closure returned the value.
  public let request: RouteRequest
  /// A closure that returns the error without the `onNotFound` closure that returned the value, or
  /// nil if a handler returned it. If the value has another type, the missing route is the problem.
  var failure: (@Sendable () -> RouteError)?

  /// Returns the value as an object for the caller that opened a target.
  ///
  /// - Throws: ``RouteError`` if the value has another type. The error doesn't name a route that a
  ///   remote request was handed off to.
  func object<Object>(
    of target: @autoclosure () -> String, as type: Object.Type, from origin: RouteOrigin
  ) throws -> Object {
    if let object = value as? Object { return object }
    if let failure { throw failure() }
    let isHandedOff = origin == .remote && request.origin == .local
    let found = isHandedOff ? "another type" : "\(Swift.type(of: value))"
    throw RouteError(
      .wrongType(expected: "\(type)", found: found),
      isHandedOff ? target() : request.routeID ?? target())
  }
}
