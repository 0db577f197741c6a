// The declarations that the expansions of export attributes use. They are public because an
// expansion is part of the user's module. Their underscores indicate that they are not API.

/// The factory that the accessor of a service's record provides.
///
/// Its only stored property is a function, so its layout is the two words that `RecordFormat.md`
/// specifies.
@frozen public struct __Provider<Service> {
  @usableFromInline let make: @isolated(any) () throws -> Service

  @inlinable init(make: @escaping @isolated(any) () throws -> Service) {
    self.make = make
  }
}

/// The service of a record.
@frozen public struct __ServiceType<Service> {
  @usableFromInline let type: Service.Type

  @inlinable init(type: Service.Type) {
    self.type = type
  }
}

/// The exported type of a record.
@frozen public struct __ExportedType<Exported> {
  @usableFromInline let type: Exported.Type

  @inlinable init(type: Exported.Type) {
    self.type = type
  }
}

/// The type that a manager passes to the accessor of a record to get the exported type.
///
/// The services for which one type is exported can share an instance, and other records can replace
/// the type. Only the accessor knows it: names of types are not unique.
public enum __ExportedTypeRequest {}

/// Implements the part of an accessor that returns the exported type.
///
/// - Returns: True if `type` is ``__ExportedTypeRequest``. Otherwise, the function does not write
///   to `out`.
public func __provideExported<Exported>(
  _ exported: __ExportedType<Exported>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { answer(__ExportedTypeRequest.self, with: exported.type, out, type) }

/// The type that a manager passes to the accessor of a transient service's record to find out
/// whether the service is not `Sendable`.
///
/// A lookup of `any P & Sendable` finds the services that are exported as `P`, because the metadata
/// of the two types is the same. The accessors of older records do not know the request.
public enum __NotSendableRequest {}

/// Implements the part of a transient service's accessor that states that the service is not
/// `Sendable`.
///
/// - Returns: True if `type` is ``__NotSendableRequest``. The function does not write to `out`.
public func __provideNotSendable<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { type == typeKey(__NotSendableRequest.self) }

/// Selected for a service that is `Sendable`, in every language mode.
@inlinable public func __provideNotSendable<Service: Sendable>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { false }

/// The type that a manager passes to the accessor of a record to get the type that it replaces.
public enum __ReplacedTypeRequest {}

/// Implements the part of the accessor of a record that replaces an implementation of a type.
///
/// - Returns: True if `type` is ``__ReplacedTypeRequest``. Otherwise, the function does not write
///   to `out`.
public func __provideReplaced(
  _ replaced: Any.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool { answer(__ReplacedTypeRequest.self, with: replaced, out, type) }

/// Returns the service of a record.
///
/// An expansion names the service only in a call of this function, so that the compiler warns only
/// once about the spelling.
@inlinable public func __service<Service>(_ service: Service.Type) -> __ServiceType<Service> {
  __ServiceType(type: service)
}

/// Lets the compiler check that code on any actor can use an exported type as its service.
///
/// The conversion of an initializer to a function that returns the service skips that check: a
/// conformance that is isolated to the main actor (SE-0470) would reach tasks that are not on it. A
/// conversion of an instance does not.
///
/// - Returns: The exported type.
@discardableResult
@inlinable public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Service
) -> __ExportedType<Exported> {
  __ExportedType(type: exported)
}

/// Selected when the exported type does not convert to the service.
///
/// The call of `__provide` that follows reports the reason.
@discardableResult
@_disfavoredOverload
@inlinable public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Any
) -> __ExportedType<Exported> {
  __ExportedType(type: exported)
}

/// Implements the accessor of a record that exports a service.
///
/// - Returns: True if `type` is null or the type of the service. Otherwise, the function does not
///   write to `out`.
public func __provide<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool { provide(__Provider(make: make), as: service.type, out, type) }

/// Returns the service of a record whose instances are shared.
///
/// For a service that is not `Sendable`, the compiler selects an overload that returns another
/// type. The type checker by itself accepts a missing `Sendable` in Swift 5 mode, and reports it in
/// its own words in Swift 6 mode. But between two overloads, it prefers the overload whose
/// requirements are met, in either mode. This needs a statement of its own, because an unavailable
/// overload is always the last choice.
@inlinable public func __shared<Service: Sendable>(_ service: __ServiceType<Service>) -> __ServiceType<Service> {
  service
}
