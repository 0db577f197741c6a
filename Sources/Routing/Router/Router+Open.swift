public import Foundation
public import Registry
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
  /// - Throws: The same errors as ``open(_:from:values:)``.
  @discardableResult
  public nonisolated(nonsending) func open<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters, values: RouteValues = RouteValues()
  ) async throws -> Outcome {
    let target = TypedTarget(route, parameters)
    let opened = try await open(RoutePursuit(.route(target), in: self, from: .local, values))
    if let boxed = opened.boxed as? Boxed<Outcome> { return boxed.value }
    // The request was redirected to a different route, or an `onNotFound` closure responded.
    return try opened.object(of: target.id, as: Outcome.self, from: .local)
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
  ///     deep link or a URL in a notification. Regardless of its spelling, a remote URL matches
  ///     only routes with the access ``RouteOrigin/remote``. Pass `.local` for a URL that the app
  ///     created. There is no default value, because a forgotten argument could open an internal
  ///     route.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome, with the request after any redirections.
  /// - Throws: ``RouteError``, an error that the handler, an interceptor, or an `onNotFound`
  ///   closure throws, or `CancellationError` if the task is canceled before the handler is called.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: URL, from origin: RouteOrigin, values: RouteValues = RouteValues()
  ) async throws -> RouteOutcome {
    try await open(RoutePursuit(.url(url), in: self, from: origin, values))
  }

  /// Opens a URL and returns an outcome of the given type.
  ///
  /// - Parameters:
  ///   - url: The URL to open.
  ///   - type: The type of the outcome.
  ///   - origin: The origin of the URL. A remote URL matches only routes with the access
  ///     ``RouteOrigin/remote``.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome that the handler returns.
  /// - Throws: The same errors as ``open(_:from:values:)``, or ``RouteError`` if the outcome has
  ///   another type.
  public nonisolated(nonsending) func object<Object>(
    for url: URL, as type: Object.Type = Object.self, from origin: RouteOrigin,
    values: RouteValues = RouteValues()
  ) async throws -> Object {
    try await open(url, from: origin, values: values).object(of: url.absoluteString, as: type, from: origin)
  }

  /// Returns the request for a URL before any redirection, or nil if no route matches.
  ///
  /// The method decodes the parameters, because a route that can't decode them doesn't match. It
  /// calls no interceptors. Routes that belong to another actor match only after they have been
  /// read; see ``scanImages()``.
  ///
  /// - Parameters:
  ///   - url: The URL to check.
  ///   - origin: The origin of the URL. A remote URL matches only routes with the access
  ///     ``RouteOrigin/remote``.
  public func canOpen(_ url: URL, from origin: RouteOrigin) -> RouteRequest? {
    guard let parts = try? URLParts(url.absoluteString) else { return nil }
    let request = RouteRequest(.url(url), in: self, origin: origin)
    let table = table()
    for candidate in table.candidates(for: parts, from: origin) {
      if let request = try? candidate.request(request, parts) { return request }
    }
    #if DEBUG
    // Code that asks first never opens the URL, which reports the route in every build.
    if origin == .remote, !table.candidates(for: parts, from: origin).contains(where: { _ in true }) {
      for candidate in table.candidates(for: parts, from: .local) { report(notRemote: candidate.handler) }
    }
    #endif
    return nil
  }

  // MARK: - Without waiting

  /// Opens a URL without waiting, and returns an outcome of the given type.
  ///
  /// ```swift
  /// let badge = try router.synchronousObject(for: url, as: BadgeView.self, from: .local)
  /// ```
  ///
  /// The handler must be an `#exportRoute` closure without `await`, or be registered with
  /// `registerSynchronous(_:handler:)`. All interceptors must be closures that don't wait. The
  /// router doesn't call ``onNotFound(fileID:line:_:)`` closures, which can wait. Routes that
  /// belong to another actor match only after they have been read; see ``scanImages()``.
  ///
  /// - Parameters:
  ///   - url: The URL to open.
  ///   - type: The type of the outcome.
  ///   - origin: The origin of the URL. A remote URL matches only routes with the access
  ///     ``RouteOrigin/remote``.
  ///   - values: Additional values that interceptors and the handler can read.
  /// - Returns: The outcome that the handler returns.
  /// - Throws: An error that the handler or an interceptor throws, or ``RouteError``, for example
  ///   if the handler or an interceptor can wait.
  @MainActor public func synchronousObject<Object>(
    for url: URL, as type: Object.Type = Object.self, from origin: RouteOrigin, values: RouteValues = RouteValues()
  ) throws -> Object {
    let pursuit = RoutePursuit(.url(url), in: self, from: origin, values)
    let end = beginObserving(pursuit.request)
    let result = Result { try openNow(pursuit) }.mapError { $0.ending(pursuit.first.label) }
    end?(result)
    return try result.get().object(of: url.absoluteString, as: type, from: origin)
  }

  /// Performs an action, given the names of the target and the action.
  ///
  /// ```swift
  /// let receipt = try await router.perform("orders", "show", ["id": 7])
  /// ```
  ///
  /// This method is for callers that can't name types, such as scripts and remote configuration. It
  /// performs only actions that are exported with `#exportAction` or registered. Interceptors and
  /// observers don't apply to actions.
  ///
  /// - Parameters:
  ///   - target: The name of the target that has the action.
  ///   - action: The name of the action.
  ///   - parameters: The values that the action's parameters are decoded from. Strings can
  ///     represent numbers and Boolean values.
  ///   - type: The type of the result. By default, the result can have any type.
  ///   - module: The module that contains the action, or nil if only one module has an action with
  ///     these names that the request can reach.
  ///   - origin: The origin of the request. A remote request reaches only actions with the access
  ///     ``RouteOrigin/remote``.
  /// - Returns: The result of the action, or `()` if the action returns nothing.
  /// - Throws: The error that the action throws, `CancellationError` if the task is canceled before
  ///   the action runs, or ``RouteError``, for example if the result has another type.
  @discardableResult
  public nonisolated(nonsending) func perform<Outcome>(
    _ target: String, _ action: String, _ parameters: [String: PropertyValue] = [:],
    as type: Outcome.Type = (any Sendable).self, module: String? = nil, from origin: RouteOrigin = .local
  ) async throws -> Outcome {
    let core = services.core
    defer { withExtendedLifetime(core) {} }
    await scanImages()
    let handler = try find(HandlerName(id: target, action: action), module, origin)
    var request = RouteRequest(in: self, origin: origin)
    #if DEBUG
    if !parameters.isEmpty { log.report(handler.unusedValues(parameters.keys)) }
    #endif
    do {
      request.parameters = try handler.decode?(RouteDecoder(.dictionary(parameters)))
    } catch {
      throw RouteError(
        .badParameters(pattern: nil), handler.name.text, handler.singleValue ?? error.decodingReason)
    }
    do {
      let value = try await nested(handler.name.text) { try await handler.open(request) }.erased
      if let outcome = value as? Outcome { return outcome }
      throw RouteError(.wrongType(expected: "\(type)", found: "\(Swift.type(of: value))"), handler.name.text)
    } catch {
      throw error.ending(handler.name.text)
    }
  }

  private func find(_ name: HandlerName, _ module: String?, _ origin: RouteOrigin) throws(RouteError) -> RouteHandler {
    let handlers = state.withLock { $0.used(name) }.ordered { $0.provenance.module < $1.provenance.module }
    let usable = handlers.filter { [nil, $0.provenance.module].contains(module) && origin.reaches($0.info.access) }
    if usable.count > 1 {
      throw RouteError(.ambiguousAction(modules: usable.map(\.provenance.module)), name.text)
    }
    if let handler = usable.first { return handler }
    if origin == .remote {
      // Don't tell a remote caller which actions it can't perform; report them to the app instead.
      for handler in handlers
      where handler.info.access == .local && [nil, handler.provenance.module].contains(module) {
        report(notRemote: handler)
      }
      var error = RouteError(.actionNotFound(module: module, nearest: nil), name.text)
      error.advice =
        "link the target that exports it, and pass 'access: .remote' to '#exportAction' if requests from outside the"
        + " app may perform it"
      throw error
    }
    let nearest =
      handlers.isEmpty
      ? name.text.nearest(in: state.withLock { $0.names(ofActions: true) })
      : "\(name.text) in \(handlers.map(\.provenance.module).joined(separator: ", "))"
    throw RouteError(.actionNotFound(module: module, nearest: nearest), name.text)
  }
}
