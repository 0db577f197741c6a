// Uses of the export attributes of modules and services, with every argument and kind of type.
// Exports.records lists the expected records, line by line.

import Lifecycle
import Registry
import _Concurrency

// MARK: Modules

@ExportModule final class Plain: Module { init() {} }
@ExportModule(priority: 0x10) final class Hexadecimal: Module { init() {} }
@ExportModule(priority: 0, after: []) final class Defaults: Module { init() {} }
@ExportModule(level: .basic, priority: -10, after: ["Account.AccountModule", "Läden.Modul", #"a"b\c"#])
public final class Full: Module { public init() throws {} }
@ExportModule final class Überraschung: Module { init() {} }

enum Outer {
  struct Inner {
    @ExportModule(priority: 1) final class Nested: Module { init() {} }
  }
}

extension Outer.Inner {
  @ExportModule fileprivate final class Extended: Module { init() {} }
}

// MARK: Services

protocol Clock: AnyObject {}
protocol Timer: AnyObject {}
protocol Shared: AnyObject, Sendable {}
typealias Watch = Clock & Timer

@ExportService((any Clock).self, scope: .transient, named: "größte 漢字") class OpenClock: Clock { required init() {} }
@ExportService((Clock & Timer).self, priority: -5) final class ClockAndTimer: Clock, Timer { init() throws {} }
@ExportService(Shared.self, scope: .shared) final class One: Shared { init() {} }
@ExportService(Shared.self, scope: ServiceScope.weak, named: #"q"\"#, priority: 1) final class Weak: Shared {
  init() {}
}
@MainActor @ExportService(Clock.self) final class MainClock: Clock { init() {} }

protocol Pure: Sendable {}
@ExportService(Pure.self) struct Value: Pure { init() {} }
@ExportService(Pure.self, scope: .shared)
enum Choice: Pure {
  case one
  init() { self = .one }
}

// These are two records on one type. The compiler writes the last one first.
@ExportService(Clock.self, named: "a")
@ExportService(Timer.self, named: "b")
final class Both: Clock, Timer { init() {} }

extension Outer {
  enum Deep {
    @ExportService(Clock.self) final class Clocks: Clock { init() {} }
    @ExportService(Pure.self) struct Pair: Pure { init() {} }
  }
}

// With the names above and these, both kinds of records have every amount of padding after their
// JSON.

@ExportModule final class A1: Module { init() {} }
@ExportModule final class A12: Module { init() {} }
@ExportService(Clock.self, replaces: "Shop.B1", when: .flag("new-clock")) final class B2: Clock { init() {} }
@ExportService(Clock.self, when: .debug) final class B3: Clock { init() {} }
