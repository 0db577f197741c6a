import PluginsAPI
import Routing

// What the plug-in has and no other image.
#exportRoute(.extra) { link in ExtraScreen(link) }

struct ExtraScreen: Speaker {
  let id: Int
  init(_ link: Link) { id = link.id }
  func speak() -> String { "extra \(id)" }
  func types() -> [ObjectIdentifier] { typesSeenHere() }
}
