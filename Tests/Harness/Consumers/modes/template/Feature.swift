import Lifecycle
import ModesAPI
import Observation
import Registry
import Routing

@ExportService((any Probe).self, named: "MODE")
struct StructProbe: Probe {
  init() {}
  func ask() -> String { "MODE" }
}

@ExportService((any Probe).self, scope: .shared, named: "MODE-actor", priority: -3)
actor ActorProbe: Probe {
  init() throws {}
  nonisolated func ask() -> String { "MODE-actor" }
}

enum Outer {}

extension Outer {
  @ExportService((any MainProbe).self, scope: .shared, named: "MODE")
  final class Nested: MainProbe {
    init() {}
    func ask() -> String { "MODE-main" }
  }
}

@ExportModule(level: .normal, priority: 1, after: [])
final class ModeModule: Module {
  init() {}
  static func subscribe(_ events: Subscriptions<ModeModule>) {
    events.on(.list) { module, _ in ["MODE"] }
    events.on(.open) { module, link, context in module.open(link, context) }
  }
  func open(_ link: String, _ context: Context) -> Bool { link == "MODE" }
}

// In modules whose default isolation is the main actor, this class is isolated without an
// attribute.
@ExportService((any PlainProbe).self, named: "MODE")
final class Plain: PlainProbe {
  init() {}
}

// Handlers without a module. The second one runs in a task that only `waitUntilIdle` observes.
#onEvent(.note, priority: 1) { text, context in
  ["MODE-\(text)"]
}

extension Outer {
  #onEvent(.noted, once: true, taskPriority: .utility) { text in try await Noted.shared.add("MODE-\(text)") }
}

// What the feature needs: its own exports, which exist, and a service that no image exports.
#needs((any Probe).self, named: "MODE")
#needs(module: ModeModule.self)

struct ProbeReader {
  @Service(named: "MODE") var probe: any Probe
  @Service var missing: (any MissingProbe)?
}

final class CachingReader: Sendable {
  @Service(named: "MODE-actor", cached: true) var probe: any Probe
}

@Observable final class ObservedReader {
  @Service(named: "MODE") @ObservationIgnored var probe: any Probe
}

extension Outer {
  @Service(named: "MODE") @MainActor static var mainProbe: any MainProbe
}

#onEvent(.injected) { _ in
  let (reader, caching) = (ProbeReader(), CachingReader())
  return [
    ObservedReader().probe.ask(), reader.probe.ask(), caching.probe.ask(), Outer.mainProbe.ask(),
    reader.missing == nil ? "none" : "one",
  ]
}

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
