import Testing

@Suite struct NearMissTests {
  /// The body of a module in each snippet begins at line 3.
  @Test(
    arguments: [
      (
        "  func setUp() {}", "3:8",
        "'setUp()' is not called by the manager, because it does not match the requirement 'setUp(_:)' of "
          + "'Module'; did you mean 'func setUp(_ context: Context) throws'? [near-miss] (from macro 'ExportModule ')"
      ),
      (
        "  func subscribe(_ events: Subscriptions<A>) {}", "3:8",
        "'subscribe(_:)' is not called by the manager, because it does not match the requirement 'subscribe(_:)' of 'Module'; "
          + "did you mean 'static func subscribe(_ events: Subscriptions<Self>)'? [near-miss] "
          + "(from macro 'ExportModule ')"
      ),
      (
        "  func setUp(_ context: Context) async throws {}", "3:8",
        "'setUp(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of 'Module', which is not "
          + "asynchronous; conform to 'AsyncModule' and implement 'becomeReady(_:)' for asynchronous work [near-miss] "
          + "(from macro 'ExportModule ')"
      ),
      (
        "  static func subscribe(_: Subscriptions<B>) {}", "3:15",
        "'subscribe(_:)' is not called by the manager, because it does not match the requirement 'subscribe(_:)' of 'Module'; "
          + "did you mean 'static func subscribe(_ events: Subscriptions<Self>)'? [near-miss] "
          + "(from macro 'ExportModule ')"
      ),
      (
        "  func shutdown(_ context: Context) {}", "3:8",
        "'shutdown(_:)' is not called by the manager, because only 'AsyncModule' has a requirement 'shutDown(_:)'; "
          + "conform to 'AsyncModule' instead of 'Module', and declare it as "
          + "'func shutDown(_ context: Context) async throws' [near-miss] (from macro 'ExportModule ')"
      ),
      (
        "  func becomeReady(context: Context) {}", "3:8",
        "'becomeReady(context:)' is not called by the manager, because only 'AsyncModule' has a requirement "
          + "'becomeReady(_:)'; conform to 'AsyncModule' instead of 'Module', and declare it as "
          + "'func becomeReady(_ context: Context) async throws' [near-miss] (from macro 'ExportModule ')"
      ),
    ], ["5", "6"])
  func `A function that almost matches a requirement is a warning at its name`(
    snippet: (String, String, String), version: String
  ) throws {
    let source = "import Lifecycle\n@ExportModule final class A: Module {\n\(snippet.0)\n}\nfinal class B: Module {}\n"
    let compilation = try Compiler.run(["snippet.swift": source], ["-swift-version", version])
    #expect(compilation.succeeded, "\(compilation.output)")
    #expect(
      compilation.diagnostics == ["snippet.swift:\(snippet.1): warning: \(snippet.2)"], "\(compilation.output)")
  }
}
