internal import Foundation
internal import Registry
internal import RoutePatterns

struct RoutePursuit {
  let first: RouteTarget
  let firstOrigin: RouteOrigin
  private(set) var target: RouteTarget
  /// The request for `target`. If the target is a URL, the request doesn't name a route yet.
  private(set) var request: RouteRequest
  private(set) var declined: [String] = []
  private(set) var problem: RouteError?
  /// The number of times that the handler was removed or replaced while interceptors ran.
  private(set) var changes = 0

  init(_ target: RouteTarget, in router: Router, from origin: RouteOrigin, _ values: RouteValues = RouteValues()) {
    first = target
    firstOrigin = origin
    self.target = target
    request = RouteRequest(target, in: router, origin: origin, values: values)
  }

  /// Returns an error without any names that the caller must not learn.
  ///
  /// A remote caller must not learn the name of an internal route that an interceptor handed the
  /// request off to.
  func reported(_ error: RouteError) -> RouteError {
    guard firstOrigin == .remote, request.origin == .local else { return error }
    let target = first.label
    return switch error.kind {
    case .rejected, .declined, .notSynchronous: RouteError(error.kind, target, error.reason)
    case .redirectLoop: RouteError(.redirectLoop(chain: [target]), target)
    default: .unreachable(first)
    }
  }

  /// Applies the interceptors' decision, and returns false if the request is redirected, or if its
  /// handler is no longer used.
  mutating func proceeds(
    _ decision: RouteDecision, to handler: RouteHandler, isUsed: Bool
  ) throws(RouteError) -> Bool {
    switch decision.kind {
    case .proceed:
      if !isUsed { changes += 1 }
      return isUsed
    case .reject(let reason): throw reported(RouteError(.rejected, handler.info.id, reason))
    case .redirect(let next, let origin):
      let redirects = request.redirects + [target.label]
      request = RouteRequest(next, in: request.opener, origin: origin ?? request.origin, values: request.values)
      request.redirects = redirects
      target = next
      declined = []
      problem = nil
      return false
    }
  }

  /// Returns the error for a synchronous request that would have to wait for a closure.
  func mustWait(_ handler: RouteHandler, _ closure: String) -> RouteError {
    reported(RouteError(.notSynchronous, handler.info.id, "\(closure) can wait"))
  }

  /// Records a handler that declined the request, so that the router tries the next match. Returns
  /// false for any other error.
  mutating func skips(_ handler: RouteHandler, _ error: RouteError) -> Bool {
    guard error.kind == .declining else { return false }
    declined.append(handler.info.id)
    problem = problem ?? RouteError(.declined, handler.info.id, error.reason)
    return true
  }
}

extension Router {
  typealias Found = (handler: RouteHandler, request: RouteRequest)

  static let redirectLimit = 16

  func open(_ pursuit: RoutePursuit, on isolation: isolated (any Actor)? = #isolation) async throws -> RouteOutcome {
    // Keep the manager alive during the request, because a manager's router doesn't retain it.
    let core = services.core
    defer { withExtendedLifetime(core) {} }
    let end = beginObserving(pursuit.request)
    do {
      let outcome = try await nested(pursuit.target.label) { try await follow(pursuit) }
      end?(.success(outcome))
      return outcome
    } catch {
      let error = error.ending(pursuit.first.label)
      end?(.failure(error))
      throw error
    }
  }

  /// Runs a request or an action that other ones can wait for, unless too many wait already.
  func nested<Result>(
    _ label: @autoclosure () -> String, on isolation: isolated (any Actor)? = #isolation,
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let nesting = try RequestNesting(label(), limit: 200)
    defer { withExtendedLifetime(nesting) {} }
    return try await RequestNesting.$current.withValue(.init(nesting)) {
      // Capture the parameter, so that the closure runs on the caller's actor.
      _ = isolation
      return try await body()
    }
  }

  @_optimize(speed) private nonisolated(nonsending) func follow(_ pursuit: RoutePursuit) async throws -> RouteOutcome {
    var pursuit = pursuit
    while true {
      await scanImages()
      try Task.checkCancellation()
      guard let (handler, request) = try find(pursuit) else { return try await openNothing(pursuit) }
      let interceptors = state.withLock { $0.interceptors.closures }
      var decision = RouteDecision.proceed
      for interceptor in interceptors where decision.proceeds {
        decision = try await interceptor.decide(request)
      }
      // Check again, because an interceptor can take a long time, for example for a login.
      try Task.checkCancellation()
      let isUsed = interceptors.isEmpty || isUsed(handler)
      guard try pursuit.proceeds(decision, to: handler, isUsed: isUsed) else { continue }
      do {
        return RouteOutcome(boxed: try await handler.open(request), request: request)
      } catch let error as RouteError {
        guard pursuit.skips(handler, error) else { throw error }
      }
    }
  }

  @MainActor func openNow(_ pursuit: RoutePursuit) throws -> RouteOutcome {
    let core = services.core
    defer { withExtendedLifetime(core) {} }
    // Fifty requests, at up to ten kilobytes each, fill half of the main thread's stack, which has
    // one megabyte on iOS.
    let nesting = try RequestNesting(pursuit.target.label, limit: 50, isSynchronous: true)
    defer { withExtendedLifetime(nesting) {} }
    return try RequestNesting.$current.withValue(.init(nesting)) { try followNow(pursuit) }
  }

  @MainActor private func followNow(_ pursuit: RoutePursuit) throws -> RouteOutcome {
    var pursuit = pursuit
    while true {
      scan()
      guard let (handler, request) = try find(pursuit) else { throw failure(of: pursuit) }
      let interceptors = state.withLock { $0.interceptors.closures }
      var decision = RouteDecision.proceed
      for interceptor in interceptors where decision.proceeds {
        guard let decide = interceptor.decideNow else { throw pursuit.mustWait(handler, "an interceptor") }
        decision = try decide(request)
      }
      let isUsed = interceptors.isEmpty || isUsed(handler)
      guard try pursuit.proceeds(decision, to: handler, isUsed: isUsed) else { continue }
      guard let open = handler.openNow else { throw pursuit.mustWait(handler, "its handler") }
      do {
        return RouteOutcome(boxed: try open(request), request: request)
      } catch let error as RouteError {
        guard pursuit.skips(handler, error) else { throw error }
      }
    }
  }

  /// Returns whether a handler is still in use after the interceptors have run.
  private func isUsed(_ handler: RouteHandler) -> Bool { self.handler(ofRoute: handler.info.id) === handler }

  // MARK: - Search

  /// Returns the handler that can open the target, with the request, or nil if no handler can.
  @_optimize(speed) private func find(_ pursuit: RoutePursuit) throws(RouteError) -> Found? {
    do throws(RouteError) {
      let found =
        switch pursuit.target {
        case .url(let url): try find(url, pursuit)
        case .route(let target): try find(target, pursuit)
        }
      // Check the limit after finding the route, because the error must not name a target that a
      // remote request can't reach.
      if found != nil, pursuit.request.redirects.count + pursuit.changes > Self.redirectLimit {
        let chain = pursuit.request.redirects + [pursuit.target.label]
        let wasReplaced = pursuit.changes > Self.redirectLimit
        let replacements =
          "the handler of \(pursuit.target.label.quotedForDisplay()) was replaced \(pursuit.changes) times while"
          + " interceptors ran; register it once, before the request"
        throw RouteError(.redirectLoop(chain: chain), chain[0], wasReplaced ? replacements : nil)
      }
      return found
    } catch {
      throw pursuit.reported(error)
    }
  }

  @_optimize(speed) private func find(_ target: TypedTarget, _ pursuit: RoutePursuit) throws(RouteError) -> Found? {
    guard let handler = state.withLock({ $0.route(target.id) }), mayOpen(handler, pursuit.request),
      !pursuit.declined.contains(target.id)
    else { return nil }
    guard handler.info.parameters == target.parametersType, handler.info.outcome == target.outcomeType else {
      throw RouteError(
        .wrongType(
          expected: "(\(target.parametersType)) -> \(target.outcomeType)",
          found: "(\(handler.info.parameters)) -> \(handler.info.outcome)"),
        target.id)
    }
    return (handler, pursuit.request)
  }

  @_optimize(speed) private func find(_ url: URL, _ pursuit: RoutePursuit) throws(RouteError) -> Found? {
    guard let parts = try? URLParts(url.absoluteString) else { return nil }
    let table = table(scans: false)
    var problem: RouteError?
    for candidate in table.candidates(for: parts, from: pursuit.request.origin)
    where !pursuit.declined.contains(candidate.handler.info.id) {
      do {
        return (candidate.handler, try candidate.request(pursuit.request, parts))
      } catch {
        // Try the next candidate. If no candidate can be decoded, throw the first error.
        problem =
          problem
          ?? RouteError(
            .badParameters(pattern: candidate.match.pattern.text), candidate.handler.info.id,
            error.decodingReason + candidate.match.pattern.omission(error))
      }
    }
    // If a handler declined, return nil, because the caller throws that handler's error.
    if let problem, pursuit.problem == nil { throw problem }
    if pursuit.request.origin == .remote {
      for candidate in table.candidates(for: parts, from: .local) { _ = mayOpen(candidate.handler, pursuit.request) }
    }
    return nil
  }

  /// Returns whether a request can open a route. If not, the method reports the route to the app,
  /// but not to the remote caller.
  private func mayOpen(_ handler: RouteHandler, _ request: RouteRequest) -> Bool {
    if request.origin.reaches(handler.info.access) { return true }
    report(
      notRemote: handler,
      request.redirects.isEmpty
        ? nil : "return '.handOff(route)' instead of '.redirect' from the interceptor to let the app open it")
    return false
  }

  func report(notRemote handler: RouteHandler, _ fix: String? = nil) {
    let isRoute = handler.info.action == nil
    log.report(
      Diagnostic(
        severity: .warning, code: .notRemote, subject: handler.name.text, image: handler.provenance.image,
        message:
          "a request from outside the app cannot \(isRoute ? "open this route" : "perform this action"), because its"
          + " access is local; \(fix ?? "declare it with 'access: .remote' to allow such requests")"))
  }

  // MARK: - Requests without a route

  private nonisolated(nonsending) func openNothing(_ pursuit: RoutePursuit) async throws -> RouteOutcome {
    var request = pursuit.request
    for handler in state.withLock({ $0.notFound.closures }).reversed() {
      // A closure that returns `Void` only observes the request.
      if let value = try await handler(request), !(value is Void) {
        request.routeID = nil
        return RouteOutcome(boxed: Boxed<any Sendable>(value: value), request: request) { self.failure(of: pursuit) }
      }
    }
    throw failure(of: pursuit)
  }

  private func failure(of pursuit: RoutePursuit) -> RouteError {
    if let problem = pursuit.problem { return pursuit.reported(problem) }
    // Don't tell a remote caller where the app redirected the request.
    let redirected = pursuit.request.redirects.last
    if pursuit.firstOrigin == .remote {
      #if DEBUG
      // Report this only in debug builds, so that remote callers can't fill the log.
      if let redirected, !finds(pursuit.target) {
        log.report(
          Diagnostic(
            severity: .warning, code: .routeNotFound, subject: pursuit.target.label, image: nil,
            message: "an interceptor redirected \(redirected.quotedForDisplay()) to it, but no route opens it; correct"
              + " the redirection, or link the target that exports the route"))
      }
      #endif
      var error = RouteError.unreachable(pursuit.first)
      // Other sources' advice contains the number of routes, which a remote caller must not learn.
      if source.isEmpty, let emptiness { error.advice = emptiness }
      error.search = { [weak self, target = pursuit.first] in
        self?.registrationElsewhere(of: target, from: .remote) ?? self?.nearestRemotePattern(to: target)
      }
      return error
    }
    var error = RouteError(.notFound(nearest: nil), pursuit.target.label)
    error.redirected = redirected
    let parts: URLParts? = if case .url(let url) = pursuit.target { try? URLParts(url.absoluteString) } else { nil }
    let nearest = parts.flatMap { table(scans: false).nearest(to: $0) }
    // One slash is another spelling of three, so its host can be empty on purpose.
    error.advice = emptiness ?? (nearest == nil ? pursuit.target.problem : nil)
    if error.advice != nil { return error }
    // Capture the router weakly, so that the error doesn't keep the router alive.
    error.search = { [weak self, target = pursuit.target] in
      // Requests don't reach the routers of parent managers, so suggest a parent's router.
      self?.services.core.lineage.dropFirst().contains { $0.unretained.router.finds(target) } == true
        ? "the router of the parent of its services opens it; use that router"
        : Self.group { $0.finds(target) } ?? self?.registrationElsewhere(of: target, from: .local)
    }
    switch pursuit.target {
    case .route(let route):
      error.kind = .notFound(nearest: route.id.nearest(in: state.withLock { $0.names() }))
    case .url:
      guard let parts else { return error }
      // A fallback such as `shop:**` matches misspelled URLs, too.
      let ignored = state.withLock { $0.ignored }.filter { handler in
        RouteTable([handler]) { _ in }.candidates(for: parts, from: .local)
          .contains { nearest == nil || !$0.match.pattern.isSchemeFallback }
      }
      if let handler = ignored.min(by: { $0.info.id < $1.info.id }) {
        error.advice =
          "the handler \(handler.provenance.label) is ignored, because the route"
          + " \(handler.info.id.quotedForDisplay()) already has one; give its route its own identifier"
      } else if let nearest {
        (error.kind, error.reason) = (.notFound(nearest: nearest.text), nearest.reason)
      }
    }
    return error
  }

  /// Returns a message that names another router's registration of a route, or nil.
  ///
  /// Only debug builds search, and only if one of the two routers is the shared one. The routers of
  /// parallel tests must not appear in each other's errors.
  private func registrationElsewhere(of target: RouteTarget, from origin: RouteOrigin) -> String? {
    #if DEBUG
    let routers = Self.registering.withLock { $0.values.compactMap { $0() } }
      .filter { $0 !== self && (self === Router.shared || $0 === Router.shared) }
    let locations = routers.compactMap { $0.handler(of: target, from: origin)?.provenance }
      .filter { $0.record == nil }.map(\.location)
    return locations.min().map {
      "code registered it at \($0.quotedForDisplay()) in another router; use 'context.services.router' in both places"
    }
    #else
    return nil
    #endif
  }

  /// Returns a message that names the remote pattern that a URL nearly matches, or nil.
  ///
  /// Only debug builds search. If a route opens the URL, its access or an interceptor is the
  /// problem.
  private func nearestRemotePattern(to target: RouteTarget) -> String? {
    #if DEBUG
    guard case .url(let url) = target, !finds(target), let parts = try? URLParts(url.absoluteString),
      let nearest = table(scans: false).nearest(to: parts, from: .remote)
    else { return nil }
    let pattern = nearest.text.quotedForDisplay()
    let reason = nearest.reason?.escapedForDisplay(limit: 1_000)
    return reason.map { "the pattern \(pattern) nearly matches, but \($0); correct the URL or the pattern" }
      ?? "did you mean \(pattern)?"
    #else
    return nil
    #endif
  }

  /// Returns a message that names the first group whose router meets a condition, or nil.
  ///
  /// The method creates routers for groups until one meets the condition, but calls no handlers.
  static func group(where isMet: (Router) -> Bool) -> String? {
    let groups = Set(RecordSource.records { $0.kind == .route && $0.group != nil }.records().compactMap(\.group))
    guard let group = groups.sorted().first(where: { isMet(Router(records: .group($0), onDiagnostic: { _ in })) })
    else { return nil }
    return "the group \(group.quotedForDisplay()) exports it; use the router of a manager with"
      + " \(RecordSource.argument(group))"
  }

  private func finds(_ target: RouteTarget) -> Bool { handler(of: target, from: .local) != nil }

  /// Returns a route's handler, or the first handler for a URL that the origin can reach; or nil.
  private func handler(of target: RouteTarget, from origin: RouteOrigin) -> RouteHandler? {
    switch target {
    case .route(let route): return handler(ofRoute: route.id)
    case .url(let url):
      guard let parts = try? URLParts(url.absoluteString) else { return nil }
      scan(reportsUnread: false)
      return table(scans: false).candidates(for: parts, from: origin).first { _ in true }?.handler
    }
  }

  func handler(ofRoute id: String) -> RouteHandler? {
    scan(reportsUnread: false)
    return state.withLock { $0.route(id) }
  }

  /// The reason why the router has no routes, with the fix, or nil if nothing is wrong.
  var emptiness: String? {
    guard state.withLock({ !$0.hasRoutes && $0.unread.isEmpty }) else { return nil }
    if source.isEmpty {
      return "its router reads no records, and no code registered a route; pass 'records: .loadedImages', or use the"
        + " router of a manager that reads records, as in 'context.services.router'"
    }
    let count = RecordSource.records { $0.kind == .route }.records().count
    if count == 0 { return nil }
    return "images export \(count.counted("route")), but its router reads none; correct the filter or the group"
      + " in 'records:'"
  }
}

/// A request in progress, with the request whose handler, interceptor, or other closure opened it.
///
/// References are weak, because a task can outlive the request that started it.
private final class RequestNesting: Sendable {
  struct Reference: Sendable {
    weak let nesting: RequestNesting?

    init(_ nesting: RequestNesting) { self.nesting = nesting }
  }

  @TaskLocal static var current: Reference?

  private let outer = RequestNesting.current
  private let isSynchronous: Bool

  /// - Throws: ``RouteError`` if at least `limit` requests wait for this one. For a synchronous
  ///   request, only the synchronous ones count, because the others use no stack.
  init(_ label: @autoclosure () -> String, limit: Int, isSynchronous: Bool = false) throws(RouteError) {
    self.isSynchronous = isSynchronous
    var (next, count) = (outer?.nesting, 0)
    while let nesting = next {
      if nesting.isSynchronous || !isSynchronous { count += 1 }
      next = nesting.outer?.nesting
    }
    guard count >= limit else { return }
    let label = label()
    throw RouteError(
      .redirectLoop(chain: [label]), label,
      "\(count)\(isSynchronous ? " synchronous" : "") requests wait for \(label.quotedForDisplay()), which is the"
        + " limit; if a handler, an interceptor, or a closure of 'onNotFound' opens another request each time it receives"
        + " one, let it return an outcome, or let the interceptor proceed if 'request.parameters(of:)' is not nil for that"
        + " route")
  }
}

extension PatternSyntax {
  /// The end of a message about a required property whose parameter the URL can omit.
  fileprivate func omission(_ error: any Error) -> String {
    // A match has the pattern without the segments that the URL omits.
    guard case DecodingError.keyNotFound(let key, let context) = error, context.codingPath.isEmpty,
      let whole = try? PatternSyntax(text)
    else { return "" }
    return whole.parameters.contains { $0.name == key.stringValue }
      ? ", which is optional in the pattern; make the property optional, too"
      : "; make the property optional if a URL can omit it, because the default of a property is not used"
  }
}

extension RouteTarget {
  /// The problem and the fix for a URL that can't be split, or lacks a scheme or slashes; or nil.
  fileprivate var problem: String? {
    guard case .url(let url) = self else { return nil }
    let text = url.absoluteString
    guard let scheme = url.scheme else {
      return "it has no scheme; write the scheme of the route's pattern and '://' before it"
    }
    do throws(URLPartsError) { _ = try URLParts(text) } catch { return error.reason }
    let rest = text.dropFirst(scheme.count + 1)
    if rest.hasPrefix("//") { return nil }
    let fixed = "\(scheme)://\(rest.drop { $0 == "/" })"
    return "two slashes must follow its scheme before the host; write \(fixed.quotedForDisplay())"
  }
}

extension RouteError {
  /// Returns the error for a remote request whose target doesn't exist or isn't remote.
  fileprivate static func unreachable(_ target: RouteTarget) -> RouteError {
    var error = RouteError(.notFound(nearest: nil), target.label)
    error.advice =
      target.problem
      ?? "link the target that exports the route, and declare it with 'access: .remote' and a pattern if requests from"
      + " outside the app may open it"
    return error
  }
}

extension RouteTable.Candidate {
  @_optimize(speed) func request(_ start: RouteRequest, _ parts: URLParts) throws -> RouteRequest {
    var request = start
    request.routeID = handler.info.id
    request.pattern = RoutePattern(match.pattern)
    request.isFallback = match.pattern.isSchemeFallback
    request.pathParameters = Dictionary(match.parameters.map { ($0.name, $0.value) }) { first, _ in first }
    request.remainingSegments = match.rest
    // If the pattern has a fragment, the URL's fragment is a path that can have its own query.
    let query = parts.queryItems + (match.pattern.fragment == nil ? [] : parts.fragmentQueryItems)
    request.queryItems = query.map { URLQueryItem(name: $0.name, value: $0.value) }
    request.fragment = parts.fragment
    request.parameters = try handler.decode?(RouteDecoder(path: match.parameters, query: query))
    return request
  }
}
