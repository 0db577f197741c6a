import Lifecycle
import Registry
import TestSupport

// A second, simple implementation of the documented behavior of module managers, and modules that
// record their calls.

/// The part of a module that fails.
enum Weakness: String, CaseIterable {
  case initializer, setUp, initialize, tearDown, handler
}

/// A change of the manager that a handler makes before it answers.
enum Reaction: Equatable {
  case unregister(Int)
  case register(Int)
}

/// The actions of the modules in a sequence, and the record of their calls.
///
/// One sequence runs at a time, without a suspension.
@MainActor final class ModuleWorld {
  static var current = ModuleWorld()

  var trace: [String] = []
  var weaknesses: [Int: Set<Weakness>] = [:]
  /// The change that the first handler of a module makes once.
  var reaction: (module: Int, Reaction)?
  var react: (Reaction) -> Void = { _ in }

  /// Records a call, and throws if the module fails in this phase.
  func note(_ number: Int, _ phase: Weakness, _ words: String? = nil) throws {
    trace.append("\(number) \(words ?? phase.rawValue)")
    if weaknesses[number]?.contains(phase) == true { throw Broken() }
  }

  func handle(_ number: Int, _ event: String) throws {
    try note(number, .handler, event)
    guard let (module, reaction) = reaction, module == number else { return }
    self.reaction = nil
    react(reaction)
  }
}

/// A numbered module of a sequence, whose number determines the events that it handles.
@MainActor protocol Numbered: Module {
  static var number: Int { get }
}

extension Numbered {
  static func subscribe(_ events: Subscriptions<Self>) {
    let number = Self.number
    if NumberedModules.hears(number, .list) {
      for part in ["first", "second"] {
        events.on(.modelList) { _, _ in
          try ModuleWorld.current.handle(number, "list \(part)")
          return ["\(number) \(part)"]
        }
      }
    }
    if NumberedModules.hears(number, .first) {
      events.on(.modelFirst) { _, wanted, _ in
        try ModuleWorld.current.handle(number, "first")
        return number % 4 == wanted ? number : nil
      }
    }
    if NumberedModules.hears(number, .any) {
      events.on(.modelAny) { _, wanted, _ in
        try ModuleWorld.current.handle(number, "any")
        return number == wanted
      }
    }
  }

  func setUp(_ context: Context) throws { try ModuleWorld.current.note(Self.number, .setUp) }
  func initialize(_ context: Context) throws { try ModuleWorld.current.note(Self.number, .initialize) }
  func tearDown(_ context: Context) throws { try ModuleWorld.current.note(Self.number, .tearDown) }
}

private final class Module00: Numbered {
  static let number = 0
  init() throws { try ModuleWorld.current.note(0, .initializer) }
}
private final class Module01: Numbered {
  static let number = 1
  init() throws { try ModuleWorld.current.note(1, .initializer) }
}
private final class Module02: Numbered {
  static let number = 2
  init() throws { try ModuleWorld.current.note(2, .initializer) }
}
private final class Module03: Numbered {
  static let number = 3
  init() throws { try ModuleWorld.current.note(3, .initializer) }
}
private final class Module04: Numbered {
  static let number = 4
  init() throws { try ModuleWorld.current.note(4, .initializer) }
}
private final class Module05: Numbered {
  static let number = 5
  init() throws { try ModuleWorld.current.note(5, .initializer) }
}
private final class Module06: Numbered {
  static let number = 6
  init() throws { try ModuleWorld.current.note(6, .initializer) }
}
private final class Module07: Numbered {
  static let number = 7
  init() throws { try ModuleWorld.current.note(7, .initializer) }
}
private final class Module08: Numbered {
  static let number = 8
  init() throws { try ModuleWorld.current.note(8, .initializer) }
}
private final class Module09: Numbered {
  static let number = 9
  init() throws { try ModuleWorld.current.note(9, .initializer) }
}
private final class Module10: Numbered {
  static let number = 10
  init() throws { try ModuleWorld.current.note(10, .initializer) }
}
private final class Module11: Numbered {
  static let number = 11
  init() throws { try ModuleWorld.current.note(11, .initializer) }
}

extension Event where Payload == Void, Outcome == [String] {
  static var modelList: Self { .init("model.list", combining: .collect) }
}
extension Event where Payload == Int, Outcome == Int? {
  static var modelFirst: Self { .init("model.first", combining: .first) }
}
extension Event where Payload == Int, Outcome == Bool {
  static var modelAny: Self { .init("model.any", combining: .any) }
}

/// The modules of the sequences, and the events that they handle.
@MainActor enum NumberedModules {
  enum Heard: Int { case list, first, any }

  static let types: [any Module.Type] = [
    Module00.self, Module01.self, Module02.self, Module03.self, Module04.self, Module05.self, Module06.self,
    Module07.self, Module08.self, Module09.self, Module10.self, Module11.self,
  ]

  /// The names of the modules by number, and one name without a module.
  static let names = types.map { recordName(of: $0) } + ["LifecycleTests.Nobody"]

  static func hears(_ number: Int, _ event: Heard) -> Bool { number % (event.rawValue + 2) != 0 || number == 0 }
}

/// A simple module manager that follows the documentation.
@MainActor struct ModuleModel {
  struct Registered {
    let number: Int
    let level: ModuleLevel
    let priority: Int
    let after: [Int]
    var isSetUp = false
  }

  private(set) var modules: [Int: Registered] = [:]
  private(set) var isRunning = false
  var trace: [String] = []
  var weaknesses: [Int: Set<Weakness>] = [:]

  // MARK: - Order

  /// Returns the numbers of the modules in order, or nil if there is a cycle.
  ///
  /// Basic modules precede normal ones. Within a level, the next module is one whose `after`
  /// modules are already in order. Of several, it has the highest priority, and then the smallest
  /// name.
  func order() -> [Int]? {
    var placed: [Int] = []
    for level in [ModuleLevel.basic, .normal] {
      var waiting = modules.values.filter { $0.level == level }
      while !waiting.isEmpty {
        let ready = waiting.filter { candidate in !waiting.contains { candidate.after.contains($0.number) } }
        let best = ready.min {
          let names = (NumberedModules.names[$0.number], NumberedModules.names[$1.number])
          return $0.priority == $1.priority ? names.0 < names.1 : $0.priority > $1.priority
        }
        guard let best else { return nil }
        placed.append(best.number)
        waiting.removeAll { $0.number == best.number }
      }
    }
    return placed
  }

  /// Returns whether a path is a cycle of modules of one level that wait for each other.
  func isCycle(_ path: [String]) -> Bool {
    let numbers = path.compactMap { NumberedModules.names.firstIndex(of: $0) }
    guard numbers.count == path.count, path.count > 1, path.first == path.last else { return false }
    return zip(numbers, numbers.dropFirst()).allSatisfy { one, next in
      guard let module = modules[one], let other = modules[next] else { return false }
      return module.after.contains(next) && module.level == other.level
    }
  }

  // MARK: - Start and stop

  /// Records a phase, and returns false if the module throws in it.
  private mutating func run(_ number: Int, _ phase: Weakness, _ words: String? = nil) -> Bool {
    trace.append("\(number) \(words ?? phase.rawValue)")
    return weaknesses[number]?.contains(phase) != true
  }

  private mutating func tearDown(_ number: Int) {
    guard modules[number]?.isSetUp == true else { return }
    modules[number]?.isSetUp = false
    _ = run(number, .tearDown)
  }

  private mutating func setUp(_ number: Int) -> Bool {
    guard run(number, .initializer), run(number, .setUp) else { return false }
    modules[number]?.isSetUp = true
    return true
  }

  /// The result of a start.
  enum Start: Equatable { case started, alreadyStarted, cycle, failed(Int) }

  mutating func start() -> Start {
    guard !isRunning else { return .alreadyStarted }
    guard let order = order() else { return .cycle }
    for phase in [Weakness.setUp, .initialize] {
      for number in order {
        guard phase == .setUp ? setUp(number) : run(number, .initialize) else {
          for number in order.reversed() { tearDown(number) }
          return .failed(number)
        }
      }
    }
    isRunning = true
    return .started
  }

  mutating func stop() {
    guard isRunning else { return }
    for number in order()!.reversed() { tearDown(number) }
    isRunning = false
  }

  mutating func register(_ number: Int, _ level: ModuleLevel, _ priority: Int, _ after: [Int]) -> Bool {
    guard modules[number] == nil else { return false }
    modules[number] = Registered(number: number, level: level, priority: priority, after: after)
    guard isRunning else { return true }
    guard order() != nil, setUp(number), run(number, .initialize) else {
      tearDown(number)
      modules[number] = nil
      return false
    }
    return true
  }

  mutating func unregister(_ number: Int) -> Bool {
    guard modules[number] != nil else { return false }
    tearDown(number)
    modules[number] = nil
    return true
  }

  // MARK: - Events

  /// Calls the handlers of an event, and passes their answers to a closure.
  ///
  /// - Parameters:
  ///   - parts: The texts that each module records, one for each of its handlers.
  ///   - reaction: The change that a module makes once.
  ///   - answer: A closure that receives the answers of the handlers that do not throw.
  mutating func trigger(
    _ event: NumberedModules.Heard, _ parts: [String], reaction: (module: Int, Reaction)?, answer: (Int, String) -> Void
  ) {
    var reaction = reaction
    guard isRunning else { return }
    // Modules that are registered during the event do not receive it. A module that is registered
    // again is a new one.
    var list = order()!.filter { NumberedModules.hears($0, event) }.flatMap { number in parts.map { (number, $0) } }
    while !list.isEmpty {
      let (number, part) = list.removeFirst()
      guard run(number, .handler, part) else { continue }
      if let (module, what) = reaction, module == number {
        reaction = nil
        switch what {
        case .unregister(let other):
          _ = unregister(other)
          list.removeAll { $0.0 == other }
        case .register(let other): _ = register(other, .normal, 0, [])
        }
      }
      answer(number, part)
    }
  }

  var running: [Int] { isRunning ? order()! : [] }
}
