package import Registry

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

  /// Creates an error for parameters whose decoding threw an error.
  static func badParameters(route: String, pattern: String?, _ error: any Error) -> RouteError {
    .badParameters(route: route, pattern: pattern, reason: (error as? DecodingError)?.reason ?? "\(error)")
  }

  /// The code of the problem, which ends the description.
  package var code: Diagnostic.Code {
    switch self {
    case .notFound: .routeNotFound
    case .badParameters: .badParameters
    case .missingParameter: .missingParameter
    case .notGenerated: .urlNotGenerated
    case .wrongType: .wrongRouteType
    case .rejected: .routeRejected
    case .declined: .routeDeclined
    case .notSynchronous: .notSynchronous
    case .redirectLoop: .redirectLoop
    case .actionNotFound: .actionNotFound
    case .ambiguousAction: .ambiguousAction
    }
  }

  /// A description of the problem and of its solution.
  public var description: String { "\(text) [\(code)]" }

  private var text: String {
    switch self {
    case .notFound(let target, let nearest?, let reason?):
      "no route opens \(target.quotedForDisplay()); the pattern \(nearest.quotedForDisplay()) nearly matches, but"
        + " \(reason.escapedForDisplay(limit: 1_000)); correct the URL or the pattern"
    case .notFound(let target, let nearest, _):
      "no route opens \(target.quotedForDisplay()); link the target that exports the route, and declare the route with"
        + " 'access: .remote' if requests from outside the app may open it" + part("; did you mean ", nearest, "?")
    case .badParameters(let route, let pattern, let reason):
      "cannot decode the parameters of \(route.quotedForDisplay())\(part(" from the pattern ", pattern)):"
        + " \(reason.escapedForDisplay(limit: 1_000))"
    case .missingParameter(let route, let pattern, let name):
      "cannot generate a URL for \(route.quotedForDisplay()): its parameters have no value for \((":" + name).quotedForDisplay()) in"
        + " \(pattern.quotedForDisplay()); add a property \(name.quotedForDisplay()) to them"
    case .notGenerated(let route, let reason):
      "cannot generate a URL for \(route.quotedForDisplay()): \(reason.escapedForDisplay(limit: 1_000))"
    case .wrongType(let route, let expected, let found):
      "\(route.quotedForDisplay()) has the type \(found.quotedForDisplay()), but the request expects \(expected.quotedForDisplay()); check for two routes"
        + " with one identifier, two copies of one type, or a redirection to another route"
    case .rejected(let route, let reason):
      "an interceptor rejected \(route.quotedForDisplay()): \(reason.escapedForDisplay())"
    case .declined(let route, let reason):
      "the handler of \(route.quotedForDisplay()) declined the request, and no other route opens it:"
        + " \(reason.escapedForDisplay(limit: 1_000))"
    case .notSynchronous(let route, let reason):
      "synchronous code cannot open \(route.quotedForDisplay()), because \(reason); write 'try await"
        + " router.object(for:as:from:)'"
    case .redirectLoop(let chain):
      "too many redirections: \(chain.map { $0.quotedForDisplay() }.joined(separator: " → ")); let an interceptor proceed with the target"
        + " that it redirected to"
    case .actionNotFound(let target, let action, let module, let nearest):
      "no action \(quotedAction(target, action))\(part(" in the module ", module)) is available to this request;"
        + " export it with '#exportAction', and link the target that exports it" + part("; did you mean ", nearest, "?")
    case .ambiguousAction(let target, let action, let modules):
      "several modules export the action \(quotedAction(target, action)); pass one of"
        + " \(modules.map { $0.quotedForDisplay() }.joined(separator: ", ")) as 'module'"
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

private func quotedAction(_ target: String, _ action: String) -> String {
  "'\(target.escapedForDisplay()).\(action.escapedForDisplay())'"
}

/// Returns a quoted name between two texts, or nothing if there is no name.
private func part(_ start: String, _ name: String?, _ end: String = "") -> String {
  name.map { start + $0.quotedForDisplay() + end } ?? ""
}

extension Diagnostic.Code {
  /// A URL or route that no handler opens for the request.
  package static let routeNotFound = Self(rawValue: "route-not-found")
  /// Parameters of a route or an action that cannot be decoded.
  package static let badParameters = Self(rawValue: "bad-parameters")
  /// A parameter of a pattern without a value for the URL.
  package static let missingParameter = Self(rawValue: "missing-parameter")
  /// A URL that cannot be generated.
  package static let urlNotGenerated = Self(rawValue: "url-not-generated")
  /// A handler or an outcome with other types than the caller expects.
  package static let wrongRouteType = Self(rawValue: "wrong-route-type")
  /// A request that an interceptor rejected.
  package static let routeRejected = Self(rawValue: "route-rejected")
  /// A request that the handlers of all its routes declined.
  package static let routeDeclined = Self(rawValue: "route-declined")
  /// A request of synchronous code that would have to wait.
  package static let notSynchronous = Self(rawValue: "not-synchronous")
  /// A request that was redirected too often.
  package static let redirectLoop = Self(rawValue: "redirect-loop")
  /// An action that no module exports for the request.
  package static let actionNotFound = Self(rawValue: "action-not-found")
  /// An action that several modules export.
  package static let ambiguousAction = Self(rawValue: "ambiguous-action")
}
