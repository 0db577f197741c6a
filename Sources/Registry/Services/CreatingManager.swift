// Functions that macro expansions call to pass a manager to an initializer. See Provide.swift.

/// Returns a function that creates an instance with an initializer that receives the manager.
///
/// The function has the initializer's isolation, which a macro expansion can't know.
public func __creatingWithManager<Exported>(
  _ make: @escaping @isolated(any) (ServiceManager) throws -> Exported
) -> @isolated(any) () throws -> Exported {
  let unisolated = withoutIsolation(make)
  func function(on actor: isolated (any Actor)?) -> @isolated(any) () throws -> Exported {
    {
      // A closure has the isolation of the actor that it captures.
      _ = actor
      return try unisolated(ServiceCore.creating.unretained)
    }
  }
  // Any code can call `function`, because it doesn't call `make`. The returned closure is isolated.
  let capture = unsafeBitCast(IsolatedCapture(function: function), to: UnisolatedCapture<Exported>.self).function
  return capture(make.isolation)
}

private struct IsolatedCapture<Exported> {
  let function: (isolated (any Actor)?) -> @isolated(any) () throws -> Exported
}

private struct UnisolatedCapture<Exported> {
  let function: ((any Actor)?) -> @isolated(any) () throws -> Exported
}

/// Selected when the initializer that receives the manager is conditionally compiled and does not
/// exist in this build.
@_disfavoredOverload
@_alwaysEmitIntoClient public func __creatingWithManager<Exported>(
  _ make: @escaping @isolated(any) () throws -> Exported
) -> @isolated(any) () throws -> Exported { make }

/// Selected when the initializer is asynchronous, so that `__provide` reports it.
public func __creatingWithManager<Exported>(
  _ make: @escaping @isolated(any) (ServiceManager) async throws -> Exported
) -> @isolated(any) () async throws -> Exported {
  { preconditionFailure("an asynchronous initializer") }
}

/// Selected in the same case if the client enables `NonisolatedNonsendingByDefault`.
public func __creatingWithManager<Exported>(
  _ make: nonisolated(nonsending) @escaping (ServiceManager) async throws -> Exported, _ none: Void = ()
) -> @isolated(any) () async throws -> Exported { { preconditionFailure("an asynchronous initializer") } }

/// Selected for an initializer that the macro doesn't call. See ProvideDiagnostics.swift.
@_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    the macro calls only 'init()' or an 'init(services: ServiceManager)' that the type's own declaration spells so; \
    add one of them there [missing-initializer]
    """
)
public func __provide<Service, Other>(
  _ service: __ServiceType<Service>, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ make: @escaping @isolated(any) (ServiceManager) throws -> Other
) -> Bool {
  false
}
