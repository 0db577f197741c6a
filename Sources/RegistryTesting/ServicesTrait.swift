// This file uses only public API, because the plugin RegistryDynamicTesting compiles it as part of
// test targets.

#if canImport(Testing)
public import Registry
public import Testing

/// A trait that runs each test in a test scope of a service manager.
///
/// ```swift
/// @Suite(.services { $0.override(Display.self) { SilentDisplay() } })
/// struct CheckoutTests {
///   @Test(.services { $0.override(CartService.self) { EmptyCart() } })
///   func `nothing to pay`() throws { … }
/// }
/// ```
///
/// Each test, and each case of a parameterized test, has its own scope
/// (`ServiceManager.withTestScope`), so parallel tests share no instances or registrations. The
/// trait of a suite applies to all tests in the suite, including tests in nested suites. The
/// overrides of inner traits take precedence.
public struct ServicesTrait: TestTrait, SuiteTrait, TestScoping {
  let manager: ServiceManager
  let policy: TestScopePolicy
  let overrides: @Sendable (inout ServiceOverrides) throws -> Void

  /// A Boolean value that indicates whether a suite's trait applies to its tests.
  public var isRecursive: Bool { true }

  /// Runs one case of a test in a test scope. A lookup of a withheld service fails the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let location = test.sourceLocation
    let (recorded, record) = AsyncStream.makeStream(of: String.self)
    let policy = policy.onLiveService { error in
      record.yield(error.description)
      Issue.record(error, sourceLocation: location)
    }
    var failure: (any Error)?
    do {
      try await manager.withTestScope(policy) {
        do { try overrides(&$0) } catch { failure = error }
      } operation: {
        if let failure { throw failure }
        try await function()
      }
    } catch let error as ServiceError {
      // The handler has recorded the error already, so a test that rethrows it fails only once.
      record.finish()
      for await description in recorded where error.description.contains(description) { return }
      throw error
    }
  }
}

extension Trait where Self == ServicesTrait {
  /// A trait that runs each test in a test scope of the shared manager, without overrides.
  ///
  /// It is strict unless an outer trait for the shared manager has another policy.
  public static var services: ServicesTrait { .services() }

  /// Creates a trait that runs each test in a test scope of a service manager.
  ///
  /// - Parameters:
  ///   - policy: The policy for services that the scope doesn't provide. With `.strict`, looking up
  ///     a service that is neither provided nor allowed fails the test, even if the code under test
  ///     discards the error. By default, the trait uses the policy of an outer trait for the same
  ///     manager, a parent, or a child, or `.strict` if there is no outer trait.
  ///   - manager: The service manager. The test scope includes its parents.
  ///   - overrides: A closure that adds overrides. It runs for each test, so tests don't share the
  ///     instances that it creates.
  public static func services(
    _ policy: TestScopePolicy = .inherited(or: .strict), in manager: ServiceManager = .shared,
    overrides: @escaping @Sendable (inout ServiceOverrides) throws -> Void = { _ in }
  ) -> ServicesTrait {
    ServicesTrait(manager: manager, policy: policy, overrides: overrides)
  }
}
#endif
