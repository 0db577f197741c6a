import Lifecycle
import Registry
import Routing
import ShopAPI

// Where there is a keyboard this would be a screen that asks. Here it is whoever the shop was opened for.
#exportRoute(.logIn) {
  let modules = ModuleManager.shared
  let user = try await ServiceManager.shared.createService(for: AccountService.self)
    .logIn(modules.context.launch[.customer])
  modules.trigger(.userDidLogIn, user)
  return user
}

enum LogInGate {
  /// Lets nobody open what is a customer's before somebody has logged in: the opening waits for that, and goes on.
  ///
  /// - Returns: What opens the gate for good.
  @discardableResult static func install(in router: Router) -> RegistrationToken {
    router.intercept { [weak router] request in
      guard request.isForCustomers, let router else { return .proceed }
      let accounts = try ServiceManager.shared.createService(for: AccountService.self)
      if await accounts.current == nil { try await router.open(.logIn) }
      return .proceed
    }
  }
}
