import ModesAPI
import Routing

#exportRoute(.itemMODE) { link, request in
  MainActor.assertIsolated()
  return "MODE item \(link.id) \(request.origin)"
}

@ExportRoute(.screenMODE)
final class Screen: RouteScreen {
  let id: Int
  init(_ link: Link) async throws { id = link.id }
  func ask() -> String { "MODE screen \(id)" }
}

// The route uses the initializer that takes the request.
@ExportRoute(.choiceMODE)
struct Choice: RouteScreen {
  let text: String
  init() { text = "MODE nothing" }
  init(_ request: RouteRequest) { text = "MODE choice \(request.origin)" }
  func ask() -> String { text }
}

extension Outer {
  private static let secret = "secret"

  #exportRoute(.homeMODE) { "MODE \(secret)" }
}

enum Actions {
  #exportAction("MODE", "double", access: .remote) { (link: Link) in link.id * 2 }
}
