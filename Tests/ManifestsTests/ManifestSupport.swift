import Manifests
import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

protocol Till: Sendable { var name: String { get } }
protocol Drawer: Sendable {}
final class PlainTill: Till, Drawer, NamedExport {
  let name = "plain"
  init() {}
}
final class GoldTill: Till, NamedExport {
  let name = "gold"
  init() {}
}
final class NoTill {}

extension ContextKey where Value == String {
  static var currency: Self { .init("shop.currency", default: "EUR") }
}
extension ContextKey where Value == Int {
  static var limit: Self { .init("shop.limit", default: 3) }
}

final class FirstModule: Module {
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add("first in \(context.configuration[.currency])")
  }
}
final class SecondModule: Module {
  func setUp(_ context: Context) throws { context.configuration[.trace].add("second") }
}
final class ThirdModule: Module {
  func setUp(_ context: Context) throws { context.configuration[.trace].add("third") }
}
final class TillModule: Module {
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add(try context.services.createService(for: Till.self).name)
  }
}
final class LoadingModule: Module {
  var load: @MainActor () -> Void = {}
  func setUp(_ context: Context) { load() }
}
@ExportModule(group: "ManifestsTests") final class ExportedModule: Module {}

extension Event where Payload == Void, Outcome == Void {
  static var wakeUp: Self { .init("test.wakeUp") }
}
final class WaitingModule: Module {
  static func subscribe(_ events: Subscriptions<WaitingModule>) {
    events.on(.wakeUp) { _, context in context.configuration[.trace].add("awake") }
  }
  func setUp(_ context: Context) throws { context.configuration[.trace].add("sleeper") }
}
final class BrokenModule: Module {
  struct Failure: Error {}
  var isBroken = true
  func setUp(_ context: Context) throws { if isBroken { throw Failure() } }
}

extension Manifest {
  init(_ text: String, _ name: String = "shop.json") throws { try self.init(data: Data(text.utf8), name: name) }
}

/// A manager whose diagnostics and traces are recorded.
@MainActor struct Listing {
  let trace = Trace()
  let problems = DiagnosticCollector()
  let manager: ModuleManager

  init() {
    let (trace, problems) = (trace, problems)
    manager = ModuleManager(
      services: ServiceManager(onDiagnostic: problems.handler),
      configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }
}
