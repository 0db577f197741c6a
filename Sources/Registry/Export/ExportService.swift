/// Exports a type as the implementation of a service.
///
/// ```swift
/// @ExportService(CartService.self, scope: .shared)
/// actor DefaultCart: CartService { init() {} }
/// ```
///
/// The attribute writes a record into the binary, and no code runs before the first lookup. Use it
/// on classes, structs, actors, and enums that have an initializer without parameters, including
/// nested types and types that an extension declares. A type can have the attribute several times.
///
/// The initializer must be synchronous and not failable, and can throw. It can be in an extension
/// of the type or of a protocol, or come from a macro.
///
/// On platforms where the type is marked as unavailable, it is not exported. The variants of a
/// platform for application extensions make no difference, and neither does an `@available` inside
/// `#if`.
///
/// The compiler reports some mistakes before or in place of the macro, in its own words:
///
/// - "circular reference resolving attached macro": the service is the type that the attribute
///   stands on, or a type alias of it. Export the type as a protocol or as a superclass.
/// - "static stored properties not supported in generic types", with two errors about `@used` and
///   `@section`: the type is in an extension of a generic type. Move it out of the extension.
/// - "ambiguous use of 'init'": all initializers have parameters. Add one without.
/// - "initializer is inaccessible due to 'private' protection level": the record stands beside the
///   type. Make the initializer `fileprivate`.
///
/// The initializer's isolation is found out, written or inferred, in every language mode: a service of the
/// main actor is made on the main actor only (``ServiceManager/service(for:named:)`` goes there).
///
/// The type's conformance must be usable on every actor, because anyone can pass on what a lookup
/// returns. The compiler rejects a conformance that is isolated to the main actor, as in
/// `F: @MainActor P`, which the upcoming feature `InferIsolatedConformances` also infers. Declare
/// the protocol `@MainActor`, or the conformance `nonisolated`.
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
