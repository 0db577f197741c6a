/// Exports what opens a route.
///
/// ```swift
/// #exportRoute(.orderDetail) { parameters, request in OrderScreen(parameters.id) }
/// ```
///
/// It stands at the top level of a file or in a type that is not generic, and writes a record into the binary; nothing runs
/// until a router looks for routes. Of two for one route the one of the earlier image is used, within an image the one that stands
/// in the smaller place, and the other is reported.
///
/// - Parameters:
///   - route: The route, `.orderDetail` or `Route<OrderLink, OrderScreen>.orderDetail`.
///   - handler: Runs on the main actor; one that begins with `{ @concurrent parameters, request in` does not. It can capture
///     nothing local.
@freestanding(declaration)
public macro exportRoute<Parameters, Outcome: Sendable>(
  _ route: Route<Parameters, Outcome>,
  handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteMacro")

/// Exports what opens a route, and takes its parameters alone.
///
/// ```swift
/// #exportRoute(.orderDetail) { parameters in OrderScreen(parameters.id) }
/// ```
// An optional, which costs the type checker a conversion: so a handler of a route without parameters, whose `request` could be
// called `parameters`, is the next macro's.
@freestanding(declaration)
public macro exportRoute<Parameters, Outcome: Sendable>(
  _ route: Route<Parameters, Outcome>?, handler: @escaping @MainActor (Parameters) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteMacro")

/// Exports what opens a route without parameters.
///
/// ```swift
/// #exportRoute(.orderList) { request in OrderList() }
/// ```
@freestanding(declaration)
public macro exportRoute<Outcome: Sendable>(
  _ route: Route<Void, Outcome>, handler: @escaping @MainActor (RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteMacro")

/// Exports what opens a route without parameters, and takes none.
///
/// ```swift
/// #exportRoute(.orderList) { OrderList() }
/// ```
@freestanding(declaration)
public macro exportRoute<Outcome: Sendable>(
  _ route: Route<Void, Outcome>, handler: @escaping @MainActor () async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteMacro")

/// Exports a type that is made from a route's parameters.
///
/// ```swift
/// @ExportRoute(.orderDetail)
/// @MainActor final class OrderScreen { init(_ parameters: OrderLink) { … } }
/// ```
///
/// It has an initializer of the parameters, of them and the ``RouteRequest``, or, for a route without parameters, of the request or
/// of nothing; with any labels, on any actor, throwing and asynchronous or not. Of two, the one that takes the request is
/// used. The type is the route's outcome, or converts to it. On one type it may stand several times.
@attached(
  peer, names: prefixed(__route_), prefixed(__route1_), prefixed(__route2_), prefixed(__route3_)
)
public macro ExportRoute<Parameters, Outcome: ~Copyable & ~Escapable>(_ route: Route<Parameters, Outcome>) =
  #externalMacro(module: "RegistryMacros", type: "ExportRouteTypeMacro")

/// Exports an action, which is performed by its names.
///
/// ```swift
/// #exportAction("orders", "show") { (parameters: ShowOrder) in … }
/// ```
///
/// It stands where ``exportRoute(_:handler:)`` may, and writes a record into the binary.
///
/// - Parameters:
///   - target: What it is an action of. A string literal.
///   - action: What it is called there. A string literal.
///   - access: From where it may be performed. `.internal` or `.remote`, written out.
///   - handler: Runs on the main actor, with parameters that are decoded from what the caller has.
@freestanding(declaration)
public macro exportAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
  _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
  handler: @escaping @MainActor (Parameters) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportActionMacro")

/// Exports an action without parameters.
///
/// ```swift
/// #exportAction("cart", "clear") { await cart.clear() }
/// ```
@freestanding(declaration)
public macro exportAction<Outcome: Sendable>(
  _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
  handler: @escaping @MainActor () async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportActionMacro")
