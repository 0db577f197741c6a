import Foundation
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
    ("func setUp(context: Context) {}", "setUp(context:)", "setUp(_:)", "func setUp(_ context: Context) throws"),
    ("func tearDwon(_ c: Context) {}", "tearDwon(_:)", "tearDown(_:)", "func tearDown(_ c: Context) throws"),
    ("func tearDown(in c: Context) {}", "tearDown(in:)", "tearDown(_:)", "func tearDown(_ c: Context) throws"),
    ("func tearDown(in: Context) {}", "tearDown(in:)", "tearDown(_:)", "func tearDown(_ in: Context) throws"),
    ("func setup(_: Context) {}", "setup(_:)", "setUp(_:)", "func setUp(_ context: Context) throws"),
    (
      "static func setUp(_ context: Context) {}", "setUp(_:)", "setUp(_:)", "func setUp(_ context: Context) throws"
    ),
    (
      "public func initialise(_ c: Lifecycle.Context) {}", "initialise(_:)", "initialize(_:)",
      "func initialize(_ c: Context) throws"
    ),
    (
      "func didFinishStarted() {}\nfunc didfinishstarting(_ context: Context) {}", "didfinishstarting(_:)",
      "didFinishStarting(_:)", "func didFinishStarting(_ context: Context) throws"
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

  @Test(arguments: [
    ("subscribe(_:)", "func subscribe(_ s: Subscriptions<A>) {}", "static func subscribe(_ s: Subscriptions<A>) {}"),
    (
      "subscribe(_:)", "static func subscribe(_: Subscriptions<B>) {}",
      "static func subscribe(_ events: Subscriptions<A>) {}"
    ),
    ("setUp(_:)", "static func setUp(_ c: Context) { f(c) }", "func setUp(_ c: Context) throws { f(c) }"),
    (
      "setUp(_:)", "class public /* a */ func setUp(_ c: Context) {}",
      "public /* a */ func setUp(_ c: Context) throws {}"
    ),
    ("tearDown(_:)", "func teardown(`in`: Context) {}", "func tearDown(_ `in`: Context) throws {}"),
    (
      "becomeReady(_:)", "nonisolated static func becomeReady(_ c: Context) async {}",
      "nonisolated func becomeReady(_ c: Context) async throws {}"
    ),
  ])
  func `A fix-it keeps the other modifiers and the name in the body, and leaves no warning`(
    requirement: String, member: String, fixed: String
  ) throws {
    let warning = try #require(warnings(member, proto: "AsyncModule").first)
    #expect(warning.message.contains("does not match the requirement '\(requirement)'"))
    let text = try corrected("final class A: AsyncModule {\n\(member)\n}")
    #expect(text == "final class A: AsyncModule {\n\(fixed)\n}")
    #expect(warnings(fixed, proto: "AsyncModule").isEmpty)
  }

  @Test(arguments: ["Self", "A", "Cart.A", "Cart::A", "`A`"])
  func `A subscription for the module itself is no warning`(argument: String) {
    #expect(warnings("static func subscribe(_ events: Lifecycle.Subscriptions<\(argument)>) {}").isEmpty)
    #expect(
      expansion(
        request(
          "ExportModule", "@ExportModule",
          on: "final class A: Module { static func subscribe(_ events: Subscriptions<Outer.A>) {} }",
          in: ["enum Outer {}"])
      ).diagnostics.isEmpty)
  }

  @Test(arguments: ["OtherModule", "BA", "Other.A", "A.B", "Cart"])
  func `A subscription for another module is a warning`(argument: String) {
    #expect(
      warnings("static func subscribe(_ events: Subscriptions<\(argument)>) {}").map(\.message) == [
        "'subscribe(_:)' is not called by the manager, because it does not match the requirement 'subscribe(_:)' of "
          + "'Module'; did you mean 'static func subscribe(_ events: Subscriptions<A>)'? [near-miss]"
      ])
    let overloads =
      "static func subscribe(_ events: Subscriptions<A>) {}\n"
      + "static func subscribe(_ events: Subscriptions<\(argument)>) {}"
    #expect(warnings(overloads).isEmpty)
  }

  @Test(arguments: ["S", "S.T", "Cart.S"])
  func `A subscription for a type alias in the module is no warning`(argument: String) {
    let function = "static func subscribe(_ events: Subscriptions<\(argument)>) {}"
    #expect(warnings(function).count == 1)
    #expect(warnings("typealias \(argument.split(separator: ".").last!) = F\n\(function)").isEmpty)
    #expect(warnings("enum E { typealias \(argument.split(separator: ".").last!) = F }\n\(function)").isEmpty)
    #expect(warnings("typealias Other = F\n\(function)").count == 1)
  }

  @Test(arguments: [
    "becomeReady(_ context: Context) async throws", "run(_ context: Context) async", "shutDown(_ context: Context)",
  ])
  func `An implementation of a phase in a type that names only 'Module' is a warning`(function: String) {
    let name = String(function.prefix { $0 != "(" })
    #expect(
      warnings("func \(function) {}").map(\.message) == [
        "'\(name)(_:)' is called only if the class conforms to 'AsyncModule'; write 'AsyncModule' instead of 'Module' "
          + "in its declaration [near-miss]"
      ])
    #expect(warnings("func \(function) {}", proto: "AsyncModule").isEmpty)
    #expect(warnings("func \(function) {}", proto: "Module, Phased").isEmpty)
  }

  @Test(arguments: [
    ("start", "", "setUp"), ("onSetUp", "", "setUp"), ("modSetUp", "", "setUp"), ("modInit", "", "initialize"),
    ("didFinishStart", "", "didFinishStarting"), ("modSplash", "", "didFinishStarting"), ("stop", "", "tearDown"),
    ("onDestroy", "", "tearDown"), ("ready", "async", "becomeReady"), ("ready", "", "becomeReady"),
    ("start", "async", "becomeReady"), ("main", "async throws", "run"), ("stop", "async", "shutDown"),
  ])
  func `A function with another word for a requirement is a warning, unless it is used`(
    name: String, effects: String, requirement: String
  ) {
    let function = "func \(name)(_ context: Context) \(effects) {}"
    let found = warnings(function, proto: "AsyncModule").map(\.message)
    #expect(found.count == 1 && found[0].contains("does not match the requirement '\(requirement)(_:)'"))
    #expect(warnings("\(function)\nfunc setUp(_ context: Context) { \(name)(context) }", proto: "AsyncModule").isEmpty)
    #expect(warnings("private \(function)", proto: "AsyncModule").isEmpty)
    #expect(warnings(function, proto: "AsyncModule, Launching").isEmpty)
    #expect(warnings("func \(name)(_ page: Page) \(effects) {}", proto: "AsyncModule").isEmpty)
    #expect(warnings("func \(name)(in context: Context) -> Int { 0 }", proto: "AsyncModule").isEmpty)
  }

  @Test func `A synchronous function is not mistaken for a phase that the type does not have`() {
    for name in ["ready", "main", "close", "serve"] { #expect(warnings("func \(name)(_ context: Context) {}").isEmpty) }
    #expect(warnings("func ready(_ context: Context) async {}").count == 1)
  }

  @Test(arguments: ["static func subscriptions(_ events: Subscriptions<A>)", "func observe(_ s: Subscriptions<Self>)"])
  func `A function that takes the subscriptions is a warning under any name`(function: String) {
    #expect(warnings("\(function) {}").first?.message.contains("requirement 'subscribe(_:)'") == true)
    let subscribe = "static func subscribe(_ events: Subscriptions<Self>) { observe(events); subscriptions(events) }"
    #expect(warnings("\(function) {}\n\(subscribe)").isEmpty)
  }

  @Test(arguments: [
    "let linkage = Linkage.static\nfunc setUp(_ context: Context) throws {}",
    "static private(set) var failureTerminationBehavior: RunTermination = .continues",
    "private nonisolated(nonsending) func shutdown(_ context: Context) async {}",
  ])
  func `A modifier can have an argument, and a member's name is no modifier`(members: String) {
    #expect(warnings(members, proto: "AsyncModule").isEmpty)
  }

  @Test func `A modifier of another member says nothing about a function`() {
    #expect(warnings("let level = Access.private\nfunc setup(_ context: Context) {}").count == 1)
    #expect(warnings("private(set) static var setup: Int\nfunc setup(_ context: Context) {}").count == 1)
  }

  @Test func `A static property that is named like an argument of the attribute is a warning`() {
    let module = """
      static let priority = 5
      static var level: ModuleLevel { .basic }
      static var after: [String] { ["A.B"] }
      """
    #expect(
      warnings(module).map(\.message)
        == ["priority", "level", "after"].map {
          "'\($0)' is not read by the manager; pass it to the attribute: '@ExportModule(\($0): …)' [near-miss]"
        })
    #expect(warnings("static let level = 1\nlet after = 2\nprivate static let priority = 3").isEmpty)
    #expect(warnings("static let priority: TaskPriority = .high\nstatic let after: Date = .now").isEmpty)
    #expect(warnings("static let priority = 5\nlet own = priority").isEmpty)
    #expect(warnings("static let priority = 5", proto: "Module, Ranked").isEmpty)
  }

  @Test func `An optional parameter does not match`() {
    #expect(warnings("func setUp(_ context: Context?) {}").count == 1)
    #expect(warnings("func setUp(_ context: Context!) {}").count == 1)
    #expect(warnings("func setUp(_ context: [Context]) {}").isEmpty)
  }

  @Test(arguments: [
    ("didFinishLaunching(_ context: Context)", "didFinishLaunching"),
    ("modDidEnterBackground(_ context: Context)", "didEnterBackground"),
    ("onOpenURL(_ url: OpenedURL, _ context: Context)", "openURL"),
  ])
  func `A function with the name of an event is a warning that shows how to handle the event`(
    function: String, event: String
  ) {
    let found = warnings("func \(function) {}").map(\.message)
    #expect(found.count == 1)
    #expect(
      found.first?.hasSuffix(
        "because '\(event)' is an event and not a phase; handle it in 'static func subscribe(_ events:"
          + " Subscriptions<A>)', with 'events.on(.\(event)) { … }' [near-miss]") == true)
    let name = function.prefix { $0 != "(" }
    let subscribe = "static func subscribe(_ events: Subscriptions<A>) { events.on(.\(event)) { $0.\(name)($1) } }"
    #expect(warnings("func \(function) {}\n\(subscribe)").isEmpty)
    #expect(warnings("func \(name)(_ url: URL) {}").isEmpty)
    #expect(warnings("func \(function) {}", proto: "Module, Launching").isEmpty)
  }

  @Test func `The macro knows all events`() throws {
    let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
    var declared: Set<String> = []
    for target in ["Lifecycle", "AppHost", "ProcessHost"] {
      let list = try String(contentsOfFile: "\(root)/Documentation/API/\(target).txt", encoding: .utf8)
      for line in list.split(separator: "\n") {
        if let match = line.wholeMatch(of: /(?:Async)?Event\.(\w+)  static var .*/) { declared.insert("\(match.1)") }
      }
    }
    #expect(declared == ModuleRequirement.events)
  }

  @Test(arguments: [
    ("Module", true), ("Lifecycle::Module, @unchecked Swift.Sendable", true), ("@MainActor Module", true),
    ("nonisolated Module", true), ("Base, Module", false), ("Module, Phased", false), ("Module & Phased", false),
  ])
  func `A misspelled phase is a warning only if no other protocol can require it`(proto: String, isWarning: Bool) {
    #expect(warnings("func becomeReady(context: Context) async {}", proto: proto).count == (isWarning ? 1 : 0))
    #expect(warnings("func shutdown(_ context: Context) async {}", proto: proto).count == (isWarning ? 1 : 0))
    #expect(warnings("func setup(_ context: Context) {}", proto: proto).count == 1)
  }

  @Test(arguments: [
    ("func setUp() {}", "setUp()", "setUp"), ("func teardown() {}", "teardown()", "tearDown"),
    ("static func initialize() {}", "initialize()", "initialize"),
  ])
  func `A function without a parameter gets no fix-it, and no warning if another protocol can require it`(
    member: String, name: String, requirement: String
  ) {
    let found = warnings(member)
    #expect(
      found.map(\.message) == [
        "'\(name)' is not called by the manager, because it does not match the requirement '\(requirement)(_:)' of 'Module'; "
          + "did you mean 'func \(requirement)(_ context: Context) throws'? [near-miss]"
      ])
    #expect(found.allSatisfy { $0.fixIts.isEmpty })
    #expect(warnings(member, proto: "Module, Sendable").count == 1)
    for proto in ["Module, Resettable", "Base, AsyncModule", "FeatureModule"] {
      #expect(warnings(member, proto: proto).isEmpty)
    }
  }

  /// Returns the source of a module after the compiler applies the first fix-it.
  private func corrected(_ source: String) throws -> String {
    let diagnostics = expansion(request("ExportModule", "@ExportModule", on: source)).diagnostics
    let change = try #require(diagnostics.first?.fixIts.first?.changes.first)
    // The positions are offsets in the file, in which the declaration starts at 100.
    var bytes = Array(source.utf8)
    bytes.replaceSubrange((change.range.startOffset - 100)..<(change.range.endOffset - 100), with: change.newText.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `A subscription that is not static is a warning whose fix-it adds the modifier`() throws {
    let source = "final class A: Module {\n  func subscribe(_ events: Subscriptions<A>) {}\n}"
    let result = expansion(request("ExportModule", "@ExportModule", on: source))
    let warning = try #require(result.diagnostics.first)
    #expect(
      warning.message
        == "'subscribe(_:)' is not called by the manager, because it does not match the requirement 'subscribe(_:)' of 'Module'; "
        + "did you mean 'static func subscribe(_ events: Subscriptions<A>)'? [near-miss]")
    // The positions are offsets in the file, in which the declaration starts at 100.
    let name = try #require(source.firstRange(of: "subscribe")).lowerBound
    #expect(warning.position.offset == 100 + source.utf8.distance(from: source.startIndex, to: name))
    let change = try #require(warning.fixIts.first?.changes.first)
    let bytes = Array(source.utf8)
    #expect(
      String(decoding: bytes[(change.range.startOffset - 100)..<(change.range.endOffset - 100)], as: UTF8.self)
        == "func subscribe(_ events: Subscriptions<A>)")
    #expect(change.newText == "static func subscribe(_ events: Subscriptions<A>)")
  }

  @Test func `A place counts from the declaration, although another attribute precedes the macro's`() {
    let source = "@MainActor @ExportModule final class A: Module {\nfunc setup(_ context: Context) {}\n}"
    var request = request("ExportModule", "@ExportModule", on: source)
    let first = expansion(request).diagnostics
    request.syntax.location?.offset += 11
    #expect(first.count == 1 && expansion(request).diagnostics == first)
  }

  @Test func `A fix-it replaces a function from its keyword to its last effect`() throws {
    let source = "final class A: Module {\n  public func setup(_ context: Context) throws(Failure) {}\n}"
    #expect(
      try corrected(source) == "final class A: Module {\n  public func setUp(_ context: Context) throws {}\n}")
  }

  @Test func `An asynchronous set-up and an asynchronous phase of a Module name AsyncModule`() {
    #expect(
      warnings("func setUp(_ context: Context) async throws {}").map(\.message) == [
        "'setUp(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of 'Module', which is not "
          + "asynchronous; conform to 'AsyncModule' and implement 'becomeReady(_:)' for asynchronous work [near-miss]"
      ])
    #expect(warnings("func setUp(_ context: Context) async throws {}").allSatisfy { $0.fixIts.isEmpty })
    for function in ["tearDown(_ context: Context)", "teardown(context: Context)"] {
      let found = warnings("func \(function) async {}")
      #expect(found.count == 1 && found[0].message.contains("implement 'shutDown(_:)' for asynchronous work"))
      #expect(found.allSatisfy { $0.fixIts.isEmpty })
    }
    for (function, name) in [
      ("func shutdown(_ context: Context)", "shutdown(_:)"),
      ("func becomeready(context: Context) async throws", "becomeready(context:)"),
    ] {
      let requirement = name.hasPrefix("s") ? "shutDown" : "becomeReady"
      let warnings = warnings("\(function) {}")
      #expect(warnings.allSatisfy { $0.fixIts.isEmpty })
      #expect(
        warnings.map(\.message) == [
          "'\(name)' is not called by the manager, because only 'AsyncModule' has a requirement '\(requirement)(_:)'; "
            + "conform to 'AsyncModule' instead of 'Module', and declare it as "
            + "'func \(requirement)(_ context: Context) async throws' [near-miss]"
        ])
    }
  }

  @Test(arguments: ["Int", "(Int, Int)"])
  func `A function with a result is no implementation, and gets no fix-it`(result: String) {
    let found = warnings("func setUp(_ context: Context) -> \(result) { fatalError() }")
    #expect(
      found.map(\.message) == [
        "'setUp(_:)' is not called by the manager, because it does not match the requirement 'setUp(_:)' of 'Module'; "
          + "did you mean 'func setUp(_ context: Context) throws'? [near-miss]"
      ])
    #expect(found.allSatisfy { $0.fixIts.isEmpty })
    #expect(warnings("func setUp(_ context: Context) -> Void {}").isEmpty)
    #expect(warnings("func setUp(_ context: Context) -> () {}").isEmpty)
  }

  @Test func `A function with a default value gets no fix-it, because its callers use the value`() {
    for parameter in ["Context = Context()", "Context? = nil"] {
      let found = warnings("func setup(_ context: \(parameter)) {}")
      #expect(found.count == 1 && found[0].fixIts.isEmpty)
    }
    #expect(warnings("func setUp(_ context: Context = Context()) {}").isEmpty)
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
    ("func run() async {}", "run()", "run"), ("func run(_ services: ServiceManager) async {}", "run(_:)", "run"),
    ("func run(_ context: inout Context) {}", "run(_:)", "run"),
    ("func shutDown(_ context: Context, _ modules: ModuleManager) {}", "shutDown(_:_:)", "shutDown"),
  ])
  func `An AsyncModule has the requirements of both protocols`(members: String, name: String, requirement: String) {
    #expect(
      warnings(members, proto: "AsyncModule").map(\.message) == [
        "'\(name)' is not called by the manager, because it does not match the requirement '\(requirement)(_:)' of 'AsyncModule'; "
          + "did you mean 'func \(requirement)(_ context: Context) async throws'? [near-miss]"
      ])
  }

  @Test(arguments: [
    ("subscribe(_:)", "(_ events: Subscriptions<A>) throws"), ("subscribe(_:)", "(_ context: Context)"),
    ("subscribe(_:_:)", "(_ events: Subscriptions<A>, _ context: Context)"), ("subscribe()", "()"),
  ])
  func `A subscription that throws or has other parameters is a warning`(name: String, parameters: String) {
    #expect(
      warnings("static func subscribe\(parameters) {}").map(\.message) == [
        "'\(name)' is not called by the manager, because it does not match the requirement 'subscribe(_:)' of 'Module'; "
          + "did you mean 'static func subscribe(_ events: Subscriptions<A>)'? [near-miss]"
      ])
  }

  @Test(arguments: [
    ("var failureTerminationBehavior: RunTermination { .continues }", "var failureTerminationBehavior"),
    ("let failureTerminationBehavior = RunTermination.continues", "let failureTerminationBehavior"),
    ("static let failureTerminationBehaviour = RunTermination.continues", "let failureTerminationBehavior"),
    (
      "nonisolated static var successTerminationbehavior: Lifecycle.RunTermination { .continues }",
      "var successTerminationBehavior"
    ),
  ])
  func `A setting that is misspelled or not static is a warning with a fix-it`(member: String, setting: String) throws {
    let name = try #require(setting.split(separator: " ").last)
    let warning = try #require(warnings(member, proto: "AsyncModule").first)
    #expect(
      warning.message.hasSuffix(
        " is not read by the manager, because it does not match the requirement '\(name)' of 'AsyncModule'; did you mean "
          + "'static \(setting): RunTermination'? [near-miss]"))
    let fixed = try corrected("final class A: AsyncModule {\n\(member)\n}").dropFirst(28).dropLast(2)
    #expect(fixed.contains("static \(setting): RunTermination"))
    #expect(warnings(String(fixed), proto: "AsyncModule").isEmpty)
    let plain = (warnings(member) + warnings(String(fixed))).map(\.message)
    #expect(plain.count == 2 && plain[0].contains("only 'AsyncModule' has a requirement '\(name)'"))
    #expect(plain.last?.contains("is read only if the class conforms to 'AsyncModule'") == true)
    #expect(warnings(member, proto: "AsyncModule, Terminating").isEmpty)
  }

  @Test(arguments: [
    "static var failureTerminationBehavior: RunTermination { .continues }",
    // An extension declares the static property.
    "var failureTerminationBehavior: RunTermination { Self.failureTerminationBehavior }",
    "class let successTerminationBehavior = Lifecycle.RunTermination.stopsManager",
    "let failureTerminationBehavior: TerminationBehavior", "private let failureTerminationBehavior = 1",
    "func f() { let failureTerminationBehavior = 1 }", "func run(_ job: Job) async {}",
    "func run(_ services: ServiceManager) {}\nfunc start2() { run(services) }",
    "func setUp(_ make: (Int) -> Context) {}",
  ])
  func `Other members of an AsyncModule are no warning`(members: String) {
    #expect(warnings(members, proto: "AsyncModule").isEmpty)
  }

  @Test(arguments: [
    "func setUp(_ context: Context) throws {}\nfunc setUp() {}", "func setUp(_ context: Context) throws(Failure) {}",
    "private func setUp() {}",
    "fileprivate func teardown() {}", "func setUpViews() {}", "func setUp(_ view: Int) {}", "func run() {}",
    "func setUp(router: ServiceManager, values: ContextValues) {}",
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
