import Lifecycle
import Registry
import ShopAPI

@ExportModule(level: .basic, priority: 100)
final class TerminalModule: Module {
  func didFinishStarting(_ context: Context) throws {
    let display = try context.services.createService(for: Display.self)
    let clock = try context.services.createService(for: Clock.self)
    display.show("terminal: open at \(clock.now()), for \(context.launch[.customer])")
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("terminal: closed")
  }
}
