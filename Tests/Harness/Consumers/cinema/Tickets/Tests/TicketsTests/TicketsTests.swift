import CinemaAPI
import Lifecycle
import Registry
import RegistryReports
import Testing

@testable import Tickets

struct OneFilm: FilmService {
  func title(of film: Int) -> String? { film == 1 ? "Nosferatu" : nil }
}

struct OneSeat: SeatService {
  func reserveSeat() -> String { "the last seat" }
}

@Suite(.services { $0.override(FilmService.self) { OneFilm() } }, .timeLimit(.minutes(20)))
@MainActor struct TicketsTests {
  let modules = ModuleManager(modules: [TicketsModule.self], services: .shared)

  @Test(.services { $0.override(SeatService.self) { OneSeat() } })
  func `a guest receives a ticket`() async throws {
    try modules.start()
    #expect(await modules.trigger(.guestCame, Visit(guest: "Ada", film: 1)) == ["Nosferatu, the last seat, for Ada"])
    // This includes two copies of the library, `two-copies`.
    #expect(modules.report().diagnostics.isEmpty)
  }

  @Test func `a ticket needs a seat`() async throws {
    try modules.start()
    await withKnownIssue {
      #expect(await modules.trigger(.guestCame, Visit(guest: "Ada", film: 1)) == [])
    } matching: { issue in
      (issue.error as? ServiceError)?.description.hasSuffix("[live-service]") == true
    }
  }
}
