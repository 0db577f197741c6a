import CinemaAPI
import Registry

@ExportService(SeatService.self, scope: .shared)
actor Hall: SeatService {
  private var reserved = 0
  init() {}

  func reserveSeat() -> String {
    reserved += 1
    return "seat \(reserved)"
  }
}
