import Lifecycle
import ModesAPI
import Registry

/// Asks every feature for what it exports and prints it, sorted.
@main struct App {
  static func main() async throws {
    let modules = ModuleManager.shared
    let services = ServiceManager.shared
    try modules.start()
    print("modules \(modules.trigger(.list).sorted().joined(separator: " "))")
    for mode in modules.trigger(.list) where !modules.trigger(.open, mode) { print("\(mode) does not open") }
    let probes = try services.createServices(for: (any Probe).self)
    print("services \(probes.map { $0.ask() }.sorted().joined(separator: " "))")
    let screens = try services.createServices(for: (any MainProbe).self)
    print("main \(screens.map { $0.ask() }.sorted().joined(separator: " "))")
    await Task.detached {
      // Off the main actor, one that was not made yet would be refused; these were.
      let found = try? ServiceManager.shared.createServices(for: (any MainProbe).self)
      print("shared \(found?.count ?? 0)")
    }.value
    let report = modules.report()
    print("records \(report.records.count) problems \(report.diagnostics.filter { $0.code != .tie })")
  }
}
