public import Registry

/// A description of a route that a router can open, or of an action that it can perform.
public struct RouteInfo: Sendable, CustomStringConvertible {
  /// The identifier of the route, or the name of the target that has the action.
  public let id: String
  /// The name of the action, or nil for a route.
  public let action: String?
  /// The patterns of the URLs that open the route; empty if only code can open it, and for actions.
  public let patterns: [RoutePattern]
  /// The widest origin of requests that can open the route or perform the action.
  public let access: RouteOrigin
  /// The type of the parameters.
  public let parameters: any Sendable.Type
  /// The type of the outcome.
  public let outcome: any Sendable.Type
  /// The name of the module that contains the handler.
  public let module: String
  /// The image that exports the handler, or nil for a registration at run time.
  public let image: LoadedImage?
  /// The source location of the handler, such as `Shop/Orders.swift:12:1`, or the name of the
  /// exported type.
  public let handler: String

  /// The properties of the route or the action in one line.
  ///
  /// An example is `shop.order (Order) -> Screen, remote: shop://order/:id; Shop/Orders.swift:12:1
  /// (Shop)`.
  public var description: String {
    let urls = patterns.isEmpty ? "" : ": " + patterns.map { $0.text.escapedForDisplay() }.joined(separator: ", ")
    let name = action.map { "\(id).\($0)" } ?? id
    return "\(name.escapedForDisplay()) (\(parameters)) -> \(outcome), \(access)\(urls); \(handler.escapedForDisplay())"
      + (image.map { " (\($0))" } ?? "")
  }
}
