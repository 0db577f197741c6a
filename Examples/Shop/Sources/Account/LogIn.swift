import Lifecycle
import Registry
import Routing
import ShopAPI

// An app with a keyboard would show a screen. Here, the command line gives the customer's name.
#exportRoute(.logIn) { _, request in
  let context = try request.services.createService(for: Context.self)
  let accounts = try request.services.createService(for: AccountService.self)
  let user = await accounts.logIn(context.launch[.customer])
  context.trigger(.userDidLogIn, user)
  return user
}

#needs(AccountService.self)

enum LogInGate {
  /// Makes the routes of customers wait until the customer has logged in.
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
