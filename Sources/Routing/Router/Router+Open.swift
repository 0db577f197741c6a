public import Foundation
internal import Registry
internal import RoutePatterns

extension Router {
  // MARK: - By route

  /// Opens a route with parameters.
  ///
  /// ```swift
  /// let screen = try await router.open(.orderDetail, OrderLink(id: 7))
  /// ```
  ///
  /// - Parameters:
  ///   - route: The route to open.
  ///   - parameters: The parameters of the route.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome that the handler returns.
  /// - Throws: ``RouteError``, or the error that the handler or an interceptor throws.
  @discardableResult
  public nonisolated(nonsending) func open<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters, values: RouteValues = RouteValues()
  ) async throws -> Outcome {
    let target = TypedTarget(route, parameters)
    let opened = try await open(RoutePursuit(.route(target), from: .local, values))
    if let boxed = opened.boxed as? Boxed<Outcome> { return boxed.value }
    // The request was redirected to another route, or a handler for missing routes responded.
    return try RouteError.cast(opened.value, of: opened.route ?? target.id)
  }

  /// Opens a route without parameters.
  @discardableResult
  public nonisolated(nonsending) func open<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, values: RouteValues = RouteValues()
  ) async throws -> Outcome {
    try await open(route, (), values: values)
  }

  // MARK: - By URL

  /// Opens a URL.
  ///
  /// ```swift
  /// let outcome = try await router.open(url, from: .remote)
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL to open.
  ///   - origin: The origin of the URL. Pass `.remote` for a URL from outside the app, such as a
  ///     deep link or a URL in a notification. It reaches only routes with ``RouteAccess/remote``,
  ///     in any spelling. Pass `.local` for a URL that the app has created itself. There is no
  ///     default value, because a forgotten argument could open an internal route.
  ///   - values: Additional values that interceptors and the handler can read. None of them comes
  ///     from the URL.
  /// - Returns: The outcome that the handler returns, with its route and request.
  /// - Throws: ``RouteError``, the error that the handler or an interceptor throws, or
  ///   `CancellationError` if the task is canceled before the handler is called.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: URL, from origin: RouteOrigin, values: RouteValues = RouteValues()
  ) async throws -> RouteOutcome {
    try await open(RoutePursuit(.url(url), from: origin, values))
  }

  /// Opens a URL and returns an outcome of the given type.
  ///
  /// - Parameters:
  ///   - url: The URL to open.
  ///   - type: The type of the outcome.
  ///   - origin: The origin of the URL. A remote URL reaches only routes with
  ///     ``RouteAccess/remote``.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome that the handler returns.
  /// - Throws: ``RouteError``, also if the outcome has another type, or the error that the handler
  ///   or an interceptor throws.
  public nonisolated(nonsending) func object<Object>(
    for url: URL, as type: Object.Type = Object.self, from origin: RouteOrigin,
    values: RouteValues = RouteValues()
  ) async throws -> Object {
    try await open(url, from: origin, values: values).object(for: url, as: type, from: origin)
  }

  /// Returns the route that a URL would open, or nil if there is none.
  ///
  /// The method decodes the parameters, because a route whose parameters cannot be decoded does not
  /// match. It calls no interceptors. Routes that belong to another actor match only after they
  /// have been read; see ``load()``.
  ///
  /// - Parameters:
  ///   - url: The URL to check.
  ///   - origin: The origin of the URL. A remote URL reaches only routes with
  ///     ``RouteAccess/remote``.
  public func canOpen(_ url: URL, from origin: RouteOrigin) -> RouteMatch? {
    guard let parts = try? URLParts(url.absoluteString) else { return nil }
    let request = RouteRequest(.url(url), origin: origin)
    for candidate in table().candidates(for: parts, from: origin) {
      guard let request = try? candidate.request(request, parts) else { continue }
      return RouteMatch(
        route: candidate.handler.name.id, pattern: RoutePattern(candidate.match.pattern),
        isFallback: request.isFallback)
    }
    return nil
  }

  // MARK: - Without waiting

  /// Opens a URL without waiting, and returns an outcome of the given type.
  ///
  /// ```swift
  /// let badge = try router.synchronousObject(for: url, as: BadgeView.self, from: .local)
  /// ```
  ///
  /// The handler must be a closure of `#exportRoute` without `await`, or be registered with
  /// `registerSynchronous(_:handler:)`. All interceptors must be closures that do not wait. The
  /// router does not call the closures of ``onNotFound(_:)``, which can wait. Routes that belong to
  /// another actor match only after they have been read; see ``load()``.
  ///
  /// - Parameters:
  ///   - url: The URL to open.
  ///   - type: The type of the outcome.
  ///   - origin: The origin of the URL. A remote URL reaches only routes with
  ///     ``RouteAccess/remote``.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome that the handler returns.
  /// - Throws: ``RouteError``, for example if the handler or an interceptor can wait, or the error
  ///   that one of them throws.
  @MainActor public func synchronousObject<Object>(
    for url: URL, as type: Object.Type = Object.self, from origin: RouteOrigin, values: RouteValues = RouteValues()
  ) throws -> Object {
    let pursuit = RoutePursuit(.url(url), from: origin, values)
    let end = beginObserving(pursuit.request)
    let result = Result { try openNow(pursuit) }
    end?(result)
    return try result.get().object(for: url, as: type, from: origin)
  }
}
