/// The treatment of services that a test scope doesn't provide.
public struct TestScopePolicy: Sendable {
  private let isStrict: Bool
  private let isInherited: Bool
  /// The handler of withheld services; nil to use the outer test scope's handler.
  private let liveServiceHandler: (@Sendable (ServiceError) -> Void)?

  private init(
    isStrict: Bool, isInherited: Bool = false, liveServiceHandler: (@Sendable (ServiceError) -> Void)? = nil
  ) {
    self.isStrict = isStrict
    self.isInherited = isInherited
    self.liveServiceHandler = liveServiceHandler
  }

  /// A policy under which the scope creates new instances of exported and registered services.
  public static let lenient = TestScopePolicy(isStrict: false)

  /// A policy under which lookups of services that the scope doesn't provide fail.
  public static let strict = TestScopePolicy(isStrict: true)

  /// Returns the policy of the enclosing test scope.
  ///
  /// - Parameter other: The policy outside test scopes. Its handler, if any, always applies.
  public static func inherited(or other: TestScopePolicy = .lenient) -> TestScopePolicy {
    TestScopePolicy(isStrict: other.isStrict, isInherited: true, liveServiceHandler: other.liveServiceHandler)
  }

  /// Returns the same policy with a handler of withheld services.
  ///
  /// A test can fail in the handler, even if the code under test discards the error. The handler
  /// receives one error for each service and name, on the thread of the lookup. A scope without a
  /// handler uses the enclosing scope's.
  public func onLiveService(_ handler: @escaping @Sendable (ServiceError) -> Void) -> TestScopePolicy {
    TestScopePolicy(isStrict: isStrict, isInherited: isInherited, liveServiceHandler: handler)
  }

  func rules(inside outer: TestScopeRules?) -> TestScopeRules {
    TestScopeRules(
      isStrict: (isInherited ? outer?.isStrict : nil) ?? isStrict,
      onLiveService: liveServiceHandler ?? outer?.onLiveService)
  }
}
