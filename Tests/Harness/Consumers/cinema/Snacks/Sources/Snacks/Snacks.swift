import CinemaAPI
import Lifecycle

@ExportModule(after: ["Tickets.TicketsModule"])
final class SnacksModule: Module {
  static func subscribe(_ events: Subscriptions<SnacksModule>) {
    events.on(.guestCame) { _, visit, _ in ["popcorn for \(visit.guest)"] }
  }
}
