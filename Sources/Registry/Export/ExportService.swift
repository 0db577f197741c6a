/// Exports a type as the implementation of a service.
///
/// ```swift
/// @ExportService(CartService.self, scope: .shared)
/// actor DefaultCart: CartService { init() {} }
/// ```
///
/// The attribute writes a record into the binary; your code doesn't run until the first lookup. Use
/// the attribute on classes, structs, actors, and enums that have one of the initializers below,
/// including nested types and types in extensions.
///
/// A type can have several of these attributes. Each scope except `.transient` has one instance:
///
/// ```swift
/// @ExportService(CartService.self, scope: .shared)
/// @ExportService(CartStatistics.self, scope: .shared)
/// actor DefaultCart: CartService, CartStatistics { init() {} }
/// ```
///
/// An initializer without parameters must be synchronous and nonfailable; it can throw. It can be
/// in an extension of the type or of a protocol, or come from a macro.
///
/// If the type's declaration contains `init(services: ServiceManager)`, the manager calls that
/// initializer. A transient instance receives the manager that performs the lookup. Any other
/// instance receives the manager that keeps it, which is ``ServiceManager/shared`` in most apps.
/// Store services, not the manager, because storing the manager doesn't keep it alive:
///
/// ```swift
/// @ExportService(CartService.self, scope: .shared)
/// final class DefaultCart: CartService {
///   let prices: any PriceService
///   init(services: ServiceManager) throws {
///     prices = try services.createService(for: PriceService.self)
///   }
/// }
/// ```
///
/// The type isn't exported on platforms where it is marked as unavailable. Lookups don't find it on
/// systems that are older than its `@available` requires, even if that attribute is in an inactive
/// branch of `#if`. If an enclosing type requires a version, no version is checked. Availability in
/// application extensions has no effect, and neither does `unavailable` inside `#if`.
///
/// The compiler reports some mistakes itself, before or in place of the macro:
///
/// - "circular reference resolving attached macro": the service is the type that has the attribute,
///   or an alias for it. Export the type as a protocol or as a superclass. `replaces` cannot name
///   the type either.
/// - "static stored properties not supported in generic types", with two errors about `@used` and
///   `@section`: the type is in an extension of a generic type. Move the type out of the extension.
///   The macro itself reports constrained extensions, and extensions of `Optional` and of standard
///   collections such as `Array`.
/// - "ambiguous use of 'init'": all initializers have parameters. Add one without parameters.
/// - "initializer is inaccessible due to 'private' protection level": the record is declared next
///   to the type. Make the initializer `fileprivate`.
///
/// The record keeps the initializer's isolation, explicit or inferred, in every language mode. A
/// main-actor service is created on the main actor; ``ServiceManager/service(for:named:)`` switches
/// to it.
///
/// The type's conformance must be usable on every actor, because code can pass the result of a
/// lookup to any actor. The compiler rejects a conformance that is isolated to the main actor,
/// explicitly as in `F: @MainActor P`, or by the upcoming feature `InferIsolatedConformances`.
/// Declare the protocol `@MainActor`, or the conformance `nonisolated`.
///
/// A transient service need not be `Sendable`. If it isn't, lookups of a `Sendable` type such as
/// `(any P & Sendable).self` throw a ``ServiceError`` (`unsendable-service`).
///
/// - Parameters:
///   - service: The protocol, written as `P.self` or `(any P).self`; compositions, type aliases,
///     and `(any P<X>).self` are also possible.
///   - scope: The lifetime of instances. All except `.transient` require a `Sendable` service, and
///     `.weak` requires a class or an actor. The name of a cache is a string literal.
///   - name: The name that distinguishes implementations of one protocol, as a string literal.
///   - priority: The priority among implementations in images that are loaded together, as an
///     integer literal. The highest wins.
///   - separateInstance: A Boolean literal that indicates whether this service has an instance that
///     the type's other services don't share.
///   - replaces: The name of an implementation that this one takes precedence over, as a string
///     literal with the spelling of records, such as `"Checkout.CardPayment"`. Features don't have
///     to import each other. The replacement applies regardless of priorities and load order.
///   - condition: The condition that the implementation requires, evaluated at the service's first
///     use.
///   - group: The name of the implementation's group, as a string literal. Only managers that read
///     the group (``RecordSource/group(_:)``) find the implementation. By default, the
///     implementation belongs to no group.
@attached(
  peer, names: prefixed(__service_), prefixed(__service1_), prefixed(__service2_), prefixed(__service3_)
)
public macro ExportService<Service>(
  _ service: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
  separateInstance: Bool = false, replaces: String? = nil, when condition: ServiceCondition? = nil,
  group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportServiceMacro")

/// Exports a type as an implementation that replaces another type.
///
/// ```swift
/// @ExportService(PaymentService.self, replaces: CardPayment.self)
/// struct TestPayment: PaymentService { init() {} }
/// ```
///
/// The other parameters work as in the attribute that takes a string for `replaces`.
///
/// - Parameter replaces: The type that this one takes precedence over, written as `T.self`. The
///   compiler checks that it exists.
@attached(
  peer, names: prefixed(__service_), prefixed(__service1_), prefixed(__service2_), prefixed(__service3_)
)
public macro ExportService<Service>(
  _ service: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
  separateInstance: Bool = false, replaces: Any.Type, when condition: ServiceCondition? = nil,
  group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportServiceMacro")

/// Selected when there are two services, or a name without a label, so that the macro reports the
/// mistake.
@_documentation(visibility: internal)
@attached(peer)
public macro ExportService<Service>(
  _ service: Service.Type, _ other: Any, scope: ServiceScope = .transient, named name: String? = nil,
  priority: Int = 0, separateInstance: Bool = false, when condition: ServiceCondition? = nil, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportServiceMacro")

/// Selected when the scope has no label, so that the macro reports the mistake.
@_documentation(visibility: internal)
@attached(peer)
public macro ExportService<Service>(
  _ service: Service.Type, _ scope: ServiceScope, named name: String? = nil, priority: Int = 0,
  separateInstance: Bool = false, when condition: ServiceCondition? = nil, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportServiceMacro")

/// Selected when the service is not a type, or missing, so that the macro reports the mistake.
@_documentation(visibility: internal) @attached(peer)
public macro ExportService(
  _ service: String = "", scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
  separateInstance: Bool = false, when condition: ServiceCondition? = nil, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportServiceMacro")
