public import Registry

/// An error that a router throws.
///
/// A router rethrows errors from handlers and interceptors, except ``declined(_:)``.
///
/// ```swift
/// do {
///   try await router.open(url, from: .remote)
/// } catch let error as RouteError where error.code == "route-rejected" {
///   show(error.reason)
/// }
/// ```
public struct RouteError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// A URL or route that has no handler, or that the request can't reach.
    ///
    /// Both cases have the same error, so that a remote caller doesn't learn which routes exist.
    /// For the same reason, errors for remote requests suggest no similar identifier, and only in
    /// debug builds a similar pattern, of a remote route.
    case notFound(nearest: String?)
    /// A URL, or the parameters of an action, that can't be decoded as the required parameters.
    case badParameters(pattern: String?)
    /// A pattern parameter without a value in the route's parameters, when a URL is generated.
    case missingParameter(pattern: String, name: String)
    /// A URL that can't be generated for another reason.
    case notGenerated
    /// A handler or an outcome with types that the caller doesn't expect.
    case wrongType(expected: String, found: String)
    /// A request that an interceptor rejected.
    case rejected
    /// The error that a handler throws to decline a request.
    case declining
    /// A request that its handlers declined, with the first handler's route and reason.
    case declined
    /// A synchronous request whose handler or interceptors can wait.
    case notSynchronous
    /// A request that was redirected too often, or whose handler was, or requests that are nested
    /// too deeply.
    case redirectLoop(chain: [String])
    /// An action that doesn't exist, or that the request can't reach.
    case actionNotFound(module: String?, nearest: String?)
    /// An action that exists in several modules, in a request that names no module.
    case ambiguousAction(modules: [String])
  }

  package internal(set) var kind: Kind
  /// The URL, the identifier of the route, or the names of the action, such as `orders.show`.
  ///
  /// It's empty in an error from ``declined(_:)`` that no router has caught.
  public let target: String
  /// The reason from an interceptor, a handler, or the router; nil if the code is sufficient.
  public internal(set) var reason: String?
  /// The fix for a missing route or action, or nil to use the result of ``search`` or a default.
  var advice: String?
  /// A closure that finds a better fix than ``advice``. It searches other routers, so only the
  /// description calls it.
  var search: (@Sendable () -> String?)?
  /// The target that an interceptor last redirected a local request from, or nil.
  var redirected: String?

  init(_ kind: Kind, _ target: String, _ reason: String? = nil) {
    self.kind = kind
    self.target = target
    self.reason = reason
  }

  /// Returns an error that a handler throws to pass a request to the next route that matches its
  /// URL.
  ///
  /// ```swift
  /// #exportRoute(.orderDetail) { link in
  ///   guard let order = orders[link.id] else { throw RouteError.declined("no order \(link.id)") }
  ///   return OrderScreen(order)
  /// }
  /// ```
  ///
  /// The router tries the next route in order of precedence, calling the interceptors and that
  /// route's handler, and finally the ``Router/onNotFound(fileID:line:_:)`` closures. If no route
  /// and no closure opens the URL, the router throws an error with the code `route-declined` and
  /// the first handler's reason. A request for a typed route has no next route. A handler should
  /// decline before it has any effect.
  ///
  /// - Parameter reason: The ``reason`` of the error that the router throws.
  public static func declined(_ reason: String) -> RouteError { RouteError(.declining, "", reason) }

  /// The code of the problem, which Diagnostics.md explains.
  public var code: Diagnostic.Code {
    switch kind {
    case .notFound: .routeNotFound
    case .badParameters: "bad-parameters"
    case .missingParameter: "missing-parameter"
    case .notGenerated: "url-not-generated"
    case .wrongType: "wrong-route-type"
    case .rejected: "route-rejected"
    case .declining, .declined: "route-declined"
    case .notSynchronous: "not-synchronous"
    case .redirectLoop: "redirect-loop"
    case .actionNotFound: "action-not-found"
    case .ambiguousAction: "ambiguous-action"
    }
  }

  /// A description of the problem and its fix, ending with the code.
  public var description: String { "\(text) [\(code)]" }

  private var text: String {
    let (name, reason) = (target.quotedForDisplay(), reason?.escapedForDisplay(limit: 1_000) ?? "")
    let redirection = part(", to which an interceptor redirected ", redirected)
    return switch kind {
    case .notFound(let nearest?) where self.reason != nil:
      "no route opens \(name)\(redirection); \(search?().map { "\($0); in this router, " } ?? "")the pattern"
        + " \(nearest.quotedForDisplay()) nearly matches, but \(reason); correct the URL or the pattern"
    case .notFound(let nearest):
      "no route opens \(name)\(redirection); "
        + (search?() ?? advice
          ?? "export the route with '#exportRoute' or '@ExportRoute', and link the target that exports it")
        + part("; did you mean ", nearest, "?")
    case .badParameters(let pattern):
      "cannot decode the parameters of \(name)\(part(" from the pattern ", pattern)): \(reason)"
    case .missingParameter(let pattern, let parameter):
      "cannot generate a URL for \(name): its parameters have no value for \((":" + parameter).quotedForDisplay()) in"
        + " \(pattern.quotedForDisplay()); add or set the property \(parameter.quotedForDisplay())"
    case .notGenerated: "cannot generate a URL for \(name): \(reason)"
    case .wrongType(let expected, let found):
      "\(name) has the type \(found.quotedForDisplay()), but the request expects \(expected.quotedForDisplay());"
        + " check the type in 'as:', and for two routes with one identifier, two copies of one type, or a redirection to"
        + " another route"
    case .rejected: "an interceptor rejected \(name): \(reason)"
    case .declining, .declined:
      "the request for \(name) was declined, and no other route opens it: \(reason)"
    case .notSynchronous:
      "synchronous code cannot open \(name), because \(reason); write 'try await router.object(for:as:from:)'"
    case .redirectLoop where self.reason != nil: reason
    case .redirectLoop(let chain):
      "too many redirections: \(chain.map { $0.quotedForDisplay() }.joined(separator: " → ")); let an interceptor"
        + " proceed with the target that it redirected to"
    case .actionNotFound(let module, let nearest):
      "no action \(name)\(part(" in the module ", module)) is available to this request; "
        + (advice ?? "export it with '#exportAction', and link the target that exports it")
        + part("; did you mean ", nearest, "?")
    case .ambiguousAction(let modules):
      "several modules export the action \(name); pass one of"
        + " \(modules.map { $0.quotedForDisplay() }.joined(separator: ", ")) as 'module'"
    }
  }
}

extension Error {
  /// Returns the error that the caller of a request receives.
  ///
  /// A decline ends only the request whose handler or closure threw it. If a handler made that
  /// request, the handler itself did not decline.
  func ending(_ target: String) -> any Error {
    guard let error = self as? RouteError, error.kind == .declining else { return self }
    return RouteError(.declined, target, error.reason)
  }
}

private func part(_ start: String, _ name: String?, _ end: String = "") -> String {
  name.map { start + $0.quotedForDisplay() + end } ?? ""
}
