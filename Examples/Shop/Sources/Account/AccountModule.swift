import Lifecycle
import Registry
import Routing
import ShopAPI

@ExportModule(level: .basic)
final class AccountModule: Module {
  @Service private var display: any Display
  private var gate: RegistrationToken?

  static func subscribe(_ events: Subscriptions<AccountModule>) {
    events.on(.userDidLogIn) { module, user, _ in module.display.show("account: welcome, \(user.name)") }
  }

  func setUp(_ context: Context) throws {
    gate = LogInGate.install(in: .shared)
  }

  func tearDown(_ context: Context) {
    gate?.cancel()
    display.show("account: logged out")
  }
}
