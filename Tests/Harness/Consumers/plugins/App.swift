import Foundation
import Lifecycle
import PluginsAPI
import Registry
import Routing

/// A program that opens the plug-in given as its argument and prints what changes.
@main struct App {
  static func main() async throws {
    let modules = ModuleManager.shared
    try modules.start()
    modules.trigger(.greet, "Ada").forEach { print($0) }

    Router.shared.onDiagnostic = { print("told: \($0.code.rawValue)") }
    try await visit()

    let plugIn = try modules.open(CommandLine.arguments[1])
    print("opened \(plugIn.modules.joined(separator: " ")), \(plugIn.records.count) records")
    modules.trigger(.greet, "Ada").forEach { print($0) }
    let speakers = try ServiceManager.shared.createServices(for: (any Speaker).self)
    print("speakers \(speakers.map { $0.speak() }.joined(separator: " "))")
    print("one copy \(speakers.allSatisfy { $0.types() == typesSeenHere() })")

    try await visit()

    plugIn.close()
    modules.trigger(.greet, "Ada").forEach { print($0) }
    try await visit()
    modules.stop()
  }

  /// Opens the plug-in's route by URL and by type, the route that both images export, and the
  /// plug-in's action.
  static func visit() async throws {
    let router = Router.shared
    guard let url = URL(string: "plugins://extra/7") else { return }
    do {
      let screen = try await router.object(for: url, as: (any Speaker).self, from: .remote)
      let route = router.canOpen(url, from: .local)?.route ?? "-"
      print("route \(route): \(screen.speak()), \(screen.types() == typesSeenHere())")
      print("by type: \(try await router.open(.extra, Link(id: 8)).speak())")
    } catch RouteError.notFound(let target, _, _) {
      print("not found: \(target), \(router.canOpen(url, from: .local) == nil)")
    }
    print("shared: \(try await router.open(.shared))")
    do {
      print("action: \(try await router.perform("plugins", "name", ["id": 9], as: String.self, module: "Extra"))")
    } catch RouteError.actionNotFound(_, let action, let module, _) {
      print("no action: \(module ?? "-") \(action)")
    }
    let problems = router.report().diagnostics
    print("duplicates \(problems.filter { $0.code == .duplicate }.count) of \(problems.count)")
  }
}
