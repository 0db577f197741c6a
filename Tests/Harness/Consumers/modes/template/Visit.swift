import Foundation
import ModesAPI
import Registry
import Routing

extension Visit {
  /// Opens the exports of one language mode by type, by URL, and by name.
  static func MODE(_ router: Router) async throws -> [String] {
    var answers: [String] = []
    answers.append(try await router.open(.itemMODE, Link(id: 1)))
    let item = try router.url(for: .itemMODE, Link(id: 2))
    answers.append("\(item) \(router.canOpen(item, from: .remote)?.route ?? "nothing")")
    answers.append(try await router.object(for: item, as: String.self, from: .remote))
    answers.append(try await router.open(.screenMODE, Link(id: 3)).ask())
    let screen = try await router.object(
      for: link("modes://app/MODE/screen/4"), as: (any RouteScreen).self, from: .remote)
    answers.append(screen.ask())
    answers.append(try await router.open(.choiceMODE).ask())
    let home = try await router.open(link("modes://app/MODE/home"), from: .local)
    answers.append("\(home.request.routeID ?? "nothing") \(home.value)")
    do {
      _ = try await router.open(link("modes://app/MODE/home"), from: .remote)
      answers.append("opened from outside")
    } catch let error as RouteError where error.code == "route-not-found" {
      answers.append("not found from outside")
    }
    answers.append("\(try await router.perform("MODE", "double", ["id": 5], as: Int.self, from: .remote))")
    return answers
  }
}
