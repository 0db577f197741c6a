import Foundation
import Registry
import Routing
import ShopAPI
import Testing

@testable import Account

private struct EmptyScreen: Screen {
  let lines = ["nothing"]
}

/// Tests of the log-in gate with only the routes of this feature. The test itself registers the
/// cart.
@Suite(.services { $0.allowLive(AccountService.self) })
@MainActor struct LogInTests {
  let router = Router(records: .records { $0.handlerName?.hasPrefix("Account/") == true })
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
