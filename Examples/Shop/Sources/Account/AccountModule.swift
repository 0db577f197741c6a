import Lifecycle
import Registry
import Routing
import ShopAPI

@ExportModule(level: .basic)
final class AccountModule: Module {
  private var gate: RegistrationToken?

  static func subscribe(_ events: Subscriptions<AccountModule>) {
    events.on(.userDidLogIn) { _, user, context in
      let display = try context.services.createService(for: Display.self)
      display.show("account: welcome, \(user.name)")
    }
  }

  func setUp(_ context: Context) throws {
    gate = LogInGate.install(in: .shared)
  }

  func tearDown(_ context: Context) throws {
    gate?.cancel()
    try context.services.createService(for: Display.self).show("account: logged out")
  }
}
