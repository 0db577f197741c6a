import Lifecycle
import Registry
import ShopAPI

@ExportModule(level: .basic, priority: 100)
final class TerminalModule: Module {
  @Service private var display: any Display
  @Service private var clock: any Clock

  func didFinishStarting(_ context: Context) {
    display.show("terminal: open at \(clock.now()), for \(context.launch[.customer])")
  }

  func tearDown(_ context: Context) { display.show("terminal: closed") }
}
