import Foundation
import Lifecycle
import ModesAPI
import Registry
import RegistryReports
import Routing

/// A program that uses every feature's exports and prints a line for each result, in any order.
@main struct App {
  static func main() async throws {
    let modules = ModuleManager.shared
    let services = ServiceManager.shared
    // All needs are satisfied, except for an optional one.
    modules.requireAllNeeds()
    try modules.start()
    for mode in modules.trigger(.list) {
      print("module \(mode)")
      if !modules.trigger(.open, mode) { print("\(mode) does not open") }
      // Query before the shared instances exist, because only their creation is refused off the
      // main actor.
      let answer = await Self.refusals(mode)
      if answer.main { print("isolated \(mode)") }
      if answer.plain { print("isolated by default \(mode)") }
    }
    try services.createServices(for: (any Probe).self).forEach { print("service \($0.ask())") }
    try services.createServices(for: (any MainProbe).self).forEach { print("main \($0.ask())") }
    await Task.detached {
      // Off the main actor, a shared instance that did not exist yet would be refused, but these
      // exist.
      let found = try? ServiceManager.shared.createServices(for: (any MainProbe).self)
      print("shared \(found?.count ?? 0)")
    }.value
    modules.trigger(.injected).forEach { print("injected \($0)") }
    let needs = RecordSource.loadedImages.records(of: .need)
    print("needs \(needs.count), optional \(needs.count { $0.attributes.contains("\"optional\":true") })")
    modules.trigger(.note, "h").forEach { print("handler \($0)") }
    for _ in 0..<2 { modules.trigger(.noted, "t") }
    await modules.waitUntilIdle()
    await Noted.shared.texts.forEach { print("task \($0)") }
    for (name, visit) in Visit.all {
      do {
        for answer in try await visit(.shared) { print("route \(answer)") }
      } catch {
        print("route of \(name): \(error)")
      }
    }
    // Each mode has one route that a remote URL must not open. There must be no other problems.
    let problems = Router.shared.report().diagnostics
    print("kept from outside \(problems.filter { $0.code == "not-remote" }.count)")
    print("router problems \(problems.filter { $0.code != "not-remote" })")
    let report = modules.report()
    print("records \(report.records.count) problems \(report.diagnostics.filter { $0.code != "tie" })")
  }

  @concurrent static func refusals(_ name: String) async -> (main: Bool, plain: Bool) {
    (isRefused((any MainProbe).self, name), isRefused((any PlainProbe).self, name))
  }

  nonisolated static func isRefused<Service>(_ type: Service.Type, _ name: String) -> Bool {
    do throws(ServiceError) {
      _ = try ServiceManager.shared.createService(for: type, named: name)
      return false
    } catch {
      return error.code == "wrong-isolation"
    }
  }
}

/// The routes of each mode that the app opens. `run` writes the list of all modes.
enum Visit {
  static func link(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw CocoaError(.formatting) }
    return url
  }
}
