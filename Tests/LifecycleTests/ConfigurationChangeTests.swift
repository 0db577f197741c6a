import Lifecycle
import Registry
import TestSupport
import Testing

private struct Opaque: Sendable { let text: String }
extension ContextKey where Value == String {
  fileprivate static var currency: Self { .init("shop.currency", default: "EUR") }
}
extension ContextKey where Value == Int {
  fileprivate static var limit: Self { .init("shop.limit", default: 3) }
  /// A key that has the name of the key for the currency, but another type.
  fileprivate static var currencyNumber: Self { .init("shop.currency", default: 0) }
}
extension ContextKey where Value == Int? {
  fileprivate static var floor: Self { .init("shop.floor") }
}
/// A value that counts its instances.
private final class Counted: Sendable {
  static let living = Locked(0)
  init() { Self.living.withLock { $0 += 1 } }
  deinit { Self.living.withLock { $0 -= 1 } }
}
extension ContextKey where Value == Counted? {
  fileprivate static var counted: Self { .init("shop.counted") }
}
extension ContextKey where Value == Opaque {
  fileprivate static var opaque: Self { .init("shop.opaque", default: Opaque(text: "")) }
}

private final class Listens: Module {
  static func subscribe(_ events: Subscriptions<Listens>) {
    events.on(.configurationDidChange) { _, change, context in
      context.configuration[.trace].add("event \(change.names.joined(separator: ","))")
    }
  }
}

/// A module that sets a key in its set-up, and another key when the first one changes.
private final class Sets: Module {
  static func subscribe(_ events: Subscriptions<Sets>) {
    events.on(.configurationDidChange) { _, change, context in
      if change.concerns(.currency) { context.configuration[.limit] = 50 }
    }
  }
  func setUp(_ context: Context) throws { context.configuration[.floor] = 1 }
}

/// A module that changes a setting in its teardown.
private final class Leaves: Module {
  func tearDown(_ context: Context) { context.configuration[.limit] = 0 }
}

@MainActor struct ConfigurationChangeTests {
  let trace = Trace()
  let problems = DiagnosticCollector()

  private func manager(_ modules: [any Module.Type] = []) -> ModuleManager {
    ModuleManager(
      modules: modules, configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  @Test func `an observer receives the changes of its key, and not those of other keys`() {
    let context = manager().context
    context.observe(.currency) { [unowned context] in
      trace.add("\($0)>\($1) now \(context.configuration[.currency])")
    }
    context.configuration[.currency] = "CHF"
    context.configuration[.limit] = 4
    context.configuration[.currencyNumber] = 756
    context.configuration[.currency] = "USD"
    context.configuration.remove(.currency)
    #expect(trace.lines == ["EUR>CHF now CHF", "CHF>USD now USD", "USD>EUR now EUR"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `setting an equal value is not a change, also if it equals the default`() {
    let context = manager().context
    context.observe(.currency) { trace.add("\($0)>\($1)") }
    context.observe(.floor) { trace.add("\($0 ?? -1)>\($1 ?? -1)") }
    context.configuration[.currency] = "EUR"
    context.configuration[.currency] = "EUR"
    context.configuration.remove(.currency)
    context.configuration[.floor] = nil
    context.configuration[.floor] = 7
    context.configuration[.floor] = 7
    #expect(trace.lines == ["-1>7"])
  }

  @Test func `values that cannot be compared are a change each time they are set`() {
    let context = manager().context
    context.observe(.opaque) { trace.add("\($0.text)>\($1.text)") }
    context.configuration[.opaque] = Opaque(text: "a")
    context.configuration[.limit] = 9
    let same = context.configuration
    context.configuration = same
    context.configuration[.opaque] = Opaque(text: "a")
    #expect(trace.lines == [">a", "a>a"])
  }

  @Test func `replacing the configuration is one change with every name that differs`() throws {
    let manager = manager([Listens.self])
    try manager.start()
    manager.context.observe(.currency) { trace.add("\($0)>\($1)") }
    manager.context.observe(.limit) { trace.add("\($0)>\($1)") }
    var configuration = manager.context.configuration
    configuration[.limit] = 8
    configuration[named: "shop.currency"] = "CHF"
    manager.context.configuration = configuration
    #expect(trace.lines == ["EUR>CHF", "3>8", "event shop.currency,shop.limit"])
    manager.context.configuration = configuration
    #expect(trace.lines.count == 3)
    manager.context.configuration = ContextValues { $0[.trace] = trace }
    #expect(trace.lines.dropFirst(3) == ["CHF>EUR", "8>3", "event shop.currency,shop.limit,test.trace"])
    manager.stop()
  }

  @Test func `a change during a notification is delivered after it, to all observers in order`() {
    let context = manager().context
    context.observe(.limit) { [unowned context] old, new in
      trace.add("a \(old)>\(new)")
      if new < 6 { context.configuration[.limit] = new + 1 }
      trace.add("a end")
    }
    context.observe(.limit) { trace.add("b \($0)>\($1)") }
    context.configuration[.limit] = 5
    #expect(trace.lines == ["a 3>5", "a end", "b 3>5", "a 5>6", "a end", "b 5>6"])
  }

  @Test(arguments: [1, 2]) func `changes that cause further changes end with a diagnostic`(each: Int) {
    let context = manager().context
    let told = Counter()
    context.observe(.limit) { [unowned context] _, new in
      told.increment()
      for step in 1...each { context.configuration[.limit] = context.configuration[.limit] + step }
    }
    context.configuration[.limit] = 4
    #expect(told.value == 10_000)
    #expect(problems[.tooDeep].count == 1)
    #expect(problems[.tooDeep].first?.subject == "configuration")
    let message = "observers changed 'shop.limit' more than \(told.value) times in response to one change"
    #expect(problems[.tooDeep].first?.message.hasPrefix(message) == true)
    // The changes beyond the limit took effect, and the next change is reported again.
    let before = told.value
    context.configuration[.limit] = -1
    #expect(told.value == 2 * before && problems[.tooDeep].count == 2)
  }

  @Test func `a chain of changes does not keep the configurations that were delivered`() {
    let context = manager().context
    var most = 0
    context.observe(.limit) { [unowned context] _, new in
      most = max(most, Counted.living.withLock { $0 })
      guard new < 100 else { return }
      var next = context.configuration
      next[.counted] = Counted()
      next[.limit] = new + 1
      context.configuration = next
    }
    context.configuration[.limit] = 4
    #expect(context.configuration[.limit] == 100)
    #expect((1...4).contains(most))
  }

  @Test func `the first eight of many endlessly changing names are reported`() {
    let context = manager().context
    context.observe(.limit) { [unowned context] _, limit in
      var next = context.configuration
      for number in 0..<10 { next[named: "name\(number)"] = .integer(Int64(limit)) }
      next[.limit] = limit + 1
      context.configuration = next
    }
    context.configuration[.limit] = 4
    let names = (0..<8).map { "'name\($0)'" }.joined(separator: ", ")
    #expect(problems[.tooDeep].map { $0.message.hasPrefix("observers changed \(names) more than") } == [true])
  }

  @Test func `many changes during one notification are all delivered`() {
    let context = manager().context
    context.observe(.currency) { [unowned context] _, _ in
      for limit in 100..<1_000 { context.configuration[.limit] = limit }
    }
    let told = Counter()
    context.observe(.limit) { _, _ in told.increment() }
    context.configuration[.currency] = "CHF"
    #expect(told.value == 900)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `an observation that is canceled during a notification receives nothing more`() {
    let context = manager().context
    var second: RegistrationToken?
    var first: RegistrationToken?
    first = context.observe(.limit) { [unowned context] _, new in
      trace.add("first \(new)")
      second?.cancel()
      context.configuration[.limit] = 10
      first?.cancel()
    }
    second = context.observe(.limit) { _, new in trace.add("second \(new)") }
    context.observe(.limit) { _, new in trace.add("third \(new)") }
    context.configuration[.limit] = 9
    first?.cancel()
    #expect(trace.lines == ["first 9", "third 9", "third 10"])
  }

  @Test func `an observer that is added during a notification receives later changes`() {
    let context = manager().context
    var isAdded = false
    context.observe(.limit) { [unowned context] _, _ in
      guard !isAdded else { return }
      isAdded = true
      context.configuration[.limit] = 20
      context.observe(.limit) { trace.add("late \($0)>\($1)") }
      context.configuration[.limit] = 30
    }
    context.configuration[.limit] = 10
    #expect(trace.lines == ["late 20>30"])
  }

  @Test func `modules receive changes as an event, from the start until they are torn down`() throws {
    let manager = manager([Listens.self])
    manager.context.configuration[.limit] = 1
    try manager.start()
    manager.context.configuration[.limit] = 2
    manager.context.configuration[.limit] = 2
    manager.stop()
    manager.context.configuration[.limit] = 3
    #expect(trace.lines == ["event shop.limit"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a change in a set-up reaches earlier modules, and one in a handler follows the event`()
    throws
  {
    let manager = ModuleManager(configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
    manager.register(Listens.self, priority: 2)
    manager.register(Sets.self, priority: 1)
    try manager.start()
    #expect(trace.lines == ["event shop.floor"])
    manager.context.configuration[.currency] = "CHF"
    #expect(trace.lines.dropFirst() == ["event shop.currency", "event shop.limit"])
    manager.stop()
  }

  @Test func `observers that release their context and cancel themselves leave nothing behind`() {
    weak var context: Context?
    final class Captured {}
    weak var captured: Captured?
    do {
      let manager = manager()
      context = manager.context
      let token = manager.context.observe(.limit) { [object = Captured()] _, _ in captured = object }
      manager.context.configuration[.limit] = 9
      #expect(captured != nil)
      #expect(token.cancel() && !token.cancel())
      #expect(captured == nil)
      manager.context.observe(.limit) { _, _ in }
    }
    #expect(context == nil)
  }

  @Test func `a module receives the changes that another one makes in its teardown`() throws {
    let manager = manager([Leaves.self])
    manager.register(Listens.self, priority: 1)
    try manager.start()
    manager.stop()
    #expect(trace.lines == ["event shop.limit"])
  }

  @Test func `an observer that retains itself is released when it is canceled`() {
    final class Observer {
      var observation: RegistrationToken?
      var limit = 0
    }
    let context = manager().context
    weak var gone: Observer?
    do {
      let observer = Observer()
      observer.observation = context.observe(.limit) { _, new in observer.limit = new }
      context.configuration[.limit] = 9
      #expect(observer.limit == 9)
      observer.observation?.cancel()
      gone = observer
    }
    #expect(gone == nil)
  }

  @Test func `the description of a default can read other settings`() {
    struct Region: CustomStringConvertible, Sendable {
      let context: Context
      var description: String { MainActor.assumeIsolated { context.configuration[.currency] } }
    }
    let context = manager().context
    #expect(context.configuration[ContextKey("shop.regions", default: [Region(context: context)])].count == 1)
  }

  @Test func `an observer that cancels its token when it is destroyed can be canceled`() {
    final class Observer: Sendable {
      let token = Locked<RegistrationToken?>(nil)
      deinit { token.withLock { _ = $0?.cancel() } }
    }
    let context = manager().context
    weak var gone: Observer?
    let token: RegistrationToken
    do {
      let observer = Observer()
      token = context.observe(.limit) { _, _ in _ = observer }
      observer.token.withLock { $0 = token }
      gone = observer
    }
    #expect(token.cancel() && !token.cancel())
    #expect(gone == nil)
  }

  @Test func `thousands of observers are canceled in linear time`() {
    let context = manager().context
    let tokens = (0..<6_000).map { _ in context.observe(.limit) { _, _ in } }
    // It takes several seconds if each token visits all observers.
    #expect(processorSeconds { for token in tokens { token.cancel() } } < 1)
  }
}
