public import Foundation
internal import Registry
internal import RoutePatterns

extension Router {
  /// The maximum number of redirections of a request.
  static let redirectLimit = 16

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
    let opened = try await open(.route(target), from: .local, values)
    if let boxed = opened.boxed as? Boxed<Outcome> { return boxed.value }
    // The request was redirected to another route, or a handler for missing routes responded.
    if let value = opened.outcome.value as? Outcome { return value }
    throw RouteError.wrongType(
      route: opened.outcome.route ?? target.id, expected: "\(Outcome.self)", found: "\(type(of: opened.outcome.value))")
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
  ///     in any spelling.
  ///   - values: Additional values that interceptors and the handler can read. None of them comes
  ///     from the URL.
  /// - Returns: The outcome that the handler returns, with its route and request.
  /// - Throws: ``RouteError``, or the error that the handler or an interceptor throws.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: URL, from origin: RouteOrigin = .local, values: RouteValues = RouteValues()
  ) async throws -> RouteOutcome {
    try await open(.url(url), from: origin, values).outcome
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
    for url: URL, as type: Object.Type = Object.self, from origin: RouteOrigin = .local,
    values: RouteValues = RouteValues()
  ) async throws -> Object {
    let outcome = try await open(url, from: origin, values: values)
    guard let object = outcome.value as? Object else {
      throw RouteError.wrongType(
        route: outcome.route ?? url.absoluteString, expected: "\(type)", found: "\(Swift.type(of: outcome.value))")
    }
    return object
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
  public func canOpen(_ url: URL, from origin: RouteOrigin = .local) -> RouteMatch? {
    guard let parts = try? URLParts(url.absoluteString) else { return nil }
    for candidate in currentTable().candidates(for: parts, from: origin) {
      guard let request = try? candidate.request(RouteRequest(origin: origin, values: RouteValues()), url, parts) else {
        continue
      }
      return RouteMatch(
        route: candidate.entry.handler.id, pattern: RoutePattern(candidate.match.pattern),
        isFallback: request.isFallback)
    }
    return nil
  }

  // MARK: - Requests

  /// Opens a target: finds its handler, calls the interceptors, and calls the handler.
  private nonisolated(nonsending) func open(
    _ target: RouteTarget, from origin: RouteOrigin, _ values: RouteValues
  ) async throws -> Opened {
    let request = RouteRequest(target, RouteRequest(origin: origin, values: values))
    return try await observing(request) { try await follow(target, request) }
  }

  private nonisolated(nonsending) func follow(_ first: RouteTarget, _ request: RouteRequest) async throws -> Opened {
    var (target, start) = (first, request)
    while true {
      await load()
      guard let found = try find(target, start) else { return try await openNothing(target, start, first) }
      // Check the limit after the route is found, because the error must not name a target that a
      // remote request cannot reach.
      guard start.redirects.count <= Self.redirectLimit else {
        throw RouteError.redirectLoop(chain: start.redirects + [target.label])
      }
      var next: RouteTarget?
      asking: for interceptor in state.withLock({ $0.interceptors.closures }) {
        switch try await interceptor(found.request).kind {
        case .proceed: continue
        case .reject(let reason): throw RouteError.rejected(route: found.entry.handler.id, reason: reason)
        case .redirect(let other):
          next = other
          break asking
        }
      }
      if let next {
        start.redirects.append(target.label)
        target = next
      } else if isRegistered(found.entry) {
        let boxed = try await found.entry.handler.open(found.request)
        return Opened(boxed: boxed, route: found.entry.handler.id, request: found.request)
      }
      // Otherwise, the handler was removed while interceptors ran: its image was closed, or its
      // token was canceled. Another handler may open the target, so search again.
    }
  }

  private func isRegistered(_ entry: Entry<any RouteHandling>) -> Bool {
    scan(reportsUnread: false)
    return state.withLock { $0.routes[entry.handler.id]?.provenance.rank == entry.provenance.rank }
  }

  /// Returns the handler of a target and the request for it, or nil if the origin reaches none.
  private func find(
    _ target: RouteTarget, _ start: RouteRequest
  ) throws -> (entry: Entry<any RouteHandling>, request: RouteRequest)? {
    switch target {
    case .url(let url): return try find(url, start)
    case .route(let target):
      guard let entry = state.withLock({ $0.routes[target.id] }), mayOpen(entry, start.origin) else { return nil }
      let handler = entry.handler
      guard handler.parametersType == target.parametersType, handler.outcomeType == target.outcomeType else {
        throw RouteError.wrongType(
          route: handler.id, expected: "(\(target.parametersType)) -> \(target.outcomeType)",
          found: "(\(handler.parametersType)) -> \(handler.outcomeType)")
      }
      var request = RouteRequest(.route(target), start)
      request.parameters = target.parameters
      return (entry, request)
    }
  }

  private func find(
    _ url: URL, _ start: RouteRequest
  ) throws -> (entry: Entry<any RouteHandling>, request: RouteRequest)? {
    guard let parts = try? URLParts(url.absoluteString) else { return nil }
    let table = knownTable()
    var problem: RouteError?
    for candidate in table.candidates(for: parts, from: start.origin) {
      do {
        return (candidate.entry, try candidate.request(start, url, parts))
      } catch {
        // Another candidate may match. If none does, throw the error of the best candidate.
        problem = problem ?? candidate.problem(error)
      }
    }
    if let problem { throw problem }
    if start.origin == .remote {
      for candidate in table.candidates(for: parts, from: .local) { _ = mayOpen(candidate.entry, .remote) }
    }
    return nil
  }

  /// Returns whether a request can open a route.
  ///
  /// If not, a diagnostic informs the app, and the remote caller receives no hint.
  private func mayOpen(_ entry: Entry<any RouteHandling>, _ origin: RouteOrigin) -> Bool {
    if origin.reaches(entry.handler.access) { return true }
    log.report(
      Diagnostic(
        severity: .warning, code: .notRemote, subject: entry.handler.id, image: entry.provenance.image,
        message:
          "a request from outside the app cannot open this route, because its access is internal; declare it with"
          + " 'access: .remote' to allow such requests"))
    return false
  }

  /// Calls the handlers for missing routes, and throws an error if none responds.
  ///
  /// - Parameter first: The target before redirections.
  private nonisolated(nonsending) func openNothing(
    _ target: RouteTarget, _ start: RouteRequest, _ first: RouteTarget
  ) async throws -> Opened {
    let request = RouteRequest(target, start)
    for handler in state.withLock({ $0.notFound.closures }).reversed() {
      if let value = try await handler(request) {
        return Opened(boxed: Boxed<any Sendable>(value: value), route: nil, request: request)
      }
    }
    // A remote caller learns only about its own target, and not about one that the app redirects
    // to.
    if request.origin == .remote { throw RouteError.notFound(target: first.label, nearest: nil) }
    throw RouteError.notFound(target: target.label, nearest: nearest(to: target))
  }

  /// Returns the name of a route or pattern that is similar to a missing target, or nil.
  private func nearest(to target: RouteTarget) -> String? {
    switch target {
    case .route(let target): return target.id.nearest(in: state.withLock { Array($0.routes.keys) })
    case .url(let url): return (try? URLParts(url.absoluteString)).flatMap { knownTable().nearest(to: $0) }
    }
  }
}

extension RouteRequest {
  /// Creates a request for a target with the origin, values, and redirections of another request.
  fileprivate init(_ target: RouteTarget, _ other: RouteRequest) {
    self.init(origin: other.origin, values: other.values)
    redirects = other.redirects
    switch target {
    case .url(let url): self.url = url
    case .route(let target): route = target.id
    }
  }
}

/// The outcome of a request, with and without its static type.
struct Opened: Sendable {
  let boxed: any Sendable
  let outcome: RouteOutcome

  init(boxed: any Sendable, route: String?, request: RouteRequest) {
    self.boxed = boxed
    let value = (boxed as? any AnyBoxed)?.erased ?? boxed
    outcome = RouteOutcome(route: route, value: value, request: request)
  }
}

extension RouteTable.Candidate {
  /// Returns the request that the handler receives, with decoded parameters.
  ///
  /// - Throws: The error of the decoding.
  func request(_ start: RouteRequest, _ url: URL, _ parts: URLParts) throws -> RouteRequest {
    var request = RouteRequest(.url(url), start)
    request.route = entry.handler.id
    request.pattern = RoutePattern(match.pattern)
    request.isFallback = match.pattern.isSchemeFallback
    request.pathParameters = Dictionary(match.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    request.rest = match.rest
    let query = parts.queryItems
    request.query = query.map { URLQueryItem(name: $0.name, value: $0.value) }
    request.fragment = parts.fragment
    request.parameters = try entry.handler.parameters(
      RouteArguments(path: match.parameters, query: query.map { ($0.name, $0.value) }))
    return request
  }

  /// Returns the error for parameters that cannot be decoded.
  func problem(_ error: any Error) -> RouteError {
    .badParameters(
      route: entry.handler.id, pattern: match.pattern.text, reason: (error as? DecodingError)?.reason ?? "\(error)")
  }
}
