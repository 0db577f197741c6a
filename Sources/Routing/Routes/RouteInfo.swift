public import Registry

/// A description of a route that a router can open.
public struct RouteInfo: Sendable, CustomStringConvertible {
  /// The identifier of the route.
  public let id: String
  /// The patterns of the URLs that open the route; empty if only code can open it.
  public let patterns: [RoutePattern]
  /// The widest origin of requests that can open the route.
  public let access: RouteOrigin
  /// The type of the parameters.
  public let parameters: any Sendable.Type
  /// The type of the outcome.
  public let outcome: any Sendable.Type
  /// The image that exports the handler, or nil if it was registered at run time.
  public let image: LoadedImage?
  /// The source location of the handler, or the name of the exported type.
  ///
  /// An example of a source location is `Shop/Orders.swift:12:1`.
  public let handler: String

  /// The properties of the route in one line.
  ///
  /// An example is
  /// `shop.order (Order) -> Screen, remote: shop://order/:id; Shop/Orders.swift:12:1 (Shop)`.
  public var description: String {
    let urls = patterns.isEmpty ? "" : ": " + patterns.map { $0.text.escapedForDisplay() }.joined(separator: ", ")
    return "\(id.escapedForDisplay()) (\(parameters)) -> \(outcome), \(access)\(urls); \(handler.escapedForDisplay())"
      + (image.map { " (\($0))" } ?? "")
  }
}

/// A description of an action that a router can perform.
public struct ActionInfo: Sendable, CustomStringConvertible {
  /// The name of the target to which the action belongs.
  public let target: String
  /// The name of the action.
  public let action: String
  /// The name of the module that contains the handler.
  public let module: String
  /// The widest origin of requests that can open the action.
  public let access: RouteOrigin
  /// The type that the parameters are decoded to.
  public let parameters: any Sendable.Type
  /// The type of the result.
  public let outcome: any Sendable.Type
  /// The image that exports the handler, or nil if it was registered at run time.
  public let image: LoadedImage?
  /// The source location of the handler. An example is `Shop/Orders.swift:12:1`.
  public let handler: String

  /// The properties of the action in one line.
  ///
  /// An example is `orders.show (ShowOrder) -> (), internal; Shop/Orders.swift:12:1 (Shop)`.
  public var description: String {
    "\(target.escapedForDisplay()).\(action.escapedForDisplay()) (\(parameters)) -> \(outcome), \(access);"
      + " \(handler.escapedForDisplay())" + (image.map { " (\($0))" } ?? "")
  }
}
