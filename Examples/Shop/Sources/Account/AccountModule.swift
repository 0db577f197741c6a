import Lifecycle
import Registry
import Routing
import ShopAPI

@ExportModule(level: .basic)
final class AccountModule: Module {
  private var services = ServiceManager()
  @Service(in: \AccountModule.services) private var display: any Display
  private var gate: RegistrationToken?

  static func subscribe(_ events: Subscriptions<AccountModule>) {
    events.on(.userDidLogIn) { module, user, _ in module.display.show("account: welcome, \(user.name)") }
  }

  func setUp(_ context: Context) throws {
    services = context.services
    // Register the context, because route handlers, which receive only services, use it, too.
    services.register(Context.self, scope: .shared) { context }
    gate = LogInGate.install(in: services.router)
  }

  func tearDown(_ context: Context) {
    gate?.cancel()
    display.show("account: logged out")
  }
}
