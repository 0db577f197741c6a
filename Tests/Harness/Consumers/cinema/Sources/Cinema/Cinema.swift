import CinemaAPI
import Foundation
import Lifecycle
import RegistryAnalysis
import RegistryReports
import Routing

/// The app, which names no feature. Its argument is the path of the plug-in.
@main struct Cinema {
  static func main() async throws {
    let modules = ModuleManager.shared
    modules.require(FilmService.self, SeatService.self)
    try modules.start()
    print(await modules.trigger(.guestCame, Visit(guest: "Ada", film: 7)))

    try await visit()

    let plugIn = try modules.openPlugIn(at: CommandLine.arguments[1])
    print("opened \(plugIn.moduleNames), \(plugIn.records.count) records")
    print(await modules.trigger(.guestCame, Visit(guest: "Grace", film: 7)))
    print("the page shows the plug-in: \(try modules.snapshot().html().contains("cinema://toast/:id(Int)"))")
    try await visit()
    plugIn.close()
    print(await modules.trigger(.guestCame, Visit(guest: "Alan", film: 8)))
    try await visit()
    (modules.report().diagnostics + Router.shared.report().diagnostics).forEach { print($0) }
    modules.stop()
  }

  /// Opens the route of Films, and the route and the action of the plug-in.
  static func visit() async throws {
    let router = Router.shared
    print(try await router.open(.film, FilmLink(id: 8)))
    if let link = URL(string: "cinema://film/7") { print(try await router.open(link, from: .remote).value) }
    do {
      print(try await router.open(.toast, FilmLink(id: 9)))
      print(try await router.perform("gala", "double", ["id": 9], as: Int.self, module: "Gala"))
    } catch let error as RouteError where error.code == "route-not-found" {
      print("not found: \(error.target)")
    }
  }
}
