import PluginsAPI
import Routing

// Only the plug-in exports this route.
#exportRoute(.extra) { link in ExtraScreen(link) }

struct ExtraScreen: Speaker {
  let id: Int
  init(_ link: Link) { id = link.id }
  func speak() -> String { "extra \(id)" }
  func types() -> [ObjectIdentifier] { typesSeenHere() }
}
