// A stand-in for the functions of `Registry` that expansions call. Embedded Swift supports neither
// protocol types as values nor values of protocols without a class constraint, so these functions
// create neither. As in the product, the initializer is passed as a function that carries its
// isolation.

public import _Concurrency

public struct __SharedService<Service> {}

public func __shared<Service: Sendable>(_ service: __ServiceType<Service>) -> __SharedService<Service> {
  __SharedService()
}

public struct __ServiceType<Service> {}

public func __service<Service>(_ service: Service.Type) -> __ServiceType<Service> {
  __ServiceType()
}

// The product's closure returns the service, which would be a value of a protocol type.
@discardableResult
public func __checkConversion<Service, Exported>(
  _ service: __ServiceType<Service>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Exported
) -> __ExportedType<Exported> {
  __ExportedType()
}

public struct __ExportedType<Exported> {}

@inline(never)
public func __provide<Service, Value>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Value
) -> Bool {
  type != nil
}

@inline(never)
public func __provideShared<Service, Exported, Value>(
  _ service: __SharedService<Service>, _ exported: __ExportedType<Exported>, _ out: UnsafeMutableRawPointer,
  _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Value
) -> Bool {
  type != nil
}
