internal import Foundation
internal import Registry
internal import RoutePatterns

/// The state of the search for a handler that opens a request.
struct RoutePursuit {
  /// The target before redirections.
  let first: RouteTarget
  /// The origin of the request before an interceptor handed it off to the app.
  let firstOrigin: RouteOrigin
  /// The target that is searched for.
  var target: RouteTarget
  /// The request, without the route that it leads to.
  var start: RouteRequest
  /// The routes whose handlers declined the target.
  var declined: [String] = []
  /// The error of the first handler that declined the target.
  var problem: RouteError?

  init(_ target: RouteTarget, _ request: RouteRequest) {
    first = target
    firstOrigin = request.origin
    self.target = target
    start = request
  }

  /// Returns an error with only those names that the caller may know.
  ///
  /// A remote caller learns only about its own target, and not about an internal route to which an
  /// interceptor handed the request off.
  func reported(_ error: RouteError) -> RouteError {
    guard firstOrigin == .remote, start.origin == .local else { return error }
    return switch error {
    case .rejected(_, let reason): .rejected(route: first.label, reason: reason)
    case .declined(_, let reason): .declined(route: first.label, reason: reason)
    case .notSynchronous(_, let reason): .notSynchronous(route: first.label, reason: reason)
    case .redirectLoop: .redirectLoop(chain: [first.label])
    default: .notFound(target: first.label, nearest: nil, reason: nil)
    }
  }

  /// Continues with another target.
  mutating func redirect(to next: RouteTarget, from origin: RouteOrigin?) {
    start.redirects.append(target.label)
    if let origin { start = RouteRequest(start, from: origin) }
    target = next
    declined = []
    problem = nil
  }

  /// Continues with the next route that matches the target.
  mutating func skip(_ route: String, _ reason: RouteDeclined) {
    declined.append(route)
    problem = problem ?? .declined(route: route, reason: reason.reason)
  }
}

extension Router {
  /// The maximum number of redirections of a request.
  static let redirectLimit = 16

  /// Opens a target: finds its handler, calls the interceptors, and calls the handler.
  nonisolated(nonsending) func open(
    _ target: RouteTarget, from origin: RouteOrigin, _ values: RouteValues
  ) async throws -> Opened {
    let request = RouteRequest(target, RouteRequest(origin: origin, values: values))
    return try await observing(request) { try await follow(RoutePursuit(target, request)) }
  }

  private nonisolated(nonsending) func follow(_ pursuit: RoutePursuit) async throws -> Opened {
    var pursuit = pursuit
    while true {
      await load()
      try Task.checkCancellation()
      guard let found = try find(pursuit) else { return try await openNothing(pursuit) }
      var next: RouteDecision.Redirection?
      asking: for interceptor in state.withLock({ $0.interceptors.closures }) {
        switch try await interceptor.decide(found.request).kind {
        case .proceed: continue
        case .reject(let reason):
          throw pursuit.reported(.rejected(route: found.entry.handler.id, reason: reason))
        case .redirect(let other):
          next = other
          break asking
        }
      }
      // An interceptor can take a long time, for example for a login that the user cancels.
      try Task.checkCancellation()
      if let next {
        pursuit.redirect(to: next.target, from: next.origin)
      } else if isRegistered(found.entry) {
        do {
          let boxed = try await found.entry.handler.open(found.request)
          return Opened(boxed: boxed, route: found.entry.handler.id, request: found.request)
        } catch let declined as RouteDeclined {
          pursuit.skip(found.entry.handler.id, declined)
        }
      }
      // Otherwise, the handler was removed while interceptors ran: its image was closed, or its
      // token was canceled. Another handler may open the target, so search again.
    }
  }

  func isRegistered(_ entry: Entry<any RouteHandling>) -> Bool {
    scan(reportsUnread: false)
    return state.withLock { $0.routes[entry.handler.id]?.provenance.rank == entry.provenance.rank }
  }

  // MARK: - Search

  /// Returns the handler of a target and the request for it, or nil if the origin reaches none.
  func find(
    _ pursuit: RoutePursuit
  ) throws(RouteError) -> (entry: Entry<any RouteHandling>, request: RouteRequest)? {
    do throws(RouteError) {
      let found =
        switch pursuit.target {
        case .url(let url): try find(url, pursuit)
        case .route(let target): try find(target, pursuit)
        }
      // Check the limit after the route is found, because the error must not name a target that a
      // remote request cannot reach.
      if found != nil, pursuit.start.redirects.count > Self.redirectLimit {
        throw .redirectLoop(chain: pursuit.start.redirects + [pursuit.target.label])
      }
      return found
    } catch {
      throw pursuit.reported(error)
    }
  }

  private func find(
    _ target: TypedTarget, _ pursuit: RoutePursuit
  ) throws(RouteError) -> (entry: Entry<any RouteHandling>, request: RouteRequest)? {
    let start = pursuit.start
    guard let entry = state.withLock({ $0.routes[target.id] }), mayOpen(entry, start.origin),
      !pursuit.declined.contains(target.id)
    else { return nil }
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

  private func find(
    _ url: URL, _ pursuit: RoutePursuit
  ) throws(RouteError) -> (entry: Entry<any RouteHandling>, request: RouteRequest)? {
    guard let parts = try? URLParts(url.absoluteString) else { return nil }
    let (start, table) = (pursuit.start, knownTable())
    var problem: RouteError?
    for candidate in table.candidates(for: parts, from: start.origin)
    where !pursuit.declined.contains(candidate.entry.handler.id) {
      do {
        return (candidate.entry, try candidate.request(start, url, parts))
      } catch {
        // Another candidate may match. If none does, throw the error of the best candidate.
        problem = problem ?? candidate.problem(error)
      }
    }
    // A handler that declined has decoded its parameters, so its error is the more useful one.
    if let problem, pursuit.problem == nil { throw problem }
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

  // MARK: - Requests without a route

  /// Calls the handlers for missing routes, and throws an error if none responds.
  private nonisolated(nonsending) func openNothing(_ pursuit: RoutePursuit) async throws -> Opened {
    let request = RouteRequest(pursuit.target, pursuit.start)
    for handler in state.withLock({ $0.notFound.closures }).reversed() {
      if let value = try await handler(request) {
        return Opened(boxed: Boxed<any Sendable>(value: value), route: nil, request: request)
      }
    }
    throw failure(of: pursuit)
  }

  /// Returns the error of a request that no handler opened.
  func failure(of pursuit: RoutePursuit) -> RouteError {
    if let problem = pursuit.problem { return pursuit.reported(problem) }
    // A remote caller learns only about its own target, and not about one that the app redirects
    // to.
    if pursuit.firstOrigin == .remote {
      return .notFound(target: pursuit.first.label, nearest: nil, reason: nil)
    }
    switch pursuit.target {
    case .route(let route):
      let nearest = route.id.nearest(in: state.withLock { Array($0.routes.keys) })
      return .notFound(target: route.id, nearest: nearest, reason: nil)
    case .url(let url):
      let nearest = (try? URLParts(url.absoluteString)).flatMap { knownTable().nearest(to: $0) }
      return .notFound(target: pursuit.target.label, nearest: nearest?.text, reason: nearest?.reason)
    }
  }
}

extension RouteRequest {
  /// Creates a copy of a request with another origin.
  fileprivate init(_ other: RouteRequest, from origin: RouteOrigin) {
    self.init(origin: origin, values: other.values)
    redirects = other.redirects
  }

  /// Creates a request for a target with the origin, values, and redirections of another request.
  init(_ target: RouteTarget, _ other: RouteRequest) {
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

extension RouteOutcome {
  /// Returns the value as an object for the caller that opened a URL.
  ///
  /// - Throws: ``RouteError/wrongType(route:expected:found:)``. It does not name a route to which a
  ///   remote request was handed off.
  func object<Object>(for url: URL, as type: Object.Type, from origin: RouteOrigin) throws -> Object {
    if let object = value as? Object { return object }
    let isHandedOff = origin == .remote && request.origin == .local
    throw RouteError.wrongType(
      route: isHandedOff ? url.absoluteString : route ?? url.absoluteString, expected: "\(type)",
      found: isHandedOff ? "another type" : "\(Swift.type(of: value))")
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
    // A pattern with a fragment takes it for a path, which can have a query of its own.
    let query = parts.queryItems + (match.pattern.fragment == nil ? [] : parts.fragmentQueryItems)
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
