import CinemaAPI
import Lifecycle
import Registry
import Routing

@ExportModule(after: ["Snacks.SnacksModule"])
final class GalaModule: Module {
  static func subscribe(_ events: Subscriptions<GalaModule>) {
    events.on(.guestCame) { _, visit, context in
      let films = try context.services.createService(for: FilmService.self)
      return ["a toast to \(films.title(of: visit.film) ?? "the cinema")"]
    }
  }
}

#exportRoute(.toast) { link in "a toast to guest \(link.id)" }

#exportAction("gala", "double") { (link: FilmLink) in link.id * 2 }
