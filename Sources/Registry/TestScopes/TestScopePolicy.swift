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

  /// Returns the rules of a scope inside another one.
  func rules(inside outer: TestScopeRules?) -> TestScopeRules {
    TestScopeRules(
      isStrict: (isInherited ? outer?.isStrict : nil) ?? isStrict, onLiveService: onLiveService ?? outer?.onLiveService)
  }
}
