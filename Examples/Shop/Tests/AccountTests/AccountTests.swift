import Foundation
import Lifecycle
import Registry
import Routing
import ShopAPI
import Testing

@testable import Account

private struct EmptyScreen: Screen {
  let lines = ["nothing"]
}

/// The manager whose context the log-in uses.
@MainActor private let logInModules = ModuleManager()

/// Tests of the log-in gate with only the routes of this feature. The test itself registers the
/// cart.
@Suite(
  .services {
    $0.allowLive(AccountService.self)
    $0.override(Context.self, scope: .shared) { @MainActor in logInModules.context }
  })
@MainActor struct LogInTests {
  let router = Router(services: .shared, records: .records { $0.handlerName?.hasPrefix("Account/") == true })
  private var accounts: any AccountService {
    get throws { try ServiceManager.shared.createService(for: AccountService.self) }
  }

  @Test func `a link to a customer's cart logs the customer in first`() async throws {
    LogInGate.install(in: router)
    let accounts = try accounts
    router.register(.cart) {
      #expect(await accounts.current?.name == "Ada")
      return EmptyScreen()
    }
    #expect(await accounts.current == nil)
    let cart = try #require(URL(string: "shop://cart"))
    #expect(try await router.object(for: cart, as: (any Screen).self, from: .remote).lines == ["nothing"])
  }

  @Test func `a customer who is logged in does not log in again`() async throws {
    LogInGate.install(in: router)
    router.register(.cart) { EmptyScreen() }
    _ = try await accounts.logIn("Grace")
    _ = try await router.open(.cart)
    #expect(try await accounts.current?.name == "Grace")
  }

  @Test func `a product opens without a log-in`() async throws {
    LogInGate.install(in: router)
    router.register(.product) { _ in EmptyScreen() }
    _ = try await router.open(.product, ProductLink(sku: "tea"))
    #expect(try await accounts.current == nil)
  }

  @Test func `the interceptor is called until its token is canceled`() async throws {
    let gate = LogInGate.install(in: router)
    router.register(.cart) { EmptyScreen() }
    gate.cancel()
    _ = try await router.open(.cart)
    #expect(try await accounts.current == nil)
  }

  @Test func `no link opens the log-in`() throws {
    let logIn = try #require(router.routes.first { $0.id == "account.logIn" })
    #expect(logIn.patterns.isEmpty && logIn.access == .local)
  }
}
