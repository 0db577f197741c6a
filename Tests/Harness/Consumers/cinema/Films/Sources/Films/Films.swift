import CinemaAPI
import Registry
import Routing

@ExportService(FilmService.self, scope: .shared)
struct Archive: FilmService {
  init() {}
  func title(of film: Int) -> String? { film == 7 ? "Metropolis" : nil }
}

#exportRoute(.film) { link, request in
  let films = try ServiceManager.shared.createService(for: FilmService.self)
  return films.title(of: link.id) ?? "film \(link.id) is not on the program"
}
