// Overloads that the type checker falls back on when code registers or looks up a service
// incorrectly, so that their messages explain the fix. All are unavailable, so correct code never
// selects them, and apps don't contain them.

extension ServiceManager {
  /// Selected for an instance or a type instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a closure that returns the instance: 'register(P.self) { instance }'")
  public func register(
    _ type: Any.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, _ instance: Any
  ) {}

  /// Selected for an instance or a type instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a closure that returns the instance: 'register(P.self) { instance }'")
  public func register(
    _ type: Any.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, with instance: Any
  ) {}

  /// Selected for an implementation without its service.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass the service and a closure: 'register(P.self) { instance }'")
  public func register(_ implementation: Any) {}

  // The next two overloads are for closures whose result isn't the service. Without them, the
  // compiler reports that it failed to produce a diagnostic.

  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the closure must return an instance that conforms to the service")
  public func register<Service, Other>(
    _ type: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, factory: () throws -> Other
  ) {}

  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the closure must return an instance that conforms to the service")
  public func register<Service, Other>(
    _ type: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, factory: (ServiceManager) throws -> Other
  ) {}

  /// Selected for an asynchronous factory.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      a factory is synchronous, because lookups do not wait; create the instance without 'await', and let its methods \
      wait for what it needs, or register the service in 'becomeReady'
      """
  )
  public func register<Service, Other>(
    _ type: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, factory: () async throws -> Other
  ) {}

  /// Selected for an existential metatype that the compiler doesn't open.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "leave out the cast of the type, as in 'createService(for: P.self)'")
  public func createService(for type: any Any.Type, named name: String? = nil) throws(ServiceError) -> Any {
    fatalError()
  }

  /// Selected in a file that doesn't import `RegistryReports`.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "add 'import RegistryReports' to this file, and the product to its target")
  public func report() -> RegistryReport { fatalError() }
}
