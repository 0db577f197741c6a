// Scopes are task-local. A scope applies to the task that creates it, and to the tasks that are
// created in the scope (`async let`, task groups, `Task { }`) until they end, but not to detached
// tasks, blocks on a dispatch queue, or new threads.
//
// The methods are emitted into the tests that call them, so that apps don't contain them.

extension ServiceManager {
  /// Runs an operation with overrides, which also apply to tasks that the operation creates.
  ///
  /// ```swift
  /// try services.withOverrides {
  ///   $0.override(CartService.self) { EmptyCart() }
  /// } operation: {
  ///   try checkOut()
  /// }
  /// ```
  ///
  /// Other tasks don't see the overrides, but their lookups of overridden services take a slower
  /// path until the scope ends.
  ///
  /// - Important: Shared services that already exist keep the services that they looked up before.
  ///   A shared service that is first created in the scope keeps the overrides that it looks up,
  ///   for all code and even after the scope ends. `withTestScope` avoids both.
  /// - Parameters:
  ///   - overrides: A closure that adds the overrides.
  ///   - operation: A closure that runs in the scope.
  /// - Returns: The result of the operation.
  /// - Throws: Any error from either closure.
  @_alwaysEmitIntoClient
  public func withOverrides<Result>(
    _ overrides: (inout ServiceOverrides) throws -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    try overrideScope(ServiceOverrides(overrides)).run(operation)
  }

  /// Runs an asynchronous operation with overrides, on the caller's actor.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withOverrides<Result>(
    _ overrides: (inout ServiceOverrides) throws -> Void, operation: () async throws -> Result
  ) async rethrows -> Result {
    try await overrideScope(ServiceOverrides(overrides)).run(operation)
  }

  /// Runs an operation with its own overrides and with new instances of all services.
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
  /// The scope also applies to tasks that the operation creates, and keeps its own shared instances
  /// until the operation and these tasks have ended. Registrations and removals inside the scope
  /// have no effect outside it, and later changes outside have no effect inside. The scope includes
  /// the manager's parents. Overrides of outer scopes remain in effect.
  ///
  /// In a strict scope, a lookup finds only overrides and services that were registered in the
  /// scope. For any other service, lookups such as `createService(for:)` throw a ``ServiceError``
  /// (`live-service`), and `contains` returns `false`, unless the overrides allow the live service
  /// with `allowLive`.
  ///
  /// While a scope exists, lookups in this manager and its parents are slower in other tasks, too.
  /// Creating a scope copies their implementations, which takes a few hundred nanoseconds each.
  ///
  /// - Parameters:
  ///   - policy: The policy for services that the scope doesn't provide. By default, the policy of
  ///     the enclosing test scope of this manager, a parent, or a child, or `.lenient` if there is
  ///     none.
  ///   - overrides: A closure that adds the overrides and throws no errors. Before the call, create
  ///     anything that can fail.
  ///   - operation: A closure that runs in the scope, on the caller's actor.
  @_alwaysEmitIntoClient
  public func withTestScope<Result>(
    _ policy: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) -> Void = { _ in },
    operation: () throws -> Result
  ) rethrows -> Result {
    try overrideScope(ServiceOverrides(overrides), policy).run(operation)
  }

  /// Runs an asynchronous operation in a test scope, on the caller's actor.
  @_alwaysEmitIntoClient
  public nonisolated(nonsending) func withTestScope<Result>(
    _ policy: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) -> Void = { _ in },
    operation: () async throws -> Result
  ) async rethrows -> Result {
    try await overrideScope(ServiceOverrides(overrides), policy).run(operation)
  }

  /// Returns a scope of overrides, or a test scope if there is a policy.
  @usableFromInline
  func overrideScope(_ overrides: ServiceOverrides, _ policy: TestScopePolicy? = nil) -> OverrideScope {
    let rules = policy?.rules(TaskScope.rules(around: core))
    return OverrideScope(scope: TaskScope(in: core, overrides.list, allowing: overrides.allowed, rules: rules))
  }
}
