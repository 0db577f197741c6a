import Registry

// Swift and C code exports these services, which cover every kind of type.

protocol Greeter { func greet() -> String }
protocol SharedGreeter: Sendable { func greet() -> String }
protocol Box<Content> {
  associatedtype Content
  var content: Content { get }
}
protocol Left {}
protocol Right {}
typealias Alias = AliasedService
protocol AliasedService { var name: String { get } }

@ExportService(Greeter.self, priority: 1)
struct PoliteGreeter: Greeter {
  init() {}
  func greet() -> String { "good day" }
}

@ExportService(Greeter.self, priority: -1)
final class GruffGreeter: Greeter {
  func greet() -> String { "what" }
}

@ExportService(Greeter.self, named: "warm")
enum WarmGreeter: Greeter {
  case only
  init() { self = .only }
  func greet() -> String { "my dear" }
}

@ExportService(SharedGreeter.self, scope: .shared)
actor ActorGreeter: SharedGreeter {
  init() {}
  nonisolated func greet() -> String { "hello from an actor" }
}

enum Outer {
  @ExportService((any Box<Int>).self)
  struct IntBox: Box {
    let content: Int
    init() { content = 7 }
  }

  enum Inner {}
}

extension Outer {
  @ExportService((Left & Right).self)
  @ExportService(Alias.self)
  final class Several: Left, Right, AliasedService {
    var name: String { "several" }
  }
}

protocol `protocol` { var word: String { get } }

@ExportService(`protocol`.self)
struct `class`: `protocol` {
  init() {}
  var word: String { "backticks" }
}

@MainActor protocol Screen: Sendable { var title: String { get } }

@ExportService(Screen.self, scope: .shared)
final class MainScreen: Screen {
  // The initializer is explicit, because an implicit one is not isolated.
  init() {}
  var title: String { "main" }
}

struct Refused: Error {}

protocol Refusing {}

@ExportService(Refusing.self)
struct Thrower: Refusing {
  init() throws { throw Refused() }
}

protocol Kept: AnyObject, Sendable {}

@ExportService(Kept.self, scope: .weak)
final class KeptClass: Kept {
  init() {}
}

// C records in TestRecords provide the implementations of these protocols.

protocol NamedClock { func now() -> Int }
protocol NestedClock { func now() -> Int }
protocol AbsentClock {}
protocol PlainClock {}
protocol WrongClock {}

final class SystemClock: NamedClock, NamedExport {
  init() {}
  func now() -> Int { 9 }
}

extension Outer.Inner {
  final class Clock: NestedClock, NamedExport {
    init() {}
    func now() -> Int { 10 }
  }
}

final class NotNamed: PlainClock {}

// These services depend on each other in a cycle.

protocol CycleA {}
protocol CycleB {}

@ExportService(CycleA.self)
struct A: CycleA {
  init() throws { _ = try ServiceManager.shared.createService(for: CycleB.self) }
}

@ExportService(CycleB.self)
struct B: CycleB {
  init() throws { _ = try ServiceManager.shared.createService(for: CycleA.self) }
}
