import Testing

@testable import MacroExpansion

@Suite struct NearMissTests {
  /// Returns the warnings about a module with the given members.
  private func warnings(_ members: String, proto: String = "Module") -> [PluginMessage.Diagnostic] {
    let result = expansion(
      request("ExportModule", "@ExportModule", on: "final class A: \(proto) {\n\(members)\n}"))
    #expect(result.source != nil)
    #expect(result.diagnostics.allSatisfy { $0.severity == "warning" })
    return result.diagnostics
  }

  @Test(arguments: [
    ("func setup(_ context: Context) throws {}", "setup(_:)", "setUp(_:)", "func setUp(_ context: Context) throws"),
    (
      "func setup(_ context: Context) throws(Failure) {}", "setup(_:)", "setUp(_:)",
      "func setUp(_ context: Context) throws"
    ),
    ("func setUp() {}", "setUp()", "setUp(_:)", "func setUp(_ context: Context) throws"),
    ("func setUp(context: Context) {}", "setUp(context:)", "setUp(_:)", "func setUp(_ context: Context) throws"),
    ("func tearDwon(_ c: Context) {}", "tearDwon(_:)", "tearDown(_:)", "func tearDown(_ context: Context) throws"),
    ("func teardown() {}", "teardown()", "tearDown(_:)", "func tearDown(_ context: Context) throws"),
    (
      "public func initialise(_ c: Lifecycle.Context) {}", "initialise(_:)", "initialize(_:)",
      "func initialize(_ context: Context) throws"
    ),
    (
      "func didFinishStarted() {}\nfunc didfinishstarting() {}", "didfinishstarting()", "didFinishStarting(_:)",
      "func didFinishStarting(_ context: Context) throws"
    ),
  ])
  func `A function that almost matches a requirement is a warning with a fix-it`(
    members: String, name: String, requirement: String, declaration: String
  ) throws {
    let warnings = warnings(members)
    #expect(
      warnings.map(\.message) == [
        "'\(name)' is not called by the manager, because it does not match the requirement '\(requirement)' of 'Module'; "
          + "did you mean '\(declaration)'? [near-miss]"
      ])
    #expect(warnings.first?.fixIts.first?.changes.first?.newText == declaration)
  }

  @Test func `A subscription that is not static is a warning whose fix-it adds the modifier`() throws {
    let source = "final class A: Module {\n  func subscribe(_ events: Subscriptions<A>) {}\n}"
    let result = expansion(request("ExportModule", "@ExportModule", on: source))
    let warning = try #require(result.diagnostics.first)
    #expect(
      warning.message
        == "'subscribe(_:)' is not called by the manager, because it does not match the requirement 'subscribe(_:)' of 'Module'; "
        + "did you mean 'static func subscribe(_ events: Subscriptions<Self>)'? [near-miss]")
    // The positions are offsets in the file, in which the declaration starts at 100.
    let name = try #require(source.firstRange(of: "subscribe")).lowerBound
    #expect(warning.position.offset == 100 + source.utf8.distance(from: source.startIndex, to: name))
    let change = try #require(warning.fixIts.first?.changes.first)
    let bytes = Array(source.utf8)
    #expect(
      String(decoding: bytes[(change.range.startOffset - 100)..<(change.range.endOffset - 100)], as: UTF8.self)
        == "func subscribe(_ events: Subscriptions<A>)")
    #expect(change.newText == "static func subscribe(_ events: Subscriptions<Self>)")
  }

  @Test func `A fix-it replaces a function from its keyword to its last effect`() throws {
    let source = "final class A: Module {\n  public func setup(_ context: Context) throws(Failure) {}\n}"
    let result = expansion(request("ExportModule", "@ExportModule", on: source))
    let change = try #require(result.diagnostics.first?.fixIts.first?.changes.first)
    let replaced = Array(source.utf8)[(change.range.startOffset - 100)..<(change.range.endOffset - 100)]
    #expect(String(decoding: replaced, as: UTF8.self) == "func setup(_ context: Context) throws(Failure)")
  }

  @Test func `An asynchronous set-up and an asynchronous phase of a Module name AsyncModule`() {
    #expect(
      warnings("func setUp(_ context: Context) async throws {}").map(\.message) == [
        "'setUp(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of 'Module', which is not "
          + "asynchronous; conform to 'AsyncModule' and implement 'becomeReady(_:)' for asynchronous work [near-miss]"
      ])
    #expect(
      warnings("func becomeReady(_ context: Context) async throws {}").map(\.message) == [
        "'becomeReady(_:)' is not called by the manager, because it is a requirement of 'AsyncModule'; "
          + "conform to 'AsyncModule' instead of 'Module', and declare it as "
          + "'func becomeReady(_ context: Context) async throws' [near-miss]"
      ])
    for (function, name) in [
      ("func shutdown(_ context: Context)", "shutdown(_:)"),
      ("func becomeready(context: Context) async throws", "becomeready(context:)"),
    ] {
      let requirement = name.hasPrefix("s") ? "shutDown" : "becomeReady"
      #expect(
        warnings("\(function) {}").map(\.message) == [
          "'\(name)' is not called by the manager, because only 'AsyncModule' has a requirement '\(requirement)(_:)'; "
            + "conform to 'AsyncModule' instead of 'Module', and declare it as "
            + "'func \(requirement)(_ context: Context) async throws' [near-miss]"
        ])
    }
  }

  @Test func `A function with a result is no implementation, and gets no fix-it`() {
    let found = warnings("func setUp(_ context: Context) -> Int { 1 }")
    #expect(
      found.map(\.message) == [
        "'setUp(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of 'Module'; "
          + "did you mean 'func setUp(_ context: Context) throws'? [near-miss]"
      ])
    #expect(found.allSatisfy { $0.fixIts.isEmpty })
    #expect(warnings("func setUp(_ context: Context) -> Void {}").isEmpty)
  }

  @Test(arguments: [
    "override func setUp() {}", "func run(_ context: Context) {}", "func run(_ context: Context) -> Int { 1 }",
  ])
  func `A function of another interface causes no warning`(member: String) {
    #expect(warnings(member).isEmpty)
  }

  @Test(arguments: [
    ("func becomeReady(context: Context) async {}", "becomeReady(context:)", "becomeReady"),
    ("func shutdown(_ context: Context) async throws {}", "shutdown(_:)", "shutDown"),
    ("func run() async {}", "run()", "run"),
  ])
  func `An AsyncModule has the requirements of both protocols`(members: String, name: String, requirement: String) {
    #expect(
      warnings(members, proto: "AsyncModule").map(\.message) == [
        "'\(name)' is not called by the manager, because it does not match the requirement '\(requirement)(_:)' of 'AsyncModule'; "
          + "did you mean 'func \(requirement)(_ context: Context) async throws'? [near-miss]"
      ])
  }

  @Test(arguments: [
    "func setUp(_ context: Context) throws {}\nfunc setUp() {}", "func setUp(_ context: Context) throws(Failure) {}",
    "private func setUp() {}",
    "fileprivate func teardown() {}", "func setUpViews() {}", "func setUp(_ view: Int) {}", "func run() {}",
    "func setUp(_ a: Context, _ b: Int) {}", "func setUp<T>(_ value: T) {}", "func reset(_ context: Context) {}",
    "struct Inner { func setUp() {} }", "func other() { func setUp() {} }", "let text = \"func setUp() {}\"",
    "// func setUp() {}", "static func subscribe(_ events: Subscriptions<A>) {}",
    "static func == (a: A, b: A) -> Bool { true }",
    "func setUp(_ context: borrowing Context) {}\nfunc initialize(_ context: Context) {}",
    "nonisolated func tearDown(_ context: Lifecycle::Context) {}",
  ])
  func `Other functions are no warning`(members: String) {
    #expect(warnings(members).isEmpty)
  }

  @Test func `A phase is no warning if another protocol can require it`() {
    #expect(warnings("func becomeReady(_ context: Context) async {}", proto: "FeatureModule").isEmpty)
    #expect(warnings("func becomeReady(_ context: Context) {}", proto: "AsyncModule").isEmpty)
  }
}
