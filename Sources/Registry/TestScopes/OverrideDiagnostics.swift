// See RegistrationDiagnostics.swift.

extension ServiceManager {
  /// Selected if the call has no operation.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "add the code that uses the overrides as a second closure: 'withOverrides { … } operation: { … }'"
  )
  public func withOverrides(_ overrides: (inout ServiceOverrides) throws -> Void) {}

  /// Selected if the call has no operation.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: "add the code that uses the overrides as a second closure: 'withTestScope { … } operation: { … }'"
  )
  public func withTestScope(
    _ policy: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) throws -> Void
  ) {}
}

extension ServiceOverrides {
  /// Selected for an instance or a type instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a closure that returns the instance: 'override(P.self) { instance }'")
  public mutating func override(
    _ type: Any.Type, scope: ServiceScope = .transient, named name: String? = nil, _ instance: Any
  ) {}

  /// Selected for an instance or a type instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a closure that returns the instance: 'override(P.self) { instance }'")
  public mutating func override(
    _ type: Any.Type, scope: ServiceScope = .transient, named name: String? = nil, with instance: Any
  ) {}

  /// Selected for the method of managers.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(*, unavailable, message: "override the service instead: '$0.override(P.self) { instance }'")
  public mutating func register<Service, Other>(
    _ type: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, factory: () throws -> Other
  ) {}

  /// Selected for an implementation without its service.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass the service and a closure: 'override(P.self) { instance }'")
  public mutating func override(_ implementation: Any) {}

  /// Selected for a closure that returns another type.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the closure must return an instance that conforms to the service")
  public mutating func override<Service, Other>(
    _ type: Service.Type, scope: ServiceScope = .transient, named name: String? = nil, factory: () throws -> Other
  ) {}

  /// Selected for an asynchronous factory.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "a factory is synchronous; create the instance before the scope, and return it")
  public mutating func override<Service, Other>(
    _ type: Service.Type, scope: ServiceScope = .transient, named name: String? = nil,
    factory: () async throws -> Other
  ) {}

  /// Selected for a value instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a closure that creates the value: 'contribute(to: .point) { value }'")
  public mutating func contribute<Value>(
    to point: ContributionPoint<[Value]>, priority: Int = 0, _ value: Value, make: (() -> Never)? = nil
  ) {}

  /// Selected for the name of a service.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write the service as its type: 'allowLive(P.self)'")
  public mutating func allowLive(_ name: String) {}
}
