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
  case notFound(target: String, nearest: String?)

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

  /// A request that interceptors redirected too often.
  ///
  /// - Parameter chain: The URLs and the identifiers of routes in the order of redirections.
  case redirectLoop(chain: [String])

  /// An action that no module exports, or that the request cannot reach.
  case actionNotFound(target: String, action: String, module: String?, nearest: String?)

  /// An action that several modules export, in a request that names no module.
  case ambiguousAction(target: String, action: String, modules: [String])

  /// A description of the problem and of its solution.
  public var description: String {
    switch self {
    case .notFound(let target, let nearest):
      let hint = nearest.map { "; there is \($0.escapedForDisplay()), is that meant?" } ?? "."
      return
        "nothing here opens \(target.escapedForDisplay())\(hint) Is the target that exports the route linked, and may"
        + " it be opened from there?"
    case .badParameters(let route, let pattern, let reason):
      let source = pattern.map { " by \($0.escapedForDisplay())" } ?? ""
      return
        "the parameters of \(route.escapedForDisplay())\(source) are not what it wants: \(reason.escapedForDisplay(limit: 1_000))"
    case .missingParameter(let route, let pattern, let name):
      return "no URL of \(route.escapedForDisplay()): its parameters have no value for"
        + " :\(name.escapedForDisplay()) of \(pattern.escapedForDisplay()); give them a property \(name.escapedForDisplay())"
    case .notGenerated(let route, let reason):
      return "no URL of \(route.escapedForDisplay()): \(reason.escapedForDisplay(limit: 1_000))"
    case .wrongType(let route, let expected, let found):
      return "\(route.escapedForDisplay()) is of type \(found.escapedForDisplay()), and \(expected.escapedForDisplay())"
        + " was asked for: two routes of one id, two copies of one type, or a redirection to another route"
    case .rejected(let route, let reason):
      return "\(route.escapedForDisplay()) was not opened: \(reason.escapedForDisplay())"
    case .redirectLoop(let chain):
      return "redirected too often: \(chain.map { $0.escapedForDisplay() }.joined(separator: " → "));"
        + " let an interceptor proceed where it has redirected to"
    case .actionNotFound(let target, let action, let module, let nearest):
      let hint = nearest.map { "; there is \($0.escapedForDisplay()), is that meant?" } ?? "."
      let location = module.map { " of the module \($0.escapedForDisplay())" } ?? ""
      return
        "no action \(target.escapedForDisplay()).\(action.escapedForDisplay())\(location) can be performed from there\(hint)"
        + " Export it with #exportAction, and link the target that does"
    case .ambiguousAction(let target, let action, let modules):
      return "several modules export an action \(target.escapedForDisplay()).\(action.escapedForDisplay()):"
        + " name one of \(modules.map { $0.escapedForDisplay() }.joined(separator: ", "))"
    }
  }
}
