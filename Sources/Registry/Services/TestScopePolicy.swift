/// How an isolated scope treats services that it was not given.
public struct TestScopePolicy: Sendable {
  let isStrict: Bool
  /// Whether the isolated scope around has the say, if there is one.
  let isInherited: Bool
  /// Is told of what is withheld; nil: whoever is told of it in the scope around.
  let onLiveService: (@Sendable (ServiceError) -> Void)?

  /// What is exported or registered outside is made anew in the scope.
  public static let lenient = TestScopePolicy(isStrict: false, isInherited: false, onLiveService: nil)

  /// A look-up of what was not given fails.
  public static let strict = TestScopePolicy(isStrict: true, isInherited: false, onLiveService: nil)

  /// A look-up of what was not given fails, and a closure is told: see ``telling(_:)``.
  public static func strict(onLiveService: @escaping @Sendable (ServiceError) -> Void) -> TestScopePolicy {
    strict.telling(onLiveService)
  }

  /// As the isolated scope of the same manager around this one, or as the given one if there is none.
  public static func inherited(or other: TestScopePolicy = .lenient) -> TestScopePolicy {
    TestScopePolicy(isStrict: other.isStrict, isInherited: true, onLiveService: other.onLiveService)
  }

  /// The same, and a closure is told of each service that is withheld: so that a test can fail even if the code under
  /// test drops the error.
  ///
  /// It is told once for each service and name, on the thread that asks. A scope that says nothing about it tells
  /// whoever the scope around it tells.
  public func telling(_ onLiveService: @escaping @Sendable (ServiceError) -> Void) -> TestScopePolicy {
    TestScopePolicy(isStrict: isStrict, isInherited: isInherited, onLiveService: onLiveService)
  }
}

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
  ///   - mode: Whether the scope is strict. If left out, as the isolated scope around it; lenient if there is none.
  ///   - overrides: Says what stands in for what.
  ///   - operation: Runs where the caller does.
  public func withTestScope<Result>(
    _ mode: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) throws -> Void,
    operation: () throws -> Result
  ) rethrows -> Result {
    let scope = TaskScope(isolating: core, try ServiceOverrides(overrides), mode)
    return try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// The same without overrides.
  public func withTestScope<Result>(
    _ mode: TestScopePolicy = .inherited(), operation: () throws -> Result
  ) rethrows -> Result {
    let scope = TaskScope(isolating: core, ServiceOverrides(), mode)
    return try TaskScope.$current.withValue(scope, operation: operation)
  }

  /// The same around an asynchronous operation, which runs where the caller does.
  public func withTestScope<Result>(
    _ mode: TestScopePolicy = .inherited(), overrides: (inout ServiceOverrides) throws -> Void,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    let scope = TaskScope(isolating: core, try ServiceOverrides(overrides), mode)
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }

  /// The same around an asynchronous operation, without overrides.
  public func withTestScope<Result>(
    _ mode: TestScopePolicy = .inherited(), isolation: isolated (any Actor)? = #isolation,
    operation: () async throws -> Result
  ) async rethrows -> Result {
    let scope = TaskScope(isolating: core, ServiceOverrides(), mode)
    return try await TaskScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }
}
