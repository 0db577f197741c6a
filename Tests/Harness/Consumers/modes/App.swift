import Lifecycle
import ModesAPI
import Registry
import Routing

/// A program that uses every feature's exports and prints the results, sorted.
@main struct App {
  static func main() async throws {
    let modules = ModuleManager.shared
    let services = ServiceManager.shared
    // All needs are satisfied, except for an optional one.
    modules.requireAllNeeds()
    try modules.start()
    print("modules \(modules.trigger(.list).sorted().joined(separator: " "))")
    for mode in modules.trigger(.list) where !modules.trigger(.open, mode) { print("\(mode) does not open") }
    var refused: [String] = []
    var byDefault: [String] = []
    for mode in modules.trigger(.list).sorted() {
      // Query before the shared instances exist, because only their creation is refused off the
      // main actor.
      let answer = await Self.refusals(mode)
      if answer.main { refused.append(mode) }
      if answer.plain { byDefault.append(mode) }
    }
    print("isolated \(refused.joined(separator: " "))")
    print("isolated by default \(byDefault.joined(separator: " "))")
    let probes = try services.createServices(for: (any Probe).self)
    print("services \(probes.map { $0.ask() }.sorted().joined(separator: " "))")
    let screens = try services.createServices(for: (any MainProbe).self)
    print("main \(screens.map { $0.ask() }.sorted().joined(separator: " "))")
    await Task.detached {
      // Off the main actor, a shared instance that did not exist yet would be refused, but these
      // exist.
      let found = try? ServiceManager.shared.createServices(for: (any MainProbe).self)
      print("shared \(found?.count ?? 0)")
    }.value
    print("injected \(modules.trigger(.injected).sorted().joined(separator: " "))")
    let needs = RecordSource.loadedImages.records(of: .need)
    print("needs \(needs.count), optional \(needs.count { $0.attributes.contains("\"optional\":true") })")
    print("handlers \(modules.trigger(.note, "h").sorted().joined(separator: " "))")
    for _ in 0..<2 { modules.trigger(.noted, "t") }
    await modules.waitUntilIdle()
    print("tasks \(await Noted.shared.texts.sorted().joined(separator: " "))")
    for (name, visit) in Visit.all {
      do {
        for answer in try await visit(.shared) { print("route \(answer)") }
      } catch {
        print("route of \(name): \(error)")
      }
    }
    // Each mode has one route that a remote URL must not open. There must be no other problems.
    let problems = Router.shared.report().diagnostics
    print("kept from outside \(problems.filter { $0.code == .notRemote }.count)")
    print("router problems \(problems.filter { $0.code != .notRemote })")
    let report = modules.report()
    print("records \(report.records.count) problems \(report.diagnostics.filter { $0.code != .tie })")
  }

  @concurrent static func refusals(_ name: String) async -> (main: Bool, plain: Bool) {
    (isRefused((any MainProbe).self, name), isRefused((any PlainProbe).self, name))
  }

  nonisolated static func isRefused<Service>(_ type: Service.Type, _ name: String) -> Bool {
    do throws(ServiceError) {
      _ = try ServiceManager.shared.createService(for: type, named: name)
      return false
    } catch {
      if case .wrongIsolation = error { return true }
      return false
    }
  }
}
