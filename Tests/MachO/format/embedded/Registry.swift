// Stands in for what expansions call in `Registry`. Embedded Swift has neither the types of protocols as values nor
// values of protocols that are not for classes alone, so nothing is made of either here; the initializer still
// goes the way of the product's: through a function type that carries its isolation.

public import _Concurrency

public struct __SharedService<Service> {}

public func __shared<Service: Sendable>(_ service: Service.Type) -> __SharedService<Service> {
  __SharedService()
}

public struct __ServiceType<Service> {
  public let type: Service.Type

  public init(_ type: Service.Type) {
    self.type = type
  }
}

public func __checkConversion<Service, Exported>(
  _ service: Service.Type, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Service
) {}

@inline(never)
public func __provide<Service, Value>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Value
) -> Bool {
  type != nil
}

@inline(never)
public func __provideShared<Service, Value>(
  _ service: __SharedService<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Value
) -> Bool {
  type != nil
}
