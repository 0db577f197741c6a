import Lifecycle
import Registry
import Routing
import ShopAPI

// An app with a keyboard would show a screen. Here, the command line gives the customer's name.
#exportRoute(.logIn) {
  let modules = ModuleManager.shared
  let user = await LogInGate.accounts.logIn(modules.context.launch[.customer])
  modules.trigger(.userDidLogIn, user)
  return user
}

enum LogInGate {
  @Service static var accounts: any AccountService

  /// Makes the routes of customers wait until the customer has logged in.
  ///
  /// - Returns: A token that removes the gate.
  @discardableResult static func install(in router: Router) -> RegistrationToken {
    router.intercept { [weak router] request in
      guard request.isForCustomers, let router else { return .proceed }
      if await accounts.current == nil { try await router.open(.logIn) }
      return .proceed
    }
  }
}
