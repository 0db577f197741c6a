import Lifecycle
import PluginsAPI
import Registry
import Routing

@ExportService((any Speaker).self, scope: .shared)
struct NAMESpeaker: Speaker {
  init() {}
  func speak() -> String { "NAME" }
  func types() -> [ObjectIdentifier] { typesSeenHere() }
}

@ExportModule
final class NAMEModule: Module {
  static func subscribe(_ events: Subscriptions<NAMEModule>) {
    events.on(.greet) { _, name, context in
      // The manager also finds the services that other images export.
      let speakers = try context.services.createServices(for: (any Speaker).self)
      return ["NAME greets \(name) with \(speakers.count)"]
    }
  }
}

#exportRoute(.shared) { "NAME" }
#exportAction("plugins", "name") { (link: Link) in "NAME \(link.id)" }
