import Lifecycle
import Registry
import Routing
import ShopAPI

// A graphical app would show a screen. Here, the command line provides the customer's name.
#exportRoute(.logIn) { _, request in
  let context = try request.services.createService(for: Context.self)
  let accounts = try request.services.createService(for: AccountService.self)
  let user = await accounts.logIn(context.launch[.customer])
  context.trigger(.userDidLogIn, user)
  return user
}

#needs(AccountService.self)

enum LogInGate {
  /// Makes routes for customers wait until a customer has logged in.
  ///
  /// - Returns: A token that removes the gate.
  @discardableResult static func install(in router: Router) -> RegistrationToken {
    router.intercept { request in
      guard request.isForCustomers else { return .proceed }
      let accounts = try request.services.createService(for: AccountService.self)
      if await accounts.current == nil { try await request.router.open(.logIn) }
      return .proceed
    }
  }
}
