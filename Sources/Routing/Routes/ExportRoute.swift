/// Exports a handler of a route.
///
/// ```swift
/// #exportRoute(.orderDetail) { parameters, request in OrderScreen(parameters.id) }
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. It writes a record
/// into the binary, and your code doesn't run before a router scans for routes. If several handlers
/// of the same route are exported, the router uses the handler in the image that was loaded first.
/// Within an image, and among images that were loaded together, it uses the first handler by source
/// location or type name. It reports all other handlers as `duplicate`.
///
/// - Parameters:
///   - route: The route, such as `.orderDetail` or `Route<OrderLink, OrderScreen>.orderDetail`.
///   - group: The name of the record's group, as a string literal.
///   - handler: A closure that returns the outcome. It can't capture local variables, and runs on
///     the main actor unless it begins with `{ @concurrent parameters, request in`.
@freestanding(declaration)
public macro exportRoute<Parameters, Outcome: Sendable>(
  _ route: Route<Parameters, Outcome>, group: String? = nil,
  handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteMacro")

/// Exports a handler that takes only the parameters of a route.
///
/// ```swift
/// #exportRoute(.orderDetail) { parameters in OrderScreen(parameters.id) }
/// #exportRoute(.orderList) { OrderList() }
/// ```
///
/// For a route without parameters, the handler has no parameters or begins with `{ _, request in`.
@freestanding(declaration)
public macro exportRoute<Parameters, Outcome: Sendable>(
  _ route: Route<Parameters, Outcome>, group: String? = nil,
  handler: @escaping @MainActor (Parameters) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteMacro")

/// Exports a type that a router instantiates to open a route.
///
/// ```swift
/// @ExportRoute(.orderDetail)
/// @MainActor final class OrderScreen { init(_ parameters: OrderLink) { … } }
/// ```
///
/// The type needs an initializer that takes the parameters, or the parameters and a
/// ``RouteRequest``. For a route without parameters, the initializer takes the request or no
/// arguments. It can have any labels and any isolation, throw errors, and be asynchronous. An
/// initializer with the request is preferred. The type must be the route's outcome, or convert to
/// the outcome. A type can have several of these attributes.
///
/// - Parameters:
///   - route: The route, such as `.orderDetail`.
///   - group: The name of the record's group, as a string literal.
@attached(
  peer, names: prefixed(__route_), prefixed(__route1_), prefixed(__route2_), prefixed(__route3_)
)
public macro ExportRoute<Parameters, Outcome: ~Copyable & ~Escapable>(
  _ route: Route<Parameters, Outcome>, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportRouteTypeMacro")

/// Exports an action, which callers perform by name.
///
/// ```swift
/// #exportAction("orders", "show") { (parameters: ShowOrder) in … }
/// #exportAction("orders", "count") { _, request in … }
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. It writes a record
/// into the binary.
///
/// - Parameters:
///   - target: The name of the target that has the action, as a string literal.
///   - action: The name of the action, as a string literal.
///   - access: The widest origin of requests that can perform the action: `.local` or `.remote`.
///   - group: The name of the record's group, as a string literal.
///   - handler: A closure that receives the decoded parameters and, optionally, the request, which
///     has the router and its services. It runs on the main actor.
@freestanding(declaration)
public macro exportAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
  _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local, group: String? = nil,
  handler: @escaping @MainActor (Parameters) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportActionMacro")

/// Exports an action without parameters.
///
/// ```swift
/// #exportAction("cart", "clear") { await cart.clear() }
/// ```
@freestanding(declaration)
public macro exportAction<Outcome: Sendable>(
  _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local, group: String? = nil,
  handler: @escaping @MainActor () async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportActionMacro")

/// Exports an action with a handler that receives the parameters and the request.
@freestanding(declaration)
public macro exportAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
  _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local, group: String? = nil,
  handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportActionMacro")

/// Exports an action without parameters, with a handler that receives the request.
@freestanding(declaration)
public macro exportAction<Outcome: Sendable>(
  _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local, group: String? = nil,
  handler: @escaping @MainActor (Void, RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "ExportActionMacro")

/// Selected for a handler that uses its only parameter as the request.
@_documentation(visibility: internal) @freestanding(declaration)
@available(
  *, unavailable, message: "the request follows the parameters; if there are none, write '{ _, request in … }'"
)
public macro exportRoute<Outcome>(
  _ route: Route<Void, Outcome>, group: String? = nil, handler: @MainActor (RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected when the argument `access` is given.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "declare the access with the route: '.init(\"shop.order\", […], access: .remote)'")
public macro exportRoute<Parameters, Outcome>(
  _ route: Route<Parameters, Outcome>, access: RouteOrigin, group: String? = nil,
  handler: @MainActor (Parameters) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected when the argument `access` is given.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "declare the access with the route: '.init(\"shop.order\", […], access: .remote)'")
public macro exportRoute<Parameters, Outcome>(
  _ route: Route<Parameters, Outcome>, access: RouteOrigin, group: String? = nil,
  handler: @MainActor (Parameters, RouteRequest) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected when the argument `access` is given.
@_documentation(visibility: internal) @attached(peer)
@available(*, unavailable, message: "declare the access with the route: '.init(\"shop.order\", […], access: .remote)'")
public macro ExportRoute<Parameters, Outcome: ~Copyable & ~Escapable>(
  _ route: Route<Parameters, Outcome>, access: RouteOrigin, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")
