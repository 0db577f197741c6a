extension ServiceManager {
  /// Runs an operation with new instances of all services, in this task and tasks that it creates.
  ///
  /// ```swift
  /// try services.withTestScope(.strict) {
  ///   $0.override(PaymentService.self) { FakePayment() }
  ///   $0.allowLive(CartService.self)
  /// } operation: {
  ///   try checkOut()
  /// }
  /// ```
  ///
  /// The scope creates its own shared and weak instances, and releases them when the scope and the
  /// tasks that it started have ended. Registrations and removals inside the scope have no effect
  /// outside of it, and the reverse. The manager's parents get the same scope. Overrides of outer
  /// scopes remain in effect.
  ///
  /// In a strict scope, a lookup finds only overrides and services that were registered in the
  /// scope. For every other service, `createService`, `createServices`, and `service(for:)` throw
  /// ``ServiceError/liveService(service:named:implementation:image:)`` and `contains` returns
  /// `false`, unless ``ServiceOverrides/allowLive(_:)`` allows the live service.
  ///
  /// While a scope exists, lookups of this manager in other tasks take a slower path. Creating a
  /// scope copies the manager's implementations, which takes a few hundred nanoseconds for each.
  ///
  /// - Parameters:
  ///   - policy: The treatment of services that the scope was not given. By default, the scope
  ///     inherits it from the test scope around it, and is lenient if there is none.
  ///   - overrides: A closure that adds the overrides.
  ///   - operation: A closure that runs in the scope, on the caller's actor.
  public func withTestScope<Result>(
    _ policy: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) throws -> Void,
    operation: () throws -> Result
  ) rethrows -> Result {
    let scope = testScope(policy, try ServiceOverrides(overrides))
    return try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// Runs an operation in a test scope without overrides.
  public func withTestScope<Result>(
    _ policy: TestScopePolicy = .inherited(), operation: () throws -> Result
  ) rethrows -> Result {
    try withTestScope(policy, overrides: { _ in }, operation: operation)
  }

  /// Runs an asynchronous operation in a test scope, on the caller's actor.
  public func withTestScope<Result>(
    _ policy: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) throws -> Void,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    let scope = testScope(policy, try ServiceOverrides(overrides))
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }

  /// Runs an asynchronous operation in a test scope without overrides, on the caller's actor.
  public func withTestScope<Result>(
    _ policy: TestScopePolicy = .inherited(), isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await withTestScope(policy, overrides: { _ in }, isolation: isolation, operation: operation)
  }

  private func testScope(_ policy: TestScopePolicy, _ overrides: ServiceOverrides) -> TaskScope {
    let rules = policy.rules(inside: TaskScope.isolated(core)?.rules)
    return TaskScope(in: core, overrides.list, allowing: overrides.allowed, rules: rules)
  }
}
