// Scopes are task-local: they hold for the task that makes one and the tasks made in it (`async let`, task groups,
// `Task { }`), however long those last. Detached tasks, blocks on a dispatch queue and threads made by hand are outside.

extension ServiceManager {
  /// Runs `operation` with an implementation that comes before all others, for this task and the tasks it
  /// makes only.
  ///
  /// ```swift
  /// try services.withOverride(CartService.self, factory: { EmptyCart() }) {
  ///   try checkOut()
  /// }
  /// ```
  ///
  /// Every look-up in the scope calls `factory`; let it return an instance of yours to share one. Look-ups of
  /// that service elsewhere are right too, on the slower path, as long as an override is in force.
  ///
  /// - Important: Services that are shared already keep what they looked up before, and one that is first made in
  ///   the scope keeps the override for everybody. ``withTestScope(_:overrides:operation:)`` has neither effect.
  public func withOverride<Service, Result>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service,
    operation: () throws -> Result
  ) rethrows -> Result {
    try withOverrides(
      { $0.override(type, named: name, fileID: fileID, line: line, factory: factory) }, operation: operation)
  }

  /// The same around an asynchronous operation, which runs where the caller does.
  public func withOverride<Service, Result>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    var overrides = ServiceOverrides()
    overrides.override(type, named: name, fileID: fileID, line: line, factory: factory)
    let scope = TaskScope(overriding: core, overrides.list, allowing: overrides.allowed)
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }

  /// Runs `operation` with several overrides at once, for this task and the tasks it makes only.
  ///
  /// ```swift
  /// try services.withOverrides {
  ///   $0.override(CartService.self) { EmptyCart() }
  ///   $0.override(Clock.self, with: StoppedClock())
  /// } operation: {
  ///   try checkOut()
  /// }
  /// ```
  public func withOverrides<Result>(
    _ overrides: (inout ServiceOverrides) throws -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    let overrides = try ServiceOverrides(overrides)
    let scope = TaskScope(overriding: core, overrides.list, allowing: overrides.allowed)
    return try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// The same around an asynchronous operation, which runs where the caller does.
  public func withOverrides<Result>(
    _ overrides: (inout ServiceOverrides) throws -> Void, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    let overrides = try ServiceOverrides(overrides)
    let scope = TaskScope(overriding: core, overrides.list, allowing: overrides.allowed)
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }
}
