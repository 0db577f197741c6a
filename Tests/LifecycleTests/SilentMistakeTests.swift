import Registry
import RegistryReports
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle

extension Event where Payload == Int, Outcome == Void {
  fileprivate static var basketDidChange: Self { .init("mistake.basketDidChange") }
  fileprivate static var basketDidEmpty: Self { .init("mistake.basketDidChange") }
  fileprivate static var basketDidChnage: Self { .init("mistake.basketDidChnage") }
}

/// Another declaration of the same event, as a feature has that does not import the first one.
private enum OtherFeature {
  static var basketDidChange: Event<Int, Void> { .init("mistake.basketDidChange") }
  static let stored = Event<Int, Void>("mistake.basketDidChange")
  static func named(_ text: String) -> Event<Int, Void> { .init("mistake.basketDidChange") }
}

private protocol Kiosk: Sendable {}
extension ContributionPoint<[Int]> { fileprivate static var mistakes: Self { .init("mistake.all") } }
private struct OpenKiosk: Kiosk {}

@ExportModule(level: .basic, priority: 7, after: ["LifecycleTests.MistakeAbsent"], activation: .onFirstEvent)
final class MistakeBasic: Module {
  static func subscribe(_ events: Subscriptions<MistakeBasic>) { events.on(.ping) { _, _ in } }
}

@ExportModule(priority: 1, after: [MistakeLast.self], afterNeeds: true)
final class MistakeFirst: Module {}

@ExportModule(priority: 9)
final class MistakeLast: Module {
  @Service private var kiosk: any Kiosk
  @Contributions(.mistakes) private var mistakes: [Int]
}

@ExportModule(group: "mistake.split")
@ExportService((any Kiosk).self, scope: .shared, group: "mistake.split")
private final class MistakeKiosk: Module, Kiosk {}

private final class Repeater: Module {
  func setUp(_ context: Context) { context.modules?.on(.ping) { _ in } }
}

private final class Reader: Module {
  func setUp(_ context: Context) {
    _ = context.configuration[ContextKey<Int>("shop.limit", default: 1)]
    _ = context.configuration[ContextKey<String>("shop.name", default: "")]
    _ = context.configuration[ContextKey<Int>("shop.name", default: 0)]
    context.trigger(.basketDidChnage, 1)
    context.trigger(.basketDidChange, 1)
  }
}

private final class Listener: Module {
  static func subscribe(_ events: Subscriptions<Listener>) { events.on(.basketDidChange) { _, _, _ in } }
}

private final class Opener: Module {
  func setUp(_ context: Context) { context.services.register((any Kiosk).self) { OpenKiosk() } }
}

private final class Customer: Module {
  func setUp(_ context: Context) throws { _ = try context.services.createService(for: (any Kiosk).self) }
}

/// The mistakes that nothing told, each with the message, and correct code that looks like it.
@MainActor @Suite struct SilentMistakeTests {
  let problems = DiagnosticCollector()

  private func manager(
    _ modules: [any Module.Type] = [], services: ServiceManager? = nil, records: RecordSource = .none
  ) -> ModuleManager {
    ModuleManager(modules: modules, services: services, records: records, onDiagnostic: problems.handler)
  }

  // MARK: - Nothing to start

  @Test func `An empty manager says that it has nothing to start`() async throws {
    let first = manager()
    try first.start()
    await first.waitUntilIdle()
    try #require(problems.codes == [.nothingToStart])
    #expect(
      problems.diagnostics[0].message
        == "nothing to start: the manager reads no records; pass 'records: .loadedImages' or 'modules:', or use"
        + " 'ModuleManager.shared'")
    first.trigger(.ping)
    first.stop()
    #expect(problems.codes == [.nothingToStart])

    let second = manager(services: .shared, records: .records { $0.typeName == "Mod" })
    try second.start()
    second.trigger(.ping)
    #expect(
      problems.diagnostics.last?.message.hasPrefix(
        "nothing to start: the filter of the manager's records selects 0 of ") == true)
    let third = manager()
    let run = Task { try await third.run() }
    while problems.diagnostics.count < 3 { await Task.yield() }
    third.stop()
    try await run.value
    second.stop()
  }

  @Test func `A manager that gets its modules or handlers right after the start is not empty`() async throws {
    for add: (ModuleManager) -> Void in [{ $0.register(Repeater.self) }, { $0.on(.ping) { _ in } }] {
      let modules = manager()
      try modules.start()
      add(modules)
      modules.trigger(.ping)
      await modules.waitUntilIdle()
      modules.stop()
    }
    // An app can have services and routes, and no modules yet.
    let others = manager(records: .records { $0.kind != .module && $0.kind != .handler && $0.kind != .need })
    try others.start()
    await others.waitUntilIdle()
    others.stop()
    #expect(problems[.nothingToStart].isEmpty)
  }

  // MARK: - Events

  @Test func `Two events with one identifier are reported with both names`() throws {
    let modules = manager([Listener.self])
    modules.on(.basketDidEmpty) { _, _ in }
    try modules.start()
    modules.trigger(.basketDidChange, 1)
    let problem = try #require(problems[.duplicateEvent].first)
    #expect(problem.message.contains("the events 'basketDidEmpty', which it handles, and 'basketDidChange', which"))
    #expect(
      problem.message.contains("'LifecycleTests.Listener' handles, have the identifier 'mistake.basketDidChange'"))
    #expect(problems.diagnostics.count == 1)
    modules.stop()
  }

  @Test func `A handler with a task priority runs in the scope of the task that triggers the event`() async throws {
    let (modules, services) = (manager(), ServiceManager { _ in })
    modules.on(.basketDidChange, taskPriority: .utility) { _ in _ = try services.createService(for: (any Kiosk).self) }
    try modules.start()
    await services.withOverrides {
      $0.override((any Kiosk).self) { OpenKiosk() }
    } operation: {
      modules.trigger(.basketDidChange, 1)
      await modules.waitUntilIdle()
    }
    #expect(problems.diagnostics.isEmpty)
    modules.trigger(.basketDidChange, 1)
    await modules.waitUntilIdle()
    #expect(problems.codes == [.handlerFailed])
    modules.stop()
  }

  @Test func `An event's new first handler is compared with all others`() throws {
    let modules = manager([])
    // The feature that declares the event, according to its name, and another one.
    modules.register(named: "basketDidChange.Feature") { Listener() }
    modules.register(named: "other.Feature") { Listener() }
    for _ in 0..<40 { modules.on(.modulesWillTearDown) { _, _ in } }
    try modules.start()
    modules.trigger(.basketDidChange, 1)
    modules.on(.basketDidEmpty, priority: 9) { _, _ in }
    modules.trigger(.basketDidChange, 1)
    #expect(problems[.duplicateEvent].count == 1)
    modules.stop()
  }

  @Test func `Several declarations of one event are one event`() throws {
    let modules = manager([Listener.self])
    modules.on(OtherFeature.basketDidChange) { _, _ in }
    modules.on(OtherFeature.stored) { _, _ in }
    modules.on(OtherFeature.named("x")) { _, _ in }
    modules.on(Event<Int, Void>("mistake.basketDidChange")) { _, _ in }
    try modules.start()
    modules.trigger(.basketDidChange, 1)
    #expect(problems.diagnostics.isEmpty)
    modules.stop()
  }

  @Test func `A report does not call the last remaining handler of a location repeated`() throws {
    let modules = manager([])
    let tokens = (1...2).map { _ in modules.on(.basketDidChange) { _, _ in } }
    try modules.start()
    #expect(modules.report().description.ranges(of: "added again at the same location").count == 1)
    tokens[0].cancel()
    #expect(!modules.report().description.contains("added again at the same location"))
    modules.stop()
  }

  @Test func `A report lists events that nothing handles, missed events, and repeated handlers`() throws {
    let modules = manager([Repeater.self, Listener.self, Reader.self])
    modules.register(Reader.self)
    problemsOfRestart: for _ in 1...2 {
      try modules.start()
      modules.stop()
    }
    try modules.start()
    modules.unregister(Listener.self)
    modules.register(Listener.self, after: [Reader.self])
    modules.stop()
    try modules.start()
    let text = modules.report().description
    #expect(
      text.contains(
        "mistake.basketDidChnage, which was triggered, and no module or handler handles; did you mean"
          + " 'mistake.basketDidChange'?"),
      "\(text)")
    #expect(text.contains("was triggered in a 'setUp' before 'LifecycleTests.Listener' was set up"), "\(text)")
    #expect(
      text.contains(
        "added again at the same location; releasing its token does not end it, so call 'cancel()', or let a module add it"
          + " in 'setUp' with 'context.on'"), "\(text)")
    #expect(text.contains("this manager reads no records, so it does not call the "), "\(text)")
    #expect(problems.codes == [.duplicate])
    modules.stop()
  }

  @Test func `A report says which handlers 'trigger' does not wait for, after the others`() {
    let modules = manager()
    modules.on(.basketDidChange, taskPriority: .utility) { _ in }
    modules.on(.basketDidChange, .afterApp) { _, _ in }
    modules.on(.basketDidChange) { _, _ in }
    let lines = modules.report().description.split(separator: "\n").filter { $0.contains("SilentMistakeTests.swift:") }
    #expect(
      lines.map { $0.hasSuffix(", later, so neither 'trigger' nor 'stop()' waits for it") } == [false, false, true],
      "\(lines)")
    #expect(lines.count == 3 && lines[1].hasSuffix(", after the app's own handling"))
  }

  @Test func `A report names modules that no event activates, and events without an identifier`() throws {
    let modules = manager()
    modules.register(Customer.self, activation: .onFirstEvent)
    modules.register(Listener.self, activation: .onFirstEvent)
    modules.on(Event<Void, Void>("")) { _ in }
    try modules.start()
    let text = modules.report().description
    #expect(text.ranges(of: "handles no event, so it is never created").count == 1, "\(text)")
    #expect(text.contains("'', which should be 'feature.whatHappened'"), "\(text)")
    modules.stop()
  }

  // MARK: - Modules and services

  @Test func `A report does not list events that had handlers, and lists launch values that no code reads`() throws {
    let modules = manager()
    modules.on(.basketDidChange, once: true) { _, _ in }
    let token = modules.on(Event<Int, Void>("mistake.canceled")) { _, _ in }
    try modules.start(
      launch: ContextValues {
        $0[ContextKey<Int>("mistake.limit", default: 0)] = 1
        $0[ContextKey<Int>("process.argumentCount", default: 0)] = 1
      })
    for _ in 1...2 { modules.trigger(.basketDidChange, 1) }
    modules.trigger(Event<Int, Void>("mistake.canceled"), 1)
    token.cancel()
    modules.trigger(Event<Int, Void>("mistake.canceled"), 1)
    modules.trigger(Event<Int, Void>("mistake.other"), 1)
    let text = modules.report().description
    #expect(text.contains("mistake.other, which was triggered"), "\(text)")
    #expect(!text.contains("mistake.basketDidChange, which") && !text.contains("mistake.canceled, which"), "\(text)")
    #if DEBUG
    #expect(text.contains("'mistake.limit' is given, and no code has read it"), "\(text)")
    #expect(!text.contains("process.argumentCount"), "\(text)")
    _ = modules.context.launch[ContextKey<Int>("mistake.limit", default: 0)]
    #expect(!modules.report().description.contains("'mistake.limit'"))
    #endif
    modules.stop()
  }

  // MARK: - Modules and services

  @Test func `Modules that are passed as types have the attributes of their records`() throws {
    let modules = manager([MistakeFirst.self, MistakeLast.self, MistakeBasic.self])
    try modules.start()
    #expect(modules.moduleNames == ["LifecycleTests.MistakeLast", "LifecycleTests.MistakeFirst"])
    modules.trigger(.ping)
    #expect(
      modules.moduleNames == [
        "LifecycleTests.MistakeBasic", "LifecycleTests.MistakeLast", "LifecycleTests.MistakeFirst",
      ])
    #expect(problems.diagnostics.isEmpty)
    modules.stop()
  }

  @Test func `A property with Service in a manager with other services is reported`() throws {
    let own = ServiceManager()
    own.register((any Kiosk).self) { OpenKiosk() }
    let modules = manager([MistakeLast.self], services: own)
    try modules.start()
    let problem = try #require(problems[.sharedServices].first)
    #expect(problem.subject == "LifecycleTests.MistakeLast")
    #expect(problem.message.hasPrefix("the property at LifecycleTests/SilentMistakeTests.swift:"))
    #expect(problem.message.contains("write 'in: \\MistakeLast.services' in the attribute"))
    #expect(problems.diagnostics.map(\.code) == [.sharedServices, .sharedServices])
    modules.stop()
    let records = manager(
      services: own,
      records: .records { $0.typeName == "LifecycleTests.MistakeLast" || $0.attributes.contains("MistakeLast\"") })
    try records.start()
    #expect(problems[.sharedServices].count == 4)
    records.stop()
    // Each of these managers uses the shared services, or none.
    for services in [nil, ServiceManager.shared, ServiceManager(parent: .shared)] {
      let modules = manager([MistakeLast.self, Repeater.self], services: services)
      try modules.start()
      let told = modules.report().description.contains(
        "uses 'ServiceManager.shared', which this manager does not; pass")
      #expect(told == (services == nil))
      modules.stop()
    }
    #expect(problems[.sharedServices].count == 4)
  }

  @Test func `All needs of modules that are passed as types can be required`() {
    let modules = manager([MistakeLast.self])
    modules.requireAllNeeds()
    #expect { try modules.start() } throws: {
      ($0 as? ModuleError)?.code == "unmet-need" && "\($0)".contains("'LifecycleTests.MistakeLast'")
    }
  }

  @Test func `What is required after the start is checked at once`() throws {
    let modules = manager([Repeater.self])
    modules.context.services.register((any Kiosk).self) { OpenKiosk() }
    try modules.start()
    modules.require((any Kiosk).self)
    modules.require(modules: "LifecycleTests.Repeater")
    #expect(problems.diagnostics.isEmpty)
    modules.require((any Kiosk).self, named: "other")
    modules.require(modules: "LifecycleTests.Repeatr")
    #expect(problems.codes == [.missing, .missing])
    #expect(problems.diagnostics[1].message.contains("did you mean 'LifecycleTests.Repeater'?"))
    modules.stop()
  }

  @Test func `A module can be required by its type`() throws {
    let modules = manager([Repeater.self])
    modules.require(Repeater.self)
    try modules.start()
    modules.require(Listener.self)
    #expect(problems.codes == [.missing])
    #expect(problems.diagnostics[0].subject == "LifecycleTests.Listener")
    modules.stop()
  }

  @Test func `A set-up that lacks a service suggests the order`() {
    #expect { try manager([Customer.self]).start() } throws: {
      "\($0)".hasSuffix("if a module registers the service in its 'setUp', name that module in 'after' [set-up-failed]")
    }
  }

  @Test func `A report tells of modules that are services as well`() throws {
    let split = "lookups of 'LifecycleTests.Kiosk' create another instance of the class; register the module itself in"
    let parent = ServiceManager(records: .group("mistake.split"))
    for services in [parent, ServiceManager(parent: parent)] {
      #expect(manager([MistakeKiosk.self], services: services).report().description.contains(split))
    }
    #expect(!manager([MistakeKiosk.self]).report().description.contains(split))
  }

  @Test func `A report tells of 'afterNeeds' in a Swift module that states no needs`() {
    let text = "'afterNeeds' has no effect"
    let modules = manager([MistakeFirst.self])
    #expect(!modules.report().description.contains(text))
    var attributes = ModuleAttributes(module: "WithoutNeeds.Module")
    attributes.afterNeeds = true
    let source = ModuleEntry.Source.type(Repeater.self, location: "", make: { Repeater() })
    _ = modules.registry.insert(ModuleEntry(attributes: attributes, image: nil, source: source))
    #expect(modules.report().description.ranges(of: text).count == 1)
  }

  #if DEBUG
  @Test func `Needs that are required after the start, and a misspelled removal, are told`() throws {
    let modules = manager([MistakeLast.self])
    try modules.start()
    modules.requireAllNeeds()
    #expect(problems.codes == [.unmetNeed])
    #expect(problems.diagnostics[0].message.contains("was called after the start began, so this unmet need"))
    modules.unregister(named: "MistakeLast")
    #expect(problems.codes == [.unmetNeed, .missing])
    #expect(problems.diagnostics[1].message.hasSuffix("did you mean 'LifecycleTests.MistakeLast'?"))
    for _ in 1...2 { modules.unregister(named: "LifecycleTests.MistakeLast") }
    modules.unregister(named: "Other")
    modules.stop()
    let met = manager([Repeater.self])
    try met.start()
    met.requireAllNeeds()
    met.stop()
    #expect(problems.diagnostics.count == 2)
  }
  #endif

  // MARK: - The end of a manager

  @Test(arguments: [false, true])
  func `A manager that is released while it runs says that nothing is torn down`(isLate: Bool) async throws {
    var modules: ModuleManager? = manager(isLate ? [] : [Listener.self])
    modules?.runner.isTest = false
    try modules?.start()
    if isLate { modules?.register(Listener.self) }
    await modules?.waitUntilIdle()
    modules = nil
    try await until("the release is reported") { !problems.diagnostics.isEmpty }
    #expect(problems.codes == [.notStopped])
    #expect(problems.diagnostics[0].message.hasPrefix("the manager was released while it was running, so its modules"))
  }

  @Test func `A manager that is released without modules or after a stop is silent`() async throws {
    for ends in [true, false] {
      let modules = manager(ends ? [Listener.self] : [])
      modules.runner.isTest = false
      modules.on(.ping) { _ in }
      try modules.start()
      await modules.waitUntilIdle()
      if ends { modules.stop() }
    }
    for _ in 1...100 { await Task.yield() }
    #expect(problems.diagnostics.isEmpty)
  }

  // MARK: - Configuration

  @Test func `A report lists settings that no code reads and names with two types`() throws {
    let modules = manager([Reader.self])
    modules.context.configuration = ContextValues([
      "shop.limti": 5, "shop": .dictionary(["limit": 5]), "shop.name": "x", "shop.limit": 2,
    ])
    try modules.start()
    let text = modules.report().description
    #if DEBUG
    #expect(text.contains("'shop.limti' is given, and no code has read it; did you mean 'shop.limit'?"), "\(text)")
    #expect(
      text.contains(
        "'shop' is given, and no code has read it; code reads 'shop.limit' and 'shop.name', and a dot is part of a name,"
          + " not a path; give each whole name"), "\(text)")
    #expect(
      text.contains(
        "'shop.name' is used as 'Swift.Int, by default 0' and 'Swift.String, by default '; declare the key once, or give"
          + " each its own name"), "\(text)")
    #expect(!text.contains("'shop.limit' is"), "\(text)")
    modules.context.configuration[ContextKey<Int>("shop.size", default: 3)] = 4
    _ = modules.context.configuration[ContextKey<Double>("shop.size", default: 3)]
    let changed = modules.report().description
    #expect(changed.contains("'shop.size' is used as 'Swift.Double, by default 3.0' and 'Swift.Int, by default 3'"))
    _ = modules.context.configuration[ContextKey<Int>("shop.limit", default: 3)]
    #expect(
      modules.report().description.contains(
        "'shop.limit' is used as 'Swift.Int, by default 1' and 'Swift.Int, by default 3'"))
    for size in 100..<110 { _ = modules.context.configuration[ContextKey<Int>("shop.many", default: size)] }
    let many = modules.report().description
    #expect(many.contains("by default 103'") && !many.contains("by default 104'"), "\(many)")
    #endif
    modules.stop()
  }

  #if DEBUG
  @Test func `A report says which collection is read`() throws {
    let user = ContextKey<String>("shop.user", default: "")
    let (size, unread) = (ContextKey<Int>("shop.size", default: 3), ContextKey<Int>("shop.unread", default: 3))
    let modules = manager([Repeater.self])
    modules.context.configuration = ContextValues(["shop.door": 1])
    modules.context.configuration[size] = 4
    modules.context.configuration[unread] = 4
    try modules.start(launch: ContextValues(["shop.user": "Ada"]))
    _ = modules.context.configuration[user]
    _ = (modules.context.launch[ContextKey<Int>("shop.door", default: 0)], modules.context.launch[size])
    let text = modules.report().description
    let words = "is given, and no code has read it; code reads it from 'context"
    #expect(text.contains("'shop.user' \(words).configuration'"), "\(text)")
    for name in ["door", "size"] { #expect(text.contains("'shop.\(name)' \(words).launch'"), "\(text)") }
    #expect(!text.contains("shop.unread"))
    modules.stop()
  }

  @Test func `A report says what an event's outcome is without an answer`() {
    let modules = manager()
    for rule in [CombiningRule<Bool>.any, .all] {
      let token = modules.on(Event<Int, Bool>("mistake.may", combining: rule), once: rule.initial()) { _, _ in true }
      #expect(modules.report().description.contains("  without an answer, the outcome is \(rule.initial())"))
      token.cancel()
    }
    modules.on(AsyncEvent<Int, Bool>("mistake.mayLater", combining: .all)) { _, _ in true }
    modules.on(Event<Int, Int>("mistake.count", combining: .init(initial: 0) { $0 += $1 })) { _, _ in 1 }
    #expect(modules.report().description.ranges(of: "the outcome is true").count == 1)
    #expect(modules.report().description.ranges(of: "the outcome is").count == 1)
  }

  @Test func `Two rules of one event are reported`() throws {
    let modules = manager()
    for rule in [CombiningRule<Bool>.any, .all, .any] {
      modules.on(Event<Int, Bool>("mistake.may", combining: rule)) { _, _ in true }
    }
    try modules.start()
    _ = modules.trigger(Event<Int, Bool>("mistake.may", combining: .any), 1)
    #expect(problems.codes == [.eventMismatch])
    let text = "without an answer, 'mistake.may' is true in its declaration, but false in the one that 'LifecycleTests/"
    #expect(problems.diagnostics.first?.message.hasPrefix(text) == true, "\(problems.diagnostics)")
    modules.stop()
  }

  @Test func `A module that a group exports is told with the group`() throws {
    let (name, group) = ("LifecycleTests.MistakeKiosk", "mistake.split")
    for readsGroup in [false, true] {
      let modules = manager(records: readsGroup ? .group(group) : .records { _ in false })
      try modules.start()
      if readsGroup { #expect(modules.unregister(MistakeKiosk.self)) }
      modules.register(Repeater.self, after: [name])
      modules.require(modules: name)
      modules.stop()
    }
    let end = " belongs to the group '\(group)'; use a manager with 'records: .group(\"\(group)\")'"
    for code in [Diagnostic.Code.unknownAfter, .missing] {
      #expect(problems[code].map { $0.message.contains(end) } == [true, false], "\(problems.diagnostics)")
    }
  }

  @Test func `A lookup says that the module that registered the service was removed`() throws {
    let modules = manager([Opener.self])
    try modules.start()
    _ = try modules.context.services.createService(for: (any Kiosk).self)
    modules.unregister(Opener.self)
    let error = #expect(throws: ServiceError.self) { try modules.context.services.createService(for: (any Kiosk).self) }
    #expect(error?.description.contains("ended with the module or handler that registered it") == true)
    modules.stop()
  }

  @Test func `A report lists a setting that only an observer reads, until it changes`() throws {
    let (size, limit) = (ContextKey<Int>("shop.size", default: 3), ContextKey<Int>("shop.limit", default: 1))
    let modules = manager([Reader.self])
    modules.context.configuration[size] = 4
    modules.context.configuration[limit] = 2
    for key in [size, limit, ContextKey<Int>("shop.weight", default: 0)] { modules.context.observe(key) { _, _ in } }
    try modules.start()
    let words = "is given, and no code has read it; 'observe' does not deliver the current value, so read it once"
    let text = modules.report().description
    #expect(text.contains("'shop.size' \(words)"), "\(text)")
    #expect(!text.contains("'shop.limit'") && !text.contains("'shop.weight'"), "\(text)")
    modules.context.configuration[size] = 5
    #expect(!modules.report().description.contains("'shop.size'"))
    let height = ContextKey<Int>("shop.height", default: 0)
    modules.context.configuration[height] = 1
    modules.context.observe(height) { _, _ in }.cancel()
    #expect(modules.report().description.contains("'shop.height' \(words)"))
    modules.context.configuration.remove(height)
    #expect(!modules.report().description.contains("'shop.height'"))
    modules.stop()
  }

  @Test func `A handler that lacks a service is told which needs are required`() async throws {
    let hint = "; 'requireAllNeeds()' checks only what '#needs' or '@Service' declares"
    for isRequired in [true, false] {
      let modules = manager([Repeater.self])
      if isRequired { modules.requireAllNeeds() }
      let work = { @MainActor (context: Context) throws in
        _ = try context.services.createService(for: (any Kiosk).self)
      }
      modules.on(.basketDidChange) { _, context in try work(context) }
      modules.on(.basketDidChange, taskPriority: .high) { [unowned modules] _ in
        _ = try await modules.context.services.createService(for: (any Kiosk).self)
      }
      modules.on(.basketDidChange) { _, _ in throw CancellationError() }
      try modules.start()
      let count = problems.diagnostics.count
      modules.trigger(.basketDidChange, 1)
      await modules.waitUntilIdle()
      let told = problems.diagnostics.dropFirst(count)
      #expect(told.count == 3 && told.allSatisfy { $0.code == .handlerFailed })
      #expect(told.count { $0.message.hasSuffix(hint) } == (isRequired ? 2 : 0), "\(told)")
      modules.stop()
    }
  }

  @Test func `a context key without a name stops the program`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ContextKey<Int?>("")
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("swift-section-registry: a context key needs a name, such as 'shop.currency'"))
  }
  #endif
}
