/// A policy for services that a test scope doesn't provide.
public struct TestScopePolicy: Sendable {
  /// A closure that derives a scope's rules from the rules of the enclosing test scope.
  let rules: @Sendable (TestScopeRules?) -> TestScopeRules

  /// A policy that lets the scope create new instances of exported and registered services.
  public static let lenient = TestScopePolicy {
    TestScopeRules(isStrict: false, onLiveService: $0?.onLiveService)
  }

  /// A policy that makes lookups fail for services that the scope neither provides nor allows.
  public static let strict = TestScopePolicy {
    TestScopeRules(isStrict: true, onLiveService: $0?.onLiveService)
  }

  /// Returns a policy that follows the policy of the enclosing test scope.
  ///
  /// - Parameter other: The policy to use outside test scopes. Its handler, if any, always applies.
  public static func inherited(or other: TestScopePolicy = .lenient) -> TestScopePolicy {
    TestScopePolicy { outer in
      let rules = other.rules(outer)
      return TestScopeRules(isStrict: outer?.isStrict ?? rules.isStrict, onLiveService: rules.onLiveService)
    }
  }

  /// Returns the same policy with a handler for withheld services.
  ///
  /// The handler can fail the test, even if the code under test discards the error. It receives one
  /// error for each service and name, on the thread of the lookup. A scope without a handler uses
  /// the handler of the enclosing scope.
  public func onLiveService(_ handler: @escaping @Sendable (ServiceError) -> Void) -> TestScopePolicy {
    TestScopePolicy { TestScopeRules(isStrict: rules($0).isStrict, onLiveService: handler) }
  }
}
