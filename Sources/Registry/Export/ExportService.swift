/// Exports a type as the implementation of a service.
///
/// ```swift
/// @ExportService(CartService.self, scope: .shared)
/// actor DefaultCart: CartService { init() {} }
/// ```
///
/// The attribute writes a record into the binary; nothing runs until somebody asks for the service. It
/// goes on classes, structs, actors and enums that have an initializer without parameters, also nested
/// ones and ones declared in an extension, and may stand on one type several times.
///
/// The initializer's isolation is found out, written or inferred, in every language mode: a service of the
/// main actor is made on the main actor only (``ServiceManager/service(for:named:)`` goes there).
///
/// The type's conformance must be usable on every actor, because anyone can pass on what a lookup returns. The compiler
/// rejects a conformance that is isolated to the main actor (`F: @MainActor P`, which the upcoming feature
/// `InferIsolatedConformances` also infers). Declare the protocol `@MainActor`, or the conformance `nonisolated`.
///
/// - Parameters:
///   - service: The protocol, written as `P.self` or `(any P).self`; compositions, typealiases and
///     `(any P<X>).self` will do as well.
///   - scope: How long an instance lives. `.shared` and `.weak` want a `Sendable` service, `.weak` a
///     class or an actor.
///   - name: Tells implementations of one protocol apart. A string literal.
///   - priority: The higher comes first among the implementations of one image batch. An integer literal.
@attached(
  peer, names: prefixed(__service_), prefixed(__service1_), prefixed(__service2_), prefixed(__service3_)
)
public macro ExportService<Service>(
  _ service: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0
) = #externalMacro(module: "RegistryMacros", type: "ExportServiceMacro")
