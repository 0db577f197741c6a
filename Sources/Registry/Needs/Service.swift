/// Looks up a service whenever code reads a property, and records that the code needs it.
///
/// ```swift
/// final class CartScreen {
///   @Service var cart: any CartService
///   @Service(named: "gift") var gifts: any CartService
///   @Service var promotion: (any PromotionService)?
///   @Service var plugIns: [any PlugIn]
/// }
/// ```
///
/// Reading the property costs as much as calling `createService(for:named:)` on
/// ``ServiceManager/shared``. The service's scope determines whether the result is a shared
/// instance or a new one. Overrides and test scopes apply.
///
/// The attribute also writes a record of the need into the binary: the protocol, the name, whether
/// the property is optional, and the type, file, and line. The record runs no code before `main`.
/// When modules start, the module manager reports unmet needs (`unmet-need`). In files,
/// `registry-tool check` finds them.
///
/// A property that is not optional can't report an error. If the lookup fails outside a strict test
/// scope, the program stops with the message of ``ServiceError`` and the property's location. Call
/// `ModuleManager.requireAllNeeds()` before `start()`, so that `start()` throws an error if an
/// implementation is missing. That doesn't catch initializers that throw, uses outside a service's
/// actor, or implementations that are not `Sendable` although the property's type is. An optional
/// property is nil if the service has no implementation. If creating the implementation fails, the
/// property is also nil, and the error is reported.
///
/// A property with an array type contains all implementations of the service in order of
/// preference, like the result of `createServices(for:)`.
///
/// The property can be in a nongeneric class, structure, enumeration, actor, or extension. In an
/// `@Observable` type, write `@Service @ObservationIgnored var …`, because only one macro can give
/// a variable accessors. Read main-actor services only on the main actor; the compiler doesn't
/// check this. Elsewhere, call ``ServiceManager/service(for:named:)``.
///
/// - Parameters:
///   - name: The implementation's name, as a string literal; nil if the implementation has none.
///   - isCached: A Boolean literal that indicates whether each instance of the type keeps the
///     result of its first lookup, for example for a transient service. Later overrides then have
///     no effect, and copies of a structure share the result. The property can be neither static
///     nor in an enumeration or extension. `Codable` is not synthesized for a type that doesn't
///     declare its coding keys.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_), prefixed(__needstatic_), prefixed(__cached_))
public macro Service(named name: String? = nil, cached isCached: Bool = false) =
  #externalMacro(module: "RegistryMacros", type: "ServiceMacro")

/// Looks up a service in an instance's manager whenever code reads a property, and records the
/// need.
///
/// ```swift
/// final class CartScreen {
///   let services: ServiceManager
///   @Service(in: \CartScreen.services) var cart: any CartService
/// }
/// ```
///
/// The attribute works like ``Service(named:cached:)``, but the property can't be static.
///
/// - Parameters:
///   - manager: A key path from the type to the manager, written with the type.
///   - name: The name of the implementation, as a string literal.
///   - isCached: A Boolean literal that indicates whether each instance of the type looks up the
///     service once and keeps the result.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_), prefixed(__cached_))
public macro Service<Root>(
  in manager: KeyPath<Root, ServiceManager>, named name: String? = nil, cached isCached: Bool = false
) = #externalMacro(module: "RegistryMacros", type: "ServiceMacro")

/// Selected when `in` is a manager, so that the macro reports the mistake.
@_documentation(visibility: internal)
@attached(accessor, names: named(get))
public macro Service(in manager: ServiceManager, named name: String? = nil, cached isCached: Bool = false) =
  #externalMacro(module: "RegistryMacros", type: "ServiceMacro")

/// Selected when an argument has no label, so that the macro reports the mistake.
@_documentation(visibility: internal)
@attached(accessor, names: named(get))
public macro Service(_ service: Any, named name: String? = nil, cached isCached: Bool = false) =
  #externalMacro(module: "RegistryMacros", type: "ServiceMacro")

/// Selected for a key path without a type, as in other libraries, so that the macro reports it.
@_documentation(visibility: internal)
@attached(accessor, names: named(get))
public macro Service(
  _ service: KeyPath<__AnyMember, __AnyMember>, named name: String? = nil, cached isCached: Bool = false
) = #externalMacro(module: "RegistryMacros", type: "ServiceMacro")

/// A type that has a member for every name, so that the compiler accepts `\.cart`.
@dynamicMemberLookup @frozen public enum __AnyMember {
  @_alwaysEmitIntoClient public subscript(dynamicMember name: String) -> __AnyMember { fatalError() }
}

/// Selected for `optional:`, so that the macro reports the mistake.
@_documentation(visibility: internal)
@attached(accessor, names: named(get))
public macro Service(_ service: Any = 0, named name: String? = nil, optional isOptional: Bool) =
  #externalMacro(module: "RegistryMacros", type: "ServiceMacro")

/// Declares that code needs services that it looks up without an attribute.
///
/// ```swift
/// #needs(CartService.self, PaymentService.self)
/// #needs(CartService.self, named: "gift")
/// #needs(PromotionService.self, optional: true)
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. Like
/// ``Service(named:cached:)``, it writes a record for each service.
///
/// - Parameters:
///   - services: The protocols, written as `P.self` or `(any P).self`.
///   - name: The name of each service's implementation, as a string literal; nil if the
///     implementations have none.
///   - isOptional: A Boolean literal that indicates whether the code works without the services.
///   - group: The name of the records' group, as a string literal, for code that uses managers that
///     read the group.
@freestanding(declaration)
public macro needs<each Service>(
  _ services: repeat (each Service).Type, named name: String? = nil, optional isOptional: Bool = false,
  group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "NeedsMacro")

/// Selected when `module` is not a module, or in a file that does not import `Lifecycle`.
@freestanding(declaration)
@available(
  *, unavailable,
  message: """
    'module' must be a type that conforms to 'Module', written as 'CartModule.self', or the name of one; import \
    'Lifecycle' in this file [not-a-module]
    """
)
public macro needs(module: Any, optional isOptional: Bool = false, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected for a name without a label, and for services in an array.
@_documentation(visibility: internal) @freestanding(declaration)
@available(
  *, unavailable,
  message: "write each service as its type, without brackets: 'P.self', and 'module:' before the name of a module"
)
public macro needs(_ name: Any, optional isOptional: Bool = false, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected for a module combined with other needs.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "write one '#needs' for each module, and another for services")
public macro needs(
  _ services: Any.Type..., module: Any, _ others: Any..., optional isOptional: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")
