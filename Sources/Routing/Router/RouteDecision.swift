public import Foundation
public import Registry

/// An interceptor's decision about a request.
public struct RouteDecision: Sendable {
  enum Kind: Sendable {
    case proceed
    /// A redirection to another target. The origin is nil if it doesn't change.
    case redirect(RouteTarget, origin: RouteOrigin? = nil)
    case reject(String)
  }

  let kind: Kind

  var proceeds: Bool { if case .proceed = kind { true } else { false } }

  /// A decision to continue with the next interceptor or, after the last one, with the handler.
  public static let proceed = RouteDecision(kind: .proceed)

  /// Creates a decision to open another URL instead.
  ///
  /// The request's origin doesn't change: a remote request reaches only routes with the access
  /// ``RouteOrigin/remote``.
  ///
  /// - Parameter url: The URL to open.
  public static func redirect(_ url: URL) -> RouteDecision {
    RouteDecision(kind: .redirect(.url(url)))
  }

  /// Creates a decision to open another route instead.
  ///
  /// The request's origin doesn't change: a remote request reaches only routes with the access
  /// ``RouteOrigin/remote``. To open an internal route for a remote request, use ``handOff(_:_:)``.
  ///
  /// - Parameters:
  ///   - route: The route to open.
  ///   - parameters: The parameters of the route.
  public static func redirect<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters
  ) -> RouteDecision {
    RouteDecision(kind: .redirect(.route(TypedTarget(route, parameters))))
  }

  /// Creates a decision to open another route without parameters instead.
  public static func redirect<Outcome: Sendable>(_ route: Route<Void, Outcome>) -> RouteDecision { redirect(route, ()) }

  /// Creates a decision to let the app itself open another route instead.
  ///
  /// The request becomes local, so a link from outside the app can lead to an internal route, such
  /// as the login. The target must be a route, not a URL. An interceptor that creates the
  /// parameters from the URL must validate them, because the handler treats the request as the
  /// app's own.
  ///
  /// ```swift
  /// router.intercept { request in
  ///   if request.parameters(of: .orderDetail) != nil, !isLoggedIn { return .handOff(.login) }
  ///   return .proceed
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - route: The route to open. Its access can be `.local`.
  ///   - parameters: The parameters of the route.
  public static func handOff<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters
  ) -> RouteDecision {
    RouteDecision(kind: .redirect(.route(TypedTarget(route, parameters)), origin: .local))
  }

  /// Creates a decision to let the app itself open another route without parameters instead.
  public static func handOff<Outcome: Sendable>(_ route: Route<Void, Outcome>) -> RouteDecision { handOff(route, ()) }

  /// Creates a decision to open nothing and to throw an error.
  ///
  /// - Parameter reason: The error's ``RouteError/reason``. The error's code is `route-rejected`.
  public static func reject(_ reason: String) -> RouteDecision { RouteDecision(kind: .reject(reason)) }
}

struct Interceptor: Sendable {
  let decide: @Sendable (RouteRequest) async throws -> RouteDecision
  var decideNow: (@Sendable (RouteRequest) throws -> RouteDecision)?
}

extension Router {
  /// Registers a closure that accepts, redirects, or rejects each request for a route.
  ///
  /// ```swift
  /// router.intercept { request in
  ///   guard request.parameters(of: .login) == nil, await !session.isLoggedIn
  ///   else { return .proceed }
  ///   try await request.router.open(.login)  // The request continues after the login.
  ///   return .proceed
  /// }
  /// ```
  ///
  /// The router calls interceptors after decoding the route's parameters, and again if the request
  /// is redirected or declined, or if the handler changes. The limit is sixteen redirections.
  ///
  /// - Important: The router keeps the closure, so use ``RouteRequest/router`` in it. A closure
  ///   that captures its router strongly keeps both alive until you cancel the token.
  ///
  /// - Parameters:
  ///   - priority: The priority of the interceptor. Interceptors with higher priorities run first.
  ///     Interceptors with equal priorities run in registration order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - interceptor: A closure that returns a decision. If it throws an error, the request fails
  ///     with that error.
  /// - Returns: A token that removes the interceptor.
  @discardableResult
  public func intercept(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ interceptor: @escaping @Sendable (RouteRequest) async throws -> RouteDecision
  ) -> RegistrationToken {
    add(Interceptor(decide: interceptor), priority: priority, at: "\(fileID):\(line)", to: \.interceptors)
  }

  /// Registers a closure that accepts, redirects, or rejects each request without waiting.
  ///
  /// Synchronous requests are possible only if all interceptors are closures that don't wait.
  @discardableResult
  public func intercept(
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    _ interceptor: @escaping @Sendable (RouteRequest) throws -> RouteDecision
  ) -> RegistrationToken {
    let closures = Interceptor(decide: interceptor, decideNow: interceptor)
    return add(closures, priority: priority, at: "\(fileID):\(line)", to: \.interceptors)
  }

  /// Registers a closure that responds to requests that no route opens.
  ///
  /// The router calls the closures in reverse order of registration.
  ///
  /// - Parameters:
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - handler: A closure that returns the outcome of the request, or nil or `()` to leave it to
  ///     the next closure. After the last closure, the router throws a ``RouteError`` with the code
  ///     `route-not-found`, or `route-declined` if a handler declined the request.
  /// - Returns: A token that removes the closure.
  @discardableResult
  public func onNotFound(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (RouteRequest) async throws -> (any Sendable)?
  ) -> RegistrationToken {
    add(handler, at: "\(fileID):\(line)", to: \.notFound)
  }
}
