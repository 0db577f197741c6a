import Lifecycle
import PluginsAPI
import Registry

/// Opens the plug-in given as its argument and prints what changes.
@main struct App {
  static func main() throws {
    let modules = ModuleManager.shared
    try modules.start()
    modules.trigger(.greet, "Ada").forEach { print($0) }

    let plugIn = try modules.open(CommandLine.arguments[1])
    print("opened \(plugIn.modules.joined(separator: " ")), \(plugIn.records.count) records")
    modules.trigger(.greet, "Ada").forEach { print($0) }
    let speakers = try ServiceManager.shared.createServices(for: (any Speaker).self)
    print("speakers \(speakers.map { $0.speak() }.joined(separator: " "))")
    print("one copy \(speakers.allSatisfy { $0.types() == typesSeenHere() })")

    plugIn.close()
    modules.trigger(.greet, "Ada").forEach { print($0) }
    modules.stop()
  }
}
