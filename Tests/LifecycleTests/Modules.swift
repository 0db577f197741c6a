@testable import Lifecycle
import Registry
import TestSupport

struct User: Sendable { let name: String }
struct Bits: OptionSet, Sendable { let rawValue: Int }
struct Broken: Error {}

extension Event where Payload == User, Outcome == Void {
  static var userDidLogIn: Self { .init("test.userDidLogIn") }
}
extension Event where Payload == Void, Outcome == Void {
  static var ping: Self { .init("test.ping") }
}
extension Event where Payload == String, Outcome == Bool {
  static var open: Self { .init("test.open", combining: .any) }
}
extension Event where Payload == Int, Outcome == String? {
  static var name: Self { .init("test.name", combining: .first) }
}
extension Event where Payload == Void, Outcome == [String] {
  static var list: Self { .init("test.list", combining: .collect) }
}
extension Event where Payload == Int, Outcome == Bits {
  static var bits: Self { .init("test.bits", combining: .union) }
}
extension Event where Payload == Int, Outcome == Int {
  static var largest: Self { .init("test.largest", combining: .init(initial: 0) { $0 = max($0, $1) }) }
}

/// A module that records its phases.
@MainActor protocol Traced: Module {}

extension Traced {
  var name: String { String(describing: Self.self) }
  func setUp(_ context: Context) throws { context.configuration[.trace].add("\(name) setUp") }
  func initialize(_ context: Context) throws { context.configuration[.trace].add("\(name) initialize") }
  func didFinishStarting(_ context: Context) throws { context.configuration[.trace].add("\(name) didFinishStarting") }
  func tearDown(_ context: Context) throws { context.configuration[.trace].add("\(name) tearDown") }
}

// The tests of records use these exported modules.

@ExportModule(level: .basic, priority: -5)
final class BasicModule: Module {
  static func subscribe(_ events: Subscriptions<BasicModule>) {
    events.on(.list) { _, _ in ["basic"] }
  }
}

@ExportModule(priority: 10, after: [BasicModule.self, Outer.NestedModule.self])
final class PlainModule: Module {
  static func subscribe(_ events: Subscriptions<PlainModule>) {
    events.on(.list) { _, _ in ["plain"] }
    events.on(.open) { module, link, context in module.open(link, context) }
    events.on(.ping) { module, context in module.ping(context) }
  }
  var pings = 0
  func open(_ link: String, _ context: Context) -> Bool { link.hasPrefix("plain:") }
  func ping(_ context: Context) { pings += 1 }
}

enum Outer {
  @ExportModule(after: ["LifecycleTests.BasicModul"])
  final class NestedModule: Module {
    static func subscribe(_ events: Subscriptions<NestedModule>) {
      events.on(.list) { _, _ in ["nested"] }
    }
  }
}

/// A module that a C record exports.
final class LegacyModule: Module {
  static func subscribe(_ events: Subscriptions<LegacyModule>) {
    events.on(.list) { _, _ in ["legacy"] }
  }
}

/// A module that a C record with options exports.
final class OptionsModule: Module {}

final class NotAModule {}

/// A module that an image exports, which a test opens.
final class PluginModule: Module {
  static func subscribe(_ events: Subscriptions<PluginModule>) {
    events.on(.list) { _, _ in ["plugin"] }
  }
}

extension ModuleManager {
  /// Returns whether a registration adds a module and, if the manager runs, sets it up.
  func adds(_ register: (ModuleManager) -> RegistrationToken) -> Bool {
    let others = registry.entries.all
    let isRunning = runner.acceptsModules
    _ = register(self)
    guard let entry = registry.entries.all.last, !others.contains(where: { $0 === entry }) else { return false }
    return !isRunning || runner.isSettingUpPending || entry.state == .setUp || entry.state == .inactive
  }
}
