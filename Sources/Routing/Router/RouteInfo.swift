public import Registry

/// A route that a router has.
public struct RouteInfo: Sendable, CustomStringConvertible {
  /// Its id.
  public let id: String
  /// The URLs that lead there; none if only code does.
  public let patterns: [RoutePattern]
  /// From where these URLs may come.
  public let access: RouteAccess
  /// The type of what it is opened with.
  public let parameters: any Sendable.Type
  /// The type of what its handler makes.
  public let outcome: any Sendable.Type
  /// The image that exports the handler; nil if it was registered at run time.
  public let image: LoadedImage?
  /// Where the handler stands, `Shop/Orders.swift:12:1`, or the class that is made.
  public let handler: String

  /// One line: `shop.orderDetail (OrderLink) -> OrderScreen, remote: shop://order/:id; Shop/Orders.swift:12:1 (Shop)`.
  public var description: String {
    let urls = patterns.isEmpty ? "" : ": " + patterns.map { $0.text.escapedForDisplay() }.joined(separator: ", ")
    return "\(id.escapedForDisplay()) (\(parameters)) -> \(outcome), \(access)\(urls); \(handler.escapedForDisplay())"
      + (image.map { " (\($0))" } ?? "")
  }
}

/// An action that a router has.
public struct ActionInfo: Sendable, CustomStringConvertible {
  /// What it is an action of.
  public let target: String
  /// What it is called there.
  public let action: String
  /// The module that it stands in.
  public let module: String
  /// From where it may be performed.
  public let access: RouteAccess
  /// The type of what its parameters become.
  public let parameters: any Sendable.Type
  /// The type of what it returns.
  public let outcome: any Sendable.Type
  /// The image that exports it; nil if it was registered at run time.
  public let image: LoadedImage?
  /// Where it stands, `Shop/Orders.swift:12:1`.
  public let handler: String

  /// One line: `orders.show (ShowOrder) -> (), internal; Shop/Orders.swift:12:1 (Shop)`.
  public var description: String {
    "\(target.escapedForDisplay()).\(action.escapedForDisplay()) (\(parameters)) -> \(outcome), \(access);"
      + " \(handler.escapedForDisplay())" + (image.map { " (\($0))" } ?? "")
  }
}

extension Router {
  /// Every route that can be opened, by id. Looks for images opened meanwhile.
  public var routes: [RouteInfo] {
    scan()
    return state.withLock { Array($0.routes.used) }.map { entry in
      RouteInfo(
        id: entry.handler.id, patterns: entry.handler.patterns, access: entry.handler.access,
        parameters: entry.handler.parametersType, outcome: entry.handler.outcomeType, image: entry.provenance.image,
        handler: entry.provenance.location)
    }.sorted { $0.id < $1.id }
  }

  /// Every action that can be performed, by target, name and module. Looks for images opened meanwhile.
  public var actions: [ActionInfo] {
    scan()
    return state.withLock { Array($0.actions.used) }.map { entry in
      ActionInfo(
        target: entry.handler.target, action: entry.handler.action, module: entry.provenance.module,
        access: entry.handler.access, parameters: entry.handler.parametersType, outcome: entry.handler.outcomeType,
        image: entry.provenance.image, handler: entry.provenance.location)
    }.sorted { ($0.target, $0.action, $0.module) < ($1.target, $1.action, $1.module) }
  }
}
