import Lifecycle
import Registry
import ShopAPI

@ExportModule(level: .basic)
final class AccountModule: Module {
  static func subscribe(_ events: Subscriptions<AccountModule>) {
    events.on(.userDidLogIn) { _, user, context in
      let display = try context.services.createService(for: Display.self)
      display.show("account: welcome, \(user.name)")
    }
  }

  func tearDown(_ context: Context) throws {
    try context.services.createService(for: Display.self).show("account: logged out")
  }
}
