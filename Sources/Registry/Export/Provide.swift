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

/// The accessor of a transient service.
///
/// - Returns: Whether `type` is null or the service's type; `out` was touched only then.
public func __provide<Service>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool {
  let own = unsafeBitCast(service as Any.Type, to: UnsafeRawPointer.self)
  guard let type else {
    out.initializeMemory(as: UnsafeRawPointer.self, to: own)
    return true
  }
  guard type == own else { return false }
  out.initializeMemory(as: __Provider<Service>.self, to: __Provider(make: make))
  return true
}

/// The accessor of a shared or weak service: the instance goes to whoever asks, so it must be `Sendable`.
public func __provideShared<Service: Sendable>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool {
  __provide(service, out, type, make)
}
