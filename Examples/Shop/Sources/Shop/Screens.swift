import Foundation
import Lifecycle
import Registry
import Routing
import ShopAPI

extension URL {
  static let productLink = URL(string: "https://shop.example/products/cup.html?campaign=spring")!
  static let cartLink = URL(string: "shop://cart")!
  static let refundLink = URL(string: "shop://refund/450")!
  static let promotionLink = URL(string: "shop://promotion")!
  static let orderForm = URL(string: "legacy:order-form")!
}

extension Shop {
  /// Opens screens by their routes, by links in the app, and by links from outside.
  @MainActor static func screens(_ router: Router, _ modules: ModuleManager) async {
    // Print diagnostics below the links. The sender of a link from outside never receives them.
    let onDiagnostic = router.onDiagnostic
    router.onDiagnostic = { print("  \($0)") }
    defer { router.onDiagnostic = onDiagnostic }
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let observer = router.observe { opening in
      if let result = opening.result { end.yield((try? result.get()) != nil) }
    }

    print("Routes found:")
    for route in router.routes { print("  \(route)") }

    showMenu()
    print("Screens:")
    do {
      let tea = ProductLink(sku: "tea")
      print("  \(try router.url(for: .product, tea)), opened by its route:")
      show(try await router.open(.product, tea))
      print("  a product, from the link in a message:")
      show(try await router.object(for: .productLink, as: (any Screen).self, from: .remote))
    } catch {
      print("  \(error)")
    }
    // No customer has logged in yet, so opening the cart first waits for the log-in.
    await show(.cartLink, from: .remote, router)
    await show(.refundLink, from: .local, router)
    // From outside, the same link is refused, and the error doesn't reveal that the route exists.
    await show(.refundLink, from: .remote, router)
    await show(.orderForm, from: .remote, router)

    observer.cancel()
    end.finish()
    var counts = (opened: 0, refused: 0)
    for await isOpen in ends { if isOpen { counts.opened += 1 } else { counts.refused += 1 } }
    print("  \(counts.opened) opened, \(counts.refused) refused")
  }

  @Contributions(.menu) static var menu: [MenuItem]

  /// Prints the menu, to which features and plug-ins contribute.
  @MainActor static func showMenu() {
    print("The menu:")
    for item in menu { print("  \(item.title): \(item.link)") }
  }

  @discardableResult
  @MainActor static func show(_ link: URL, from origin: RouteOrigin, _ router: Router) async -> Bool {
    let match = router.canOpen(link, from: origin)
    print("  \(link)\(origin == .remote ? ", from outside" : ""): \(match?.routeID ?? "no route")")
    do {
      let value = try await router.open(link, from: origin).value
      if let screen = value as? any Screen { show(screen) } else { print("    \(value)") }
      return true
    } catch {
      print("    \(error)")
      return false
    }
  }

  @MainActor private static func show(_ screen: any Screen) {
    for line in screen.lines { print("    \(line)") }
  }
}
