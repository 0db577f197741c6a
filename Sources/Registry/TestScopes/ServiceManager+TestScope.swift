extension ServiceManager {
  /// Runs `operation` with this manager as if nothing had been made yet, for this task and the tasks it makes only.
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
  /// Shared and weak instances are made anew in the scope, never those of the process, and go when the scope and the
  /// tasks made in it have ended. What is registered or removed in the scope is so for the scope only, and what is
  /// registered or removed outside meanwhile is not seen in it. All of this holds for the manager's parents as well.
  /// Overrides of scopes around this one hold here too.
  ///
  /// In a strict scope a look-up gets nothing but what the scope was given: overrides, and what was registered in it.
  /// For every other service, whether or not something implements it, `createService`, `createServices` and
  /// `service(for:)` throw ``ServiceError/liveService(service:named:implementation:image:)`` and `contains` is false,
  /// unless ``ServiceOverrides/allowLive(_:)`` lets the live service be used.
  ///
  /// Look-ups of this manager elsewhere are right too, on the slower path, as long as a scope is in force. Making one
  /// copies what the manager knows of each implementation, some hundred nanoseconds for each.
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
    return TaskScope(isolating: core, overrides.list, allowing: overrides.allowed, rules: rules)
  }
}
