import CinemaAPI
import Foundation
import Lifecycle
import Routing

/// The app, which names no feature. Its argument is the path of the plug-in.
@main struct Cinema {
  static func main() async throws {
    let modules = ModuleManager.shared
    modules.expect(FilmService.self, SeatService.self)
    try modules.start()
    print(await modules.trigger(.guestCame, Visit(guest: "Ada", film: 7)))

    let plugIn = try modules.open(CommandLine.arguments[1])
    print("opened \(plugIn.modules)")
    print(await modules.trigger(.guestCame, Visit(guest: "Grace", film: 7)))
    plugIn.close()
    print(await modules.trigger(.guestCame, Visit(guest: "Alan", film: 8)))

    print(try await Router.shared.open(.film, FilmLink(id: 8)))
    if let link = URL(string: "cinema://film/7") { print(try await Router.shared.open(link, from: .remote).value) }
    modules.report().diagnostics.forEach { print($0) }
    modules.stop()
  }
}
