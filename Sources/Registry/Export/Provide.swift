// What the expansion of an export attribute calls. Public because the expansion stands in the user's
// module, and not API: hence the underscores.

/// What the accessor of a service's record hands over: the initializer, as the type it serves.
///
/// One stored function, so that its layout is the two words that `RecordFormat.md` promises.
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

/// Returns the service of a record. Expansions name the service once, so that the compiler warns
/// once about how it is written.
@inlinable public func __service<Service>(_ service: Service.Type) -> __ServiceType<Service> {
  __ServiceType(type: service)
}

/// Lets the compiler check that code on any actor can use an exported type as its service.
///
/// The conversion of an initializer to a function that returns the service skips that check: a
/// conformance that is isolated to the main actor (SE-0470) would reach tasks that are not on it. A
/// conversion of an instance does not.
@inlinable public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Service
) {}

/// Chosen when the exported type does not convert to the service. The call of `__provide` that
/// follows says why.
@_disfavoredOverload
@inlinable public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Any
) {}

/// The accessor of a transient service.
///
/// - Returns: Whether `type` is null or the service's type; `out` was touched only then.
public func __provide<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool {
  let own = unsafeBitCast(service.type as Any.Type, to: UnsafeRawPointer.self)
  guard let type else {
    out.initializeMemory(as: UnsafeRawPointer.self, to: own)
    return true
  }
  guard type == own else { return false }
  out.initializeMemory(as: __Provider<Service>.self, to: __Provider(make: make))
  return true
}

/// A service that goes to whoever asks, so that it must be `Sendable`: what ``__shared(_:)`` found out.
@frozen public struct __SharedService<Service> {
  @usableFromInline let type: Service.Type

  @inlinable init(type: Service.Type) {
    self.type = type
  }
}

/// Asks whether a service is `Sendable`. An overload answers with another type when it is not.
///
/// The type checker by itself lets a missing `Sendable` pass in Swift 5 mode, and has its own words for it in
/// Swift 6 mode. Between two overloads, though, it takes the one that misses nothing, in either mode. That has
/// to be settled in a statement of its own: an unavailable overload is always its last choice.
@inlinable public func __shared<Service: Sendable>(_ service: __ServiceType<Service>) -> __SharedService<Service> {
  __SharedService(type: service.type)
}

/// The accessor of a shared or weak service.
public func __provideShared<Service>(
  _ service: __SharedService<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool {
  __provide(__ServiceType(type: service.type), out, type, make)
}
