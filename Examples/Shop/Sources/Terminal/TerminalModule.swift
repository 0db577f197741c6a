import Lifecycle
import Registry
import ShopAPI

@ExportModule(level: .basic, priority: 100)
final class TerminalModule: Module {
  private var services = ServiceManager()
  @Service(in: \TerminalModule.services) private var display: any Display
  @Service(in: \TerminalModule.services) private var clock: any Clock

  func setUp(_ context: Context) { services = context.services }

  func didFinishStarting(_ context: Context) {
    display.show("terminal: open at \(clock.now()), for \(context.launch[.customer])")
  }

  func tearDown(_ context: Context) { display.show("terminal: closed") }
}
