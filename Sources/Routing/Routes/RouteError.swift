internal import Registry

/// Why something was not opened. What a handler throws is thrown as it is.
public enum RouteError: Error, Sendable, CustomStringConvertible {
  /// Nothing handles a URL or a route.
  ///
  /// The same for what there is not and for what may not be opened from where the request comes.
  ///
  /// - `target`: the URL, or the route's id.
  /// - `nearest`: a pattern or an id that is nearly the same; never told to those outside.
  case notFound(target: String, nearest: String?)

  /// What a URL says is not what the route wants. Also what stands in the parameters of an action.
  case badParameters(route: String, pattern: String?, reason: String)

  /// A URL cannot be made, as there is no value for a parameter of the pattern.
  case missingParameter(route: String, pattern: String, name: String)

  /// A URL cannot be made, for another reason.
  case notGenerated(route: String, reason: String)

  /// A route is handled, with other types than it was opened with; or it did not make what was asked for.
  case wrongType(route: String, expected: String, found: String)

  /// An interceptor refused.
  case rejected(route: String, reason: String)

  /// Interceptors redirect and redirect: where from, the first first.
  case redirectLoop(chain: [String])

  /// No such action is exported.
  case actionNotFound(target: String, action: String, module: String?, nearest: String?)

  /// Several modules export an action of these names.
  case ambiguousAction(target: String, action: String, modules: [String])

  /// What happened and what to do about it.
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
