public import Foundation
public import Registry

/// What an interceptor decides.
public struct RouteDecision: Sendable {
  enum Kind: Sendable {
    case proceed
    case redirect(RouteTarget)
    case reject(String)
  }

  let kind: Kind

  /// Goes on: the next interceptor is asked, and the handler is called after the last.
  public static let proceed = RouteDecision(kind: .proceed)

  /// Opens another URL in place of this one, from where this one came: what comes from outside reaches nothing but what is for those
  /// outside.
  public static func redirect(_ url: URL) -> RouteDecision { RouteDecision(kind: .redirect(.url(url))) }

  /// Opens another route in place of this one, from where this one came.
  public static func redirect<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters
  ) -> RouteDecision {
    RouteDecision(kind: .redirect(.route(TypedTarget(route, parameters))))
  }

  /// Opens another route, which has no parameters, in place of this one, from where this one came.
  public static func redirect<Outcome: Sendable>(_ route: Route<Void, Outcome>) -> RouteDecision { redirect(route, ()) }

  /// Opens nothing: ``RouteError/rejected(route:reason:)`` is thrown.
  public static func reject(_ reason: String) -> RouteDecision { RouteDecision(kind: .reject(reason)) }
}

/// What is to be opened.
enum RouteTarget: Sendable {
  case url(URL)
  case route(TypedTarget)

  /// How messages call it.
  var label: String {
    switch self {
    case .url(let url): url.absoluteString
    case .route(let target): target.id
    }
  }
}

/// A route that is to be opened, with its parameters.
struct TypedTarget: Sendable {
  let id: String
  /// In a ``Boxed``.
  let parameters: any Sendable
  let parametersType: any Sendable.Type
  let outcomeType: any Sendable.Type

  init<Parameters, Outcome: Sendable>(_ route: Route<Parameters, Outcome>, _ parameters: Parameters) {
    id = "\(route.id)"
    self.parameters = Boxed(value: parameters)
    parametersType = Parameters.self
    outcomeType = Outcome.self
  }
}

/// Is asked before a route is opened.
typealias Interceptor = @Sendable (RouteRequest) async throws -> RouteDecision

extension Router {
  /// Asks a closure before each opening from now on.
  ///
  /// ```swift
  /// router.intercept { request in
  ///   guard request.route != "shop.login", await !session.isLoggedIn else { return .proceed }
  ///   try await router.open(.login)      // waits for it, and goes on
  ///   return .proceed
  /// }
  /// ```
  ///
  /// It is asked when the route was found and its parameters were made, and again after each redirection, of which there may be
  /// sixteen. What it throws is thrown by the opening.
  ///
  /// The router keeps the closure: one that names a router of one's own, not `.shared`, names it weakly, `{ [weak router] request in … }`,
  /// or neither is ever let go of.
  ///
  /// - Parameters:
  ///   - priority: The highest is asked first, and of the same priority those that were there first.
  ///   - interceptor: May take its time.
  /// - Returns: What takes it out; it stays if that is let go of.
  @discardableResult
  public func intercept(
    priority: Int = 0, _ interceptor: @escaping @Sendable (RouteRequest) async throws -> RouteDecision
  ) -> RegistrationToken {
    add(interceptor, priority: priority, to: \.interceptors)
  }

  /// Asks a closure for what nothing opens, from now on; the one that came last first.
  ///
  /// - Parameter handler: What it returns is what comes of the opening; with nil the next one is asked, and in the end
  ///   ``RouteError/notFound(target:nearest:)`` is thrown.
  /// - Returns: What takes it out; it stays if that is let go of.
  @discardableResult
  public func onNotFound(
    _ handler: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) -> RegistrationToken {
    add(handler, to: \.notFound)
  }
}
