internal import Registry

/// An error that a router throws.
///
/// A router throws the errors of handlers and interceptors unchanged.
public enum RouteError: Error, Sendable, CustomStringConvertible {
  /// A URL or route without a handler, or one that the request cannot reach.
  ///
  /// The error is the same in both cases, so that a remote caller does not learn which routes
  /// exist.
  ///
  /// - Parameters:
  ///   - target: The URL, or the identifier of the route.
  ///   - nearest: A similar pattern or identifier, or nil. It is always nil for remote requests.
  ///   - reason: The reason why the URL does not match `nearest`. It is nil if there is no similar
  ///     pattern, or if only the spelling differs.
  case notFound(target: String, nearest: String?, reason: String?)

  /// A URL, or the parameters of an action, that cannot be decoded as the required parameters.
  case badParameters(route: String, pattern: String?, reason: String)

  /// A pattern parameter without a value in the parameters for which a URL is generated.
  case missingParameter(route: String, pattern: String, name: String)

  /// A URL that cannot be generated for another reason.
  case notGenerated(route: String, reason: String)

  /// A handler or an outcome with other types than the caller expects.
  case wrongType(route: String, expected: String, found: String)

  /// A request that an interceptor rejected.
  case rejected(route: String, reason: String)

  /// A request that its handlers declined with ``RouteDeclined``.
  ///
  /// - Parameters:
  ///   - route: The first route whose handler declined.
  ///   - reason: The reason that the handler gave.
  case declined(route: String, reason: String)

  /// A request of synchronous code whose handler or interceptor can wait.
  case notSynchronous(route: String, reason: String)

  /// A request that interceptors redirected too often.
  ///
  /// - Parameter chain: The URLs and the identifiers of routes in the order of redirections.
  case redirectLoop(chain: [String])

  /// An action that no module exports, or that the request cannot reach.
  case actionNotFound(target: String, action: String, module: String?, nearest: String?)

  /// An action that several modules export, in a request that names no module.
  case ambiguousAction(target: String, action: String, modules: [String])

  /// Returns a value as an outcome of the type that the caller expects.
  static func cast<Outcome>(_ value: any Sendable, of route: String) throws(RouteError) -> Outcome {
    if let outcome = value as? Outcome { return outcome }
    throw .wrongType(route: route, expected: "\(Outcome.self)", found: "\(type(of: value))")
  }

  /// A description of the problem and of its solution, which ends with a code.
  public var description: String {
    switch self {
    case .notFound(let target, let nearest?, let reason?):
      "no route opens \(target.quotedForDisplay()); the pattern \(nearest.quotedForDisplay()) nearly matches, but"
        + " \(reason.escapedForDisplay(limit: 1_000)); correct the URL or the pattern [route-not-found]"
    case .notFound(let target, let nearest, _):
      "no route opens \(target.quotedForDisplay()); link the target that exports the route, and declare the route with"
        + " 'access: .remote' if requests from outside the app may open it"
        + "\(part("; did you mean ", nearest, "?")) [route-not-found]"
    case .badParameters(let route, let pattern, let reason):
      "cannot decode the parameters of \(route.quotedForDisplay())\(part(" from the pattern ", pattern)):"
        + " \(reason.escapedForDisplay(limit: 1_000)) [bad-parameters]"
    case .missingParameter(let route, let pattern, let name):
      "cannot generate a URL for \(route.quotedForDisplay()): its parameters have no value for \((":" + name).quotedForDisplay()) in"
        + " \(pattern.quotedForDisplay()); add a property \(name.quotedForDisplay()) to them [missing-parameter]"
    case .notGenerated(let route, let reason):
      "cannot generate a URL for \(route.quotedForDisplay()): \(reason.escapedForDisplay(limit: 1_000))"
        + " [url-not-generated]"
    case .wrongType(let route, let expected, let found):
      "\(route.quotedForDisplay()) has the type \(found.quotedForDisplay()), but the request expects \(expected.quotedForDisplay()); check for two routes"
        + " with one identifier, two copies of one type, or a redirection to another route [wrong-route-type]"
    case .rejected(let route, let reason):
      "an interceptor rejected \(route.quotedForDisplay()): \(reason.escapedForDisplay()) [route-rejected]"
    case .declined(let route, let reason):
      "the handler of \(route.quotedForDisplay()) declined the request, and no other route opens it:"
        + " \(reason.escapedForDisplay(limit: 1_000)) [route-declined]"
    case .notSynchronous(let route, let reason):
      "synchronous code cannot open \(route.quotedForDisplay()), because \(reason); write 'try await"
        + " router.object(for:as:from:)' [not-synchronous]"
    case .redirectLoop(let chain):
      "too many redirections: \(chain.map { $0.quotedForDisplay() }.joined(separator: " → ")); let an interceptor proceed with the target"
        + " that it redirected to [redirect-loop]"
    case .actionNotFound(let target, let action, let module, let nearest):
      "no action \("\(target).\(action)".quotedForDisplay())\(part(" in the module ", module)) is available to this"
        + " request; export it with '#exportAction', and link the target that exports it"
        + "\(part("; did you mean ", nearest, "?")) [action-not-found]"
    case .ambiguousAction(let target, let action, let modules):
      "several modules export the action \("\(target).\(action)".quotedForDisplay()); pass one of"
        + " \(modules.map { $0.quotedForDisplay() }.joined(separator: ", ")) as 'module' [ambiguous-action]"
    }
  }
}

/// An error that a handler throws to pass a request to the next route that matches its URL.
///
/// ```swift
/// #exportRoute(.orderDetail) { link in
///   guard let order = orders[link.id] else { throw RouteDeclined("no order \(link.id)") }
///   return OrderScreen(order)
/// }
/// ```
///
/// The router continues with the next route in the order of precedence, whose interceptors and
/// handler it calls, and then with the closures of ``Router/onNotFound(_:)``. If none opens the
/// URL, it throws ``RouteError/declined(route:reason:)`` with the first handler's reason. A request
/// for a typed route has no next route. A handler should decline before it has any effect.
public struct RouteDeclined: Error, Sendable, Hashable {
  /// The reason, for ``RouteError/declined(route:reason:)``.
  public let reason: String

  /// Creates an error with a reason.
  public init(_ reason: String) {
    self.reason = reason
  }
}

/// Returns a quoted name between two texts, or nothing if there is no name.
private func part(_ start: String, _ name: String?, _ end: String = "") -> String {
  name.map { start + $0.quotedForDisplay() + end } ?? ""
}
