/// How an isolated scope treats services that it was not given.
public struct ServiceIsolation: Sendable {
  let isStrict: Bool
  let onLiveService: (@Sendable (ServiceError) -> Void)?

  /// What is exported or registered outside is made anew in the scope.
  public static let lenient = ServiceIsolation(isStrict: false, onLiveService: nil)

  /// A look-up of what was not given fails, and whoever is told of it around the scope is told.
  public static let strict = ServiceIsolation(isStrict: true, onLiveService: nil)

  /// A look-up of what was not given fails, and a closure is told.
  ///
  /// - Parameter onLiveService: Is told of each such service, once, on the thread that asks: so that a test can fail
  ///   even if the code under test drops the error.
  public static func strict(onLiveService: @escaping @Sendable (ServiceError) -> Void) -> ServiceIsolation {
    ServiceIsolation(isStrict: true, onLiveService: onLiveService)
  }
}

extension ServiceManager {
  /// Runs `operation` with this manager as if nothing had been made yet, for this task and the tasks it makes only.
  ///
  /// ```swift
  /// try services.withIsolation(.strict) {
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
  ///   - mode: Whether the scope is strict; nil: as the isolated scope around it, lenient if there is none.
  ///   - overrides: Says what stands in for what.
  ///   - operation: Runs where the caller does.
  public func withIsolation<Result>(
    _ mode: ServiceIsolation? = nil, overrides: (inout ServiceOverrides) throws -> Void, operation: () throws -> Result
  ) rethrows -> Result {
    let scope = TaskScope(isolating: core, try ServiceOverrides(overrides), mode, otherwise: .lenient)
    return try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// The same without overrides.
  public func withIsolation<Result>(
    _ mode: ServiceIsolation? = nil, operation: () throws -> Result
  ) rethrows -> Result {
    let scope = TaskScope(isolating: core, ServiceOverrides(), mode, otherwise: .lenient)
    return try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// The same around an asynchronous operation, which runs where the caller does.
  public func withIsolation<Result>(
    _ mode: ServiceIsolation? = nil, overrides: (inout ServiceOverrides) throws -> Void,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    let scope = TaskScope(isolating: core, try ServiceOverrides(overrides), mode, otherwise: .lenient)
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }

  /// The same around an asynchronous operation, without overrides.
  public func withIsolation<Result>(
    _ mode: ServiceIsolation? = nil, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    let scope = TaskScope(isolating: core, ServiceOverrides(), mode, otherwise: .lenient)
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }

  /// The same for a test's trait.
  ///
  /// - Parameters:
  ///   - mode: Nil: as the isolated scope around it, strict if there is none.
  ///   - onLiveService: Is told of each service that is withheld, unless `mode` has somebody else.
  package func withIsolation(
    _ mode: ServiceIsolation?, onLiveService: @escaping @Sendable (ServiceError) -> Void,
    overrides: (inout ServiceOverrides) throws -> Void, isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Void
  ) async throws {
    let told = ServiceIsolation(isStrict: mode?.isStrict ?? true, onLiveService: mode?.onLiveService ?? onLiveService)
    let scope = TaskScope(
      isolating: core, try ServiceOverrides(overrides), mode == nil ? nil : told, otherwise: told)
    try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }
}
