public import Registry

/// Declares that code needs a handler of a route.
///
/// ```swift
/// #needs(route: .orderDetail)
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. It writes a record
/// into the binary. When modules start, their manager reports each needed route that neither the
/// router of the manager's services, nor a parent's router, nor the shared router can open
/// (`unmet-need`). The check reads the routers' routes on the main actor.
///
/// - Parameters:
///   - route: The route, such as `.orderDetail`.
///   - isOptional: A Boolean literal that indicates whether the code can work without the route.
///   - group: The name of the record's group, as a string literal.
@freestanding(declaration)
public macro needs<Parameters, Outcome: ~Copyable & ~Escapable>(
  route: Route<Parameters, Outcome>, optional isOptional: Bool = false, group: String? = nil
) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")

/// Selected for a route without a label.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "write 'route:' before the route")
public macro needs<Parameters, Outcome>(
  _ route: Route<Parameters, Outcome>, optional isOptional: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected for a route that is combined with other needs.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "write one '#needs' for each route, and another for services")
public macro needs<Parameters, Outcome, each P, each O>(
  _ services: Any.Type..., route: Route<Parameters, Outcome>, _ others: repeat Route<each P, each O>,
  optional isOptional: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Implements the accessor of a record that states a need for a route. Not API: expansions call it.
///
/// - Returns: True if `type` is null or identifies `Registry.__NeedCheck`. Otherwise, the function
///   doesn't write to `out`.
public func __provideNeededRoute(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ problem: @escaping @MainActor (ServiceManager) -> String?
) -> Bool {
  provide(__NeedCheck(problem: problem), out, type)
}
