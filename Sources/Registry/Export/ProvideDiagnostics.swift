// Overloads that the type checker falls back on when an exported type doesn't fit, with the
// messages that it then shows. The macro reads only the type's own declaration. The initializer may
// be in an extension, in a protocol extension, or in a member macro's expansion, and only the type
// checker sees all of them.
//
// All overloads except `__shared` are unavailable, so correct code never selects them. The overload
// that accepts anything is disfavored as well, so that the type checker prefers the specific ones.

/// A service that is not `Sendable` although its scope requires it.
@frozen public struct __NotSendable<Service> {}

/// Selected when the service is not `Sendable`; the other ``__shared(_:)`` is more specific.
public func __shared<Service>(_ service: __ServiceType<Service>) -> __NotSendable<Service> { __NotSendable() }

/// Selected when the service is not `Sendable`.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message:
    "a service with scope '.shared', '.weak', or '.cached' must be sendable; declare it as 'protocol P: Sendable' [not-sendable]"
)
public func __provide<Service>(
  _ service: __NotSendable<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ make: Any
) -> Bool { false }

/// Selected when the initializer creates a value that doesn't convert to the service.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the exported type must conform to the service; add the protocol to the declaration of the type \
    [missing-conformance]
    """
)
public func __provide<Service, Other>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Other
) -> Bool { false }

/// Selected when the initializer is failable.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the exported type's initializer is failable; write 'init() throws' and throw an error instead of returning 'nil' \
    [failable-initializer]
    """
)
public func __provide<Service, Other>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () throws -> Other?
) -> Bool { false }

/// Selected when the initializer is asynchronous.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the exported type's initializer is asynchronous, and a lookup cannot wait for it; write 'init()' and move the \
    asynchronous work to a method [async-initializer]
    """
)
public func __provide<Service, Other>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) () async throws -> Other
) -> Bool { false }

/// Selected in the same case if the client enables `NonisolatedNonsendingByDefault`.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the exported type's initializer is asynchronous, and a lookup cannot wait for it; write 'init()' and move the \
    asynchronous work to a method [async-initializer]
    """
)
public func __provide<Service, Other>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: nonisolated(nonsending) @escaping () async throws -> Other, _ none: Void = ()
) -> Bool { false }

/// Selected when no initializer has the right parameters.
@_disfavoredOverload @_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the exported type has no initializer that a manager can call; write 'init() { … }' or \
    'init(services: ServiceManager) { … }' in its declaration (other parameters with default values do not count) \
    [missing-initializer]
    """
)
public func __provide<Service>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ make: Any
) -> Bool { false }
