// Built on what Registry offers to everybody, so that the file also does as part of a test target.

#if canImport(Testing)
public import Registry
public import Testing

/// Runs a test, or every test of a suite, in an isolated scope of a service manager.
///
/// ```swift
/// @Suite(.services { $0.override(Display.self, with: SilentDisplay()) })
/// struct CheckoutTests {
///   @Test(.services { $0.override(CartService.self) { EmptyCart() } })
///   func `nothing to pay`() throws { … }
/// }
/// ```
///
/// Every test, and every case of a parameterised test, has a scope of its own
/// (``ServiceManager/withTestScope(_:overrides:operation:)``): tests that run side by side share no
/// instance, and what one registers no other sees. A suite's trait holds for the suites in it and is added to by
/// theirs and by their tests', innermost first.
public struct ServicesTrait: TestTrait, SuiteTrait, TestScoping {
  let manager: ServiceManager
  let mode: TestScopePolicy
  let overrides: @Sendable (inout ServiceOverrides) throws -> Void

  /// Suites hand it down: it is for tests.
  public var isRecursive: Bool { true }

  /// Runs one case of a test in a scope.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let place = test.sourceLocation
    let (recorded, record) = AsyncStream.makeStream(of: String.self)
    let told = mode.telling { error in
      record.yield(error.description)
      Issue.record(error, sourceLocation: place)
    }
    do {
      try await manager.withTestScope(told, overrides: overrides, operation: function)
    } catch let error as ServiceError {
      // What the test lets through and was recorded fails it once, not twice.
      record.finish()
      for await description in recorded where description == error.description { return }
      throw error
    }
  }
}

extension Trait where Self == ServicesTrait {
  /// Runs a test, or every test of a suite, in an isolated scope of a service manager.
  ///
  /// - Parameters:
  ///   - mode: `.strict`: a look-up of a service that is neither overridden nor allowed makes the test fail, even if the
  ///     code under test drops the error. If left out, as a trait of the same manager around this one says; strict if
  ///     there is none, since a test that uses what it does not mention tests something else on another day.
  ///   - manager: The manager, and with it its parents. Others are as they are.
  ///   - overrides: Says what stands in for what; called for each test, so that instances made in it are not shared.
  public static func services(
    _ mode: TestScopePolicy = .inherited(or: .strict), in manager: ServiceManager = .shared,
    overrides: @escaping @Sendable (inout ServiceOverrides) throws -> Void = { _ in }
  ) -> ServicesTrait {
    ServicesTrait(manager: manager, mode: mode, overrides: overrides)
  }
}
#endif
