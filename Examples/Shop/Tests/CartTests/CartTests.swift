import Lifecycle
import Registry
import RegistryReports
import Routing
import ShopAPI
import Testing

@testable import Cart

/// A display that records lines instead of showing them.
@MainActor private final class RecordingDisplay: Display {
  private(set) var lines: [String] = []
  func show(_ line: String) { lines.append(line) }
}

/// Tests of the live cart service, without any other service.
@Suite(.services { $0.allowLive(CartService.self) })
struct CartServiceTests {
  @Test func `the app uses the cart of this feature`() throws {
    #expect(try ServiceManager.shared.createService(for: CartService.self) is DefaultCart)
  }

  @Test(arguments: [["tea"], ["tea", "cup"], ["cup", "cup", "tea"]])
  func `every test case has its own shared cart`(skus: [String]) async throws {
    for (index, sku) in skus.enumerated() {
      let cart = try ServiceManager.shared.createService(for: CartService.self)
      #expect(await cart.add(sku) == index + 1)
    }
    #expect(try await ServiceManager.shared.createService(for: CartService.self).contents() == skus)
  }
}

@Suite(.services { $0.allowLive(CartService.self) })
@MainActor struct CartScreenTests {
  let router = Router(services: .shared, records: .records { $0.handlerName?.hasPrefix("Cart/") == true })

  @Test func `the screen shows the contents of the cart`() async throws {
    #expect(try await router.open(.cart).lines == ["the cart is empty"])
    _ = try await ServiceManager.shared.createService(for: CartService.self).add("tea")
    #expect(try await router.open(.cart).lines == ["in the cart:", "- tea"])
  }

  @Test func `a link from outside the app opens the screen`() throws {
    let match = try #require(router.canOpen(try router.url(for: .cart), from: .remote))
    #expect(match.routeID == "customer.cart" && !match.isFallback)
    #expect(router.routes.map(\.id) == ["customer.cart"])
  }
}

/// Tests of the lines that the cart's module shows, on a display that records them.
@Suite(.services { $0.override(Display.self, scope: .shared) { @MainActor in RecordingDisplay() } })
@MainActor struct CartModuleTests {
  let modules = ModuleManager(modules: [CartModule.self], services: .shared)

  private var shown: [String]? {
    get throws { (try ServiceManager.shared.createService(for: Display.self) as? RecordingDisplay)?.lines }
  }

  @Test func `a customer who logs in gets a cart`() throws {
    try modules.start()
    modules.trigger(.userDidLogIn, User(name: "Ada"))
    #expect(try shown == ["cart: a cart for Ada"])
  }

  @Test func `the tear-down shows the number of customers`() throws {
    try modules.start()
    for name in ["Ada", "Grace"] { modules.trigger(.userDidLogIn, User(name: name)) }
    modules.stop()
    #expect(try shown?.last == "cart: 2 customer(s) served")
    #expect(modules.report().diagnostics.isEmpty)
  }

  @Test func `the module is exported, and names the modules that precede it`() throws {
    let names: Set = ["Cart.CartModule"]
    let exported = ModuleManager(
      services: .shared, records: .records { $0.typeName.map(names.contains) == true }, onDiagnostic: { _ in })
    try exported.start()
    #expect(exported.moduleNames == ["Cart.CartModule"])
    // The modules that it follows are missing here, so the manager reports them.
    #expect(exported.report().diagnostics.filter { $0.code == "unknown-after" }.count == 2)
  }
}

/// Tests of a service that a test doesn't mention: its use fails the test, which continues with the
/// live service.
@Suite @MainActor struct CartWithoutServicesTests {
  @Test(.services())
  func `a cart that the test does not mention is an issue`() async throws {
    let router = Router(services: .shared, records: .records { $0.handlerName?.hasPrefix("Cart/") == true })
    try await withKnownIssue {
      let screen = try await router.open(.cart)
      #expect(screen.lines == ["the cart is empty"])
    } matching: { issue in
      guard let error = issue.error as? ServiceError else { return false }
      return error.code == "live-service" && error.service == "ShopAPI.CartService"
    }
  }
}
