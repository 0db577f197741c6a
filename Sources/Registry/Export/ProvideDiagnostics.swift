// What the type checker falls back on when an exported type does not fit, and the words it then says. All but
// `__shared` are unavailable, so that code that is right never gets to them; those that would fit more than
// is meant are disfavoured on top, so that the others come first.

/// A service that is not `Sendable` and should be.
@frozen public struct __NotSendable<Service> {
  @inlinable init() {}
}

/// Chosen when the service is not `Sendable`: less special than the other ``__shared(_:)``.
@inlinable public func __shared<Service>(_ service: Service.Type) -> __NotSendable<Service> {
  __NotSendable()
}

/// Chosen when the service is not `Sendable`.
@available(
  *, unavailable,
  message: "a service of scope .shared or .weak goes to whoever asks: write 'protocol P: Sendable' where it is declared"
)
public func __provideShared<Service>(
  _ service: __NotSendable<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ make: Any
) -> Bool {
  false
}

/// Chosen when the initializer makes something that is not the service.
@available(
  *, unavailable,
  message: "the exported type must conform to the service: add the protocol to the declaration of the type"
)
public func __provide<Service, Other>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Other
) -> Bool {
  false
}

/// Chosen when the initializer cannot be called without arguments.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the exported type has no initializer without parameters: write 'init() { … }' in its body"
)
public func __provide<Service>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ make: Any
) -> Bool {
  false
}

/// Chosen when the initializer makes something that is not the service.
@available(
  *, unavailable,
  message: "the exported type must conform to the service: add the protocol to the declaration of the type"
)
public func __provideShared<Service, Other>(
  _ service: __SharedService<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Other
) -> Bool {
  false
}

/// Chosen when the initializer cannot be called without arguments.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the exported type has no initializer without parameters: write 'init() { … }' in its body"
)
public func __provideShared<Service>(
  _ service: __SharedService<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ make: Any
) -> Bool {
  false
}
