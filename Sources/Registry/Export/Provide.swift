// Declarations for the expansions of export attributes. They are public because an expansion is
// part of the user's module; the underscores show that they aren't API.

/// The factory that the accessor of a service record provides.
///
/// It has one stored function, so its layout is the two words that `RecordFormat.md` specifies.
@frozen public struct __Provider<Service> {
  @usableFromInline let make: @isolated(any) () throws -> Service
}

/// A type that a record names: the service or the exported type.
@frozen public struct __ServiceType<Service> {
  @usableFromInline let type: Service.Type

  @inlinable init(type: Service.Type) {
    self.type = type
  }
}

/// A request to a record's accessor for the exported type.
///
/// A manager uses the type to share an instance between services, and to find the implementation
/// that another record replaces. Type names aren't unique, so only the accessor identifies a type.
public enum __ExportedTypeRequest {}

/// Implements the part of an accessor that returns the exported type.
///
/// - Returns: True if `type` is ``__ExportedTypeRequest``. Otherwise, the function doesn't write to
///   `out`.
public func __provideExported<Exported>(
  _ exported: __ServiceType<Exported>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { answer(__ExportedTypeRequest.self, with: exported.type, out, type) }

/// A request that an accessor accepts if the record's transient service is not sendable.
///
/// A lookup of `any P & Sendable` finds services that are exported as `P`, because both types have
/// the same metadata. The accessors of older records don't know the request.
public enum __NotSendableRequest {}

/// Implements the part of an accessor that states that a transient service is not `Sendable`.
///
/// - Returns: True if `type` is ``__NotSendableRequest``. The function doesn't write to `out`.
public func __provideNotSendable<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { type == typeKey(__NotSendableRequest.self) }

/// Selected for a service that is `Sendable`, in every language mode.
@inlinable public func __provideNotSendable<Service: Sendable>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { false }

/// A request for the type that a record replaces.
public enum __ReplacedTypeRequest {}

/// Implements the part of an accessor that returns the replaced type.
///
/// - Returns: True if `type` is ``__ReplacedTypeRequest``. Otherwise, the function doesn't write to
///   `out`.
public func __provideReplaced(
  _ replaced: Any.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { answer(__ReplacedTypeRequest.self, with: replaced, out, type) }

/// Returns the service of a record.
///
/// An expansion names the service only in a call to this function, so that the compiler doesn't
/// repeat warnings about the spelling.
@inlinable public func __service<Service>(_ service: Service.Type) -> __ServiceType<Service> {
  __ServiceType(type: service)
}

/// Makes the compiler check that code on any actor can use an exported type as its service.
///
/// Converting an initializer to a function that returns the service skips the check, so a
/// conformance that is isolated to the main actor (SE-0470) would reach other actors. Converting an
/// instance performs the check.
///
/// - Returns: The exported type.
@discardableResult
@inlinable public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Service
) -> __ServiceType<Exported> {
  __ServiceType(type: exported)
}

/// Selected when the exported type doesn't convert to the service; the `__provide` call that
/// follows reports the reason.
@discardableResult
@_disfavoredOverload
@inlinable public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Any
) -> __ServiceType<Exported> {
  __ServiceType(type: exported)
}

/// Implements the accessor of a record that exports a service.
///
/// - Returns: True if `type` is null or the type of the service. Otherwise, the function doesn't
///   write to `out`.
public func __provide<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool {
  // A manager first requests only the type. Don't make the runtime create the provider's type yet.
  answer(nil, with: service.type, out, type) || provideFactory(service, out, type, make)
}

@inline(never)
private func provideFactory<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool { provide(__Provider(make: make), as: service.type, out, type) }

/// Returns the service of a record with a scope that shares instances.
///
/// For a service that is not `Sendable`, the compiler selects the overload that returns
/// ``__NotSendable``, and then an unavailable `__provide` with a helpful message. A `Sendable`
/// requirement in `__provide` alone isn't enough, because an unavailable overload is always the
/// last choice: Swift 5 mode would accept the service, and Swift 6 mode would report a vague error.
@inlinable public func __shared<Service: Sendable>(_ service: __ServiceType<Service>) -> __ServiceType<Service> {
  service
}
