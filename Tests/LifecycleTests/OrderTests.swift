@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class A: Module {}
private final class B: Module {}
private final class C: Module {}
private final class D: Module {}

private final class Neighbour: Module {}
/// A generic module, which provides another module type for each argument.
private final class Around<Inner>: Module {}
private func around<Inner: Module>(_ inner: Inner.Type) -> any Module.Type { Around<Inner>.self }

@Suite @MainActor struct OrderTests {
  let problems = DiagnosticCollector()

  private struct Spec {
    let type: any Module.Type
    var level = ModuleLevel.normal
    var priority = 0
    var after: [String] = []
  }

  private func name(_ letter: String) -> String { "LifecycleTests.\(letter)" }

  private func manager(_ specs: [Spec]) -> ModuleManager {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    for spec in specs {
      modules.register(spec.type, level: spec.level, priority: spec.priority, after: spec.after.map(name))
    }
    return modules
  }

  /// Returns the order, which must not depend on the order and the time of the registrations.
  private func order(_ specs: [Spec]) throws -> String {
    var orders: Set<String> = []
    for rotation in specs.indices {
      let rotated = Array(specs[rotation...] + specs[..<rotation])
      let early = manager(rotated)
      try early.start()
      let late = manager([])
      try late.start()
      for spec in rotated {
        late.register(spec.type, level: spec.level, priority: spec.priority, after: spec.after.map(name))
      }
      for modules in [early, late] {
        orders.insert(modules.moduleNames.map { String($0.last!) }.joined())
      }
    }
    #expect(orders.count == 1)
    return orders.first!
  }

  @Test func `names decide between modules of equal precedence`() throws {
    #expect(try order([Spec(type: C.self), Spec(type: A.self), Spec(type: B.self)]) == "ABC")
  }

  @Test func `the higher priority comes first`() throws {
    #expect(try order([Spec(type: A.self), Spec(type: B.self, priority: 2), Spec(type: C.self, priority: 1)]) == "BCA")
  }

  @Test func `basic modules come before normal ones, whatever their priority`() throws {
    #expect(try order([Spec(type: A.self, priority: 99), Spec(type: B.self, level: .basic)]) == "BA")
  }

  @Test func `after takes precedence over priority, and modules without after continue`() throws {
    #expect(
      try order([
        Spec(type: A.self, priority: 9, after: ["D"]), Spec(type: B.self, priority: 1), Spec(type: C.self),
        Spec(type: D.self),
      ]) == "BCDA")
  }

  @Test(arguments: [0, 8])
  func `a level conflict is reported when a normal module appears for a basic one's unknown name`(
    _ others: Int
  ) throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.register(B.self, level: .basic, after: [name("A")])
    for _ in 0..<others { modules.on(.modulesWillTearDown) { _, _ in } }
    try modules.start()
    #expect(problems.diagnostics.map(\.code) == [.unknownAfter])
    #expect(modules.moduleNames == [name("B")])
    modules.register(A.self)
    #expect(modules.moduleNames == [name("B"), name("A")])
    #expect(problems.diagnostics.map(\.code) == [.unknownAfter, .levelConflict])
  }

  @Test func `a handler of a diagnostic about the order can add modules`() throws {
    final class Adder: Module {
      func setUp(_ context: Context) {
        context.modules?.register(B.self, after: ["nowhere"])
        context.modules?.register(C.self)
      }
    }
    let added = Counter()
    let modules = ModuleManager()
    modules.onDiagnostic = { [weak modules] problem in
      MainActor.assumeIsolated {
        guard problem.code == .unknownAfter, added.increment() == 1 else { return }
        modules?.register(D.self)
        modules?.trigger(.modulesWillTearDown, ())
      }
    }
    modules.register(A.self)
    try modules.start()
    modules.register(Adder.self)
    #expect(modules.moduleNames.count == 5)
  }

  @Test func `an event reaches handlers that were added while the order was reported`() throws {
    let (added, calls) = (Counter(), Counter())
    let modules = ModuleManager()
    modules.register(B.self, level: .basic, after: [name("A")])
    try modules.start()
    modules.onDiagnostic = { [weak modules] problem in
      MainActor.assumeIsolated {
        guard problem.code == .levelConflict, added.increment() == 1 else { return }
        modules?.on(.modulesWillTearDown) { _, _ in calls.increment() }
        #expect(modules?.moduleNames.count == 2)
      }
    }
    modules.register(A.self)
    for _ in 0..<2 { modules.trigger(.modulesWillTearDown, ()) }
    #expect(added.value == 1 && calls.value > 0)
  }

  @Test func `a basic module that waits for a normal one is reported`() throws {
    #expect(try order([Spec(type: A.self), Spec(type: B.self, level: .basic, after: ["A"])]) == "BA")
    #expect(problems[.levelConflict].first?.subject == name("B"))
  }

  @Test func `an unknown name is reported and ignored`() throws {
    #expect(try order([Spec(type: A.self, after: ["Z"]), Spec(type: B.self)]) == "AB")
    #expect(problems[.unknownAfter].first?.subject == name("A"))
  }

  @Test func `a module waits as long as it names another one`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.register(A.self)
    modules.register(B.self, after: [name("A"), name("A")])
    modules.register(C.self, after: [name("A"), name("B")])
    let entries = Dictionary(uniqueKeysWithValues: modules.registry.entries.all.map { (String($0.name.last!), $0) })
    func awaited() -> [String] { entries.filter { !modules.registry.followers(of: $0.value).isEmpty }.keys.sorted() }
    #expect(awaited() == ["A", "B"])
    modules.unregister(B.self)
    #expect(awaited() == ["A", "B"])
    modules.unregister(C.self)
    #expect(awaited().isEmpty)
    modules.register(D.self, after: [name("A")])
    modules.register(B.self, after: [name("A")])
    modules.unregister(D.self)
    #expect(awaited() == ["A"])
    modules.unregister(B.self)
    #expect(awaited().isEmpty)
  }

  @Test func `unknown names are reported once each, in order`() throws {
    let modules = manager([Spec(type: A.self, after: ["Z", "Y", "Z", "X"])])
    try modules.start()
    let messages = problems[.unknownAfter].map(\.message)
    #expect(
      messages
        == ["X", "Y", "Z"].map {
          "'after' names '\(name($0))', but no loaded image exports a module with that name"
            + "; did you mean 'LifecycleTests.A'?"
        })
  }

  @Test func `a name without its target is suggested with it if only one module has it`() throws {
    let modules = manager([])
    modules.register(named: "Account.AccountModule") { A() }
    modules.register(named: "Account.LoginModule") { B() }
    modules.register(named: "Password.LoginModule") { C() }
    modules.register(D.self, after: ["AccountModule", "LoginModule"])
    try modules.start()
    #if DEBUG
    let fix = "; register it, link its target, or open its image before the start"
    #else
    let fix = ""
    #endif
    #expect(
      problems[.unknownAfter].map(\.message) == [
        "'after' names 'AccountModule', but no loaded image exports a module with that name; did you mean "
          + "'Account.AccountModule'?",
        "'after' names 'LoginModule', but no loaded image exports a module with that name\(fix)",
      ])
  }

  @Test(arguments: ["in the start", "one by one before the start", "one by one after the start"])
  func `suggestions for unknown names are limited to a hundred`(when: String) throws {
    let modules = ModuleManager(modules: [Neighbour.self], onDiagnostic: problems.handler)
    if when.hasSuffix("after the start") { try modules.start() }
    var type: any Module.Type = Around<Never>.self
    for number in 10..<23 {
      modules.register(type, after: (0..<8).map { name("Neighbou\(number)\($0)") })
      type = around(type)
      if when.hasPrefix("one by one") { #expect(modules.runner.order().count == modules.registry.entries.all.count) }
    }
    if !when.hasSuffix("after the start") { try modules.start() }
    #expect(problems[.unknownAfter].count == 104)
    let hints = problems.diagnostics.filter { $0.message.hasSuffix("; did you mean '\(name("Neighbour"))'?") }
    #expect(hints.count == 100)
  }

  @Test func `a cycle is an error that names its path`() throws {
    let modules = manager([
      Spec(type: A.self, after: ["D"]), Spec(type: B.self, after: ["C"]), Spec(type: C.self, after: ["D"]),
      Spec(type: D.self, after: ["B"]),
    ])
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error?.code == .cycle)
    // The first module enters the cycle at another one than the cycle's first.
    #expect(error?.modules == ["B", "C", "D", "B"].map(name))
    #expect(error!.description.contains("'LifecycleTests.B' → 'LifecycleTests.C'"))
    modules.unregister(D.self)
    try modules.start()
  }

  @Test func `a late module that completes a cycle is dropped, and the others continue`() throws {
    let modules = manager([Spec(type: A.self, after: ["B"])])
    try modules.start()
    #expect(!modules.adds { $0.register(B.self, after: [name("A")]) })
    #expect(problems[.cycle].first?.subject == name("B"))
    #expect(modules.moduleNames == [name("A")])
  }

  @Test func `the smallest index without open dependencies always comes next`() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let count = generator.below(40)
      var waiting = [Int](repeating: 0, count: count)
      var followers = [[Int]](repeating: [], count: count)
      for place in 0..<count {
        for other in 0..<count where generator.below(count) == 0 {
          followers[other].append(place)
          waiting[place] += 1
        }
      }
      var rest = waiting
      var expected: [Int] = []
      while let next = rest.indices.first(where: { rest[$0] == 0 && !expected.contains($0) }) {
        expected.append(next)
        for follower in followers[next] { rest[follower] -= 1 }
      }
      #expect(ModuleOrder.order(&waiting, followers) == expected)
      #expect(waiting == rest)
    }
  }

  @Test func `modules that are added and removed have the same order as modules that are sorted together`() {
    var types: [any Module.Type] = []
    var type: any Module.Type = Around<Never>.self
    for _ in 0..<60 {
      types.append(type)
      type = around(type)
    }
    for seed in Effort.seed..<(Effort.seed + 300) {
      var random = SeededGenerator(seed: UInt64(seed))
      let registry = ModuleRegistry(log: DiagnosticLog { _ in })
      // Few modules share a name, and most names in `after` have a module.
      func name(_ number: Int) -> String { "M\(number / (number % 9 == 0 ? 2 : 1))" }
      func add(_ number: Int) {
        var after: [String] = []
        while after.count < 3, random.one(in: 3) { after.append(name(random.below(64))) }
        let attributes = ModuleAttributes(
          module: name(number), level: random.one(in: 4) ? .basic : .normal, priority: random.below(3), after: after)
        let source = ModuleEntry.Source.type(types[number], location: "A.swift:1")
        _ = registry.insert(ModuleEntry(attributes: attributes, image: nil, source: source))
      }
      for number in 0..<40 where number % 7 != 0 { add(number) }
      for _ in 0..<12 {
        for _ in 0..<(1 + random.below(4)) { add(random.below(60)) }
        if random.one(in: 4) { registry.remove(registry.entries.all[random.below(registry.entries.all.count)]) }
        let together = ModuleOrder(ModuleTable(registry.entries.all)).modules.map(ObjectIdentifier.init)
        #expect(
          registry.order(removesCycles: false).map(ObjectIdentifier.init) == together, "REGISTRY_SEED=\(seed)")
        guard registry.isOrdered else { continue }
        #expect(registry.order(removesCycles: false).map { Int($0.position) } == Array(together.indices))
      }
    }
  }

  @Test func `Modules that are added together follow each other`() {
    let registry = ModuleRegistry(log: DiagnosticLog { _ in })
    var type: any Module.Type = Around<Never>.self
    func add(_ name: String, after: [String] = []) {
      let attributes = ModuleAttributes(module: name, level: .normal, priority: 0, after: after)
      let source = ModuleEntry.Source.type(type, location: "A.swift:1")
      _ = registry.insert(ModuleEntry(attributes: attributes, image: nil, source: source))
      type = around(type)
    }
    for number in 10..<60 { add("M\(number)") }
    #expect(registry.order(removesCycles: false).count == 50)
    add("Z")
    add("A", after: ["Z"])
    #expect(registry.order(removesCycles: false).suffix(2).map(\.name) == ["Z", "A"])
  }

  @Test func `many modules are sorted like a few`() {
    var entries: [ModuleEntry] = []
    for number in 0..<5_000 {
      let after = number % 3 == 0 && number > 0 ? ["M\(number - 1)"] : []
      entries.append(
        ModuleEntry(
          attributes: ModuleAttributes(
            module: "M\(number)", level: number % 7 == 0 ? .basic : .normal, priority: number % 11, after: after),
          image: nil, source: .named(nil)))
    }
    let order = ModuleOrder(ModuleTable(entries))
    #expect(order.modules.count == 5_000 && order.cycle == nil)
    let place = Dictionary(uniqueKeysWithValues: order.modules.enumerated().map { ($1.name, $0) })
    for entry in entries {
      for name in entry.attributes.after
      where entries[Int(name.dropFirst())!].attributes.level == entry.attributes.level {
        #expect(place[name]! < place[entry.name]!)
      }
    }
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    let shuffled = ModuleOrder(ModuleTable(entries.shuffled(using: &generator)))
    #expect(shuffled.modules.map(\.name) == order.modules.map(\.name), "REGISTRY_SEED=\(seed)")
  }
}

extension ModuleTable {
  /// Creates a table with modules.
  init(_ entries: some Sequence<ModuleEntry>) {
    self.init()
    for entry in entries { insert(entry) }
  }
}
