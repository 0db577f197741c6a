public import Foundation
internal import Registry
internal import RoutePatterns

extension Router {
  /// How often one opening may be redirected.
  static let redirectLimit = 16

  // MARK: - By route

  /// Opens a route.
  ///
  /// - Parameter values: What interceptors and the handler may want to know besides.
  /// - Returns: What its handler makes.
  /// - Throws: ``RouteError``, and what the handler throws, as it is.
  @discardableResult
  public nonisolated(nonsending) func open<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Parameters, values: RouteValues = RouteValues()
  ) async throws -> Outcome {
    let target = TypedTarget(route, parameters)
    let opened = try await open(.route(target), from: .local, values)
    if let boxed = opened.boxed as? Boxed<Outcome> { return boxed.value }
    // Another route, or what answers for what was not found.
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
  /// - Parameters:
  ///   - url: As it came.
  ///   - origin: `.remote` for what comes from outside the app, deep links and notifications: it reaches nothing but routes that
  ///     say `access: .remote`, however the URL is spelt.
  ///   - values: What interceptors and the handler may want to know besides. Nothing of the URL is among them.
  /// - Returns: What came of it, and which route it was.
  /// - Throws: ``RouteError``, and what the handler throws, as it is.
  @discardableResult
  public nonisolated(nonsending) func open(
    _ url: URL, from origin: RouteOrigin = .local, values: RouteValues = RouteValues()
  ) async throws -> RouteOutcome {
    try await open(.url(url), from: origin, values).outcome
  }

  /// Opens a URL whose route makes something.
  ///
  /// - Returns: What its handler made.
  /// - Throws: ``RouteError``, also if that is of another type, and what the handler throws, as it is.
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

  /// Which route a URL would open; nil if none.
  ///
  /// Makes the parameters, so that what they refuse is no match. Asks no interceptor.
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

  // MARK: - The way

  /// Finds, asks interceptors, and calls the handler.
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
      // Not before it was found: what may not be opened from there is not named either.
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
      // Else its image was closed, or its token was cancelled, while interceptors took their time: another may open it.
    }
  }

  private func isRegistered(_ entry: Entry<any RouteHandling>) -> Bool {
    scan(reportsUnread: false)
    return state.withLock { $0.routes[entry.handler.id]?.provenance.rank == entry.provenance.rank }
  }

  /// What opens a target, and the request as its handler gets it; nil if nothing does that may from there.
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
        // The next one may do. If none does, what was wrong with the best one is what counts.
        problem = problem ?? candidate.problem(error)
      }
    }
    if let problem { throw problem }
    if start.origin == .remote {
      for candidate in table.candidates(for: parts, from: .local) { _ = mayOpen(candidate.entry, .remote) }
    }
    return nil
  }

  /// Whether a route may be opened from somewhere. If not, that is for the app to know and for nobody outside.
  private func mayOpen(_ entry: Entry<any RouteHandling>, _ origin: RouteOrigin) -> Bool {
    if origin.reaches(entry.handler.access) { return true }
    log.report(
      Diagnostic(
        severity: .warning, code: .notRemote, subject: entry.handler.id, image: entry.provenance.image,
        message:
          "it was to be opened from outside, which is not for it: write `access: .remote` where it is declared, if that"
          + " is meant"))
    return false
  }

  /// Asks those who answer for what was not found.
  ///
  /// - Parameter first: What was asked for, before redirections.
  private nonisolated(nonsending) func openNothing(
    _ target: RouteTarget, _ start: RouteRequest, _ first: RouteTarget
  ) async throws -> Opened {
    let request = RouteRequest(target, start)
    for handler in state.withLock({ $0.notFound.closures }).reversed() {
      if let value = try await handler(request) {
        return Opened(boxed: Boxed<any Sendable>(value: value), route: nil, request: request)
      }
    }
    // Those outside hear of what they asked for, and not of where the app would have sent them.
    if request.origin == .remote { throw RouteError.notFound(target: first.label, nearest: nil) }
    throw RouteError.notFound(target: target.label, nearest: nearest(to: target))
  }

  /// What was meant by what nothing opens.
  private func nearest(to target: RouteTarget) -> String? {
    switch target {
    case .route(let target): return target.id.nearest(in: state.withLock { Array($0.routes.keys) })
    case .url(let url): return (try? URLParts(url.absoluteString)).flatMap { knownTable().nearest(to: $0) }
    }
  }
}

extension RouteRequest {
  /// A request for something, from where and with what another one was.
  fileprivate init(_ target: RouteTarget, _ other: RouteRequest) {
    self.init(origin: other.origin, values: other.values)
    redirects = other.redirects
    switch target {
    case .url(let url): self.url = url
    case .route(let target): route = target.id
    }
  }
}

/// What came of an opening, under the type that the handler says.
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
  /// The request as the handler gets it, with the parameters.
  ///
  /// - Throws: What the parameters' decoding throws.
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

  /// What is said of parameters that cannot be made.
  func problem(_ error: any Error) -> RouteError {
    .badParameters(
      route: entry.handler.id, pattern: match.pattern.text, reason: (error as? DecodingError)?.reason ?? "\(error)")
  }
}
