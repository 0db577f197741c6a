// What the type checker falls back on when an exported type does not fit, and the words it then says. Every
// overload here is unavailable and disfavoured: code that is right never gets to it.

/// Chosen when the service is right but for `Sendable`.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "a service of scope .shared or .weak goes to whoever asks: write 'protocol P: Sendable' for its protocol"
)
public func __provideShared<Service>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Service
) -> Bool {
  false
}

/// Chosen when the initializer is right but makes something else.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the exported type must conform to the service: add the protocol to the type's declaration"
)
public func __provide<Service, Other>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Other
) -> Bool {
  false
}

/// Chosen when the initializer is right but makes something else.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the exported type must conform to the service: add the protocol to the type's declaration"
)
public func __provideShared<Service, Other>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Other
) -> Bool {
  false
}

/// Chosen when the initializer cannot be called without arguments.
@_disfavoredOverload
@available(
  *, unavailable, message: "the exported type has no initializer without parameters: write 'init() { … }' in it"
)
public func __provide<Service, Initializer>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: Initializer
) -> Bool {
  false
}

/// Chosen when the initializer cannot be called without arguments.
@_disfavoredOverload
@available(
  *, unavailable, message: "the exported type has no initializer without parameters: write 'init() { … }' in it"
)
public func __provideShared<Service, Initializer>(
  _ service: Service.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: Initializer
) -> Bool {
  false
}
