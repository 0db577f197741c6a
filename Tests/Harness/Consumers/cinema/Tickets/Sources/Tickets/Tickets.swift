import CinemaAPI
import Lifecycle

@ExportModule
final class TicketsModule: Module {
  static func subscribe(_ events: Subscriptions<TicketsModule>) {
    events.on(.guestCame) { _, visit, context in
      let films = try context.services.createService(for: FilmService.self)
      guard let title = films.title(of: visit.film) else { return [] }
      let seat = try await context.services.createService(for: SeatService.self).reserveSeat()
      return ["\(title), \(seat), for \(visit.guest)"]
    }
  }
}
