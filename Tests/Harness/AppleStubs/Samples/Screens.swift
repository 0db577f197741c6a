// Screens that routes open, and previews with services.
import AppHost
import Foundation
import Registry
import Routing

struct OrderLink: Codable, Sendable {
  var id: Int
}

#if canImport(UIKit) && !os(watchOS)
import UIKit

extension Route where Parameters == OrderLink, Outcome == ReceiptViewController {
  static var receipt: Self { .init("shop.receipt", [#pattern("shop://receipt/:id(Int)")], access: .remote) }
}
extension Route where Parameters == Void, Outcome == UIViewController {
  static var orders: Self { .init("shop.orders") }
}

@ExportRoute(.receipt)
final class ReceiptViewController: UIViewController {
  init(_ link: OrderLink, for request: RouteRequest) throws {
    guard request.origin == .local else { throw CancellationError() }
    super.init(nibName: nil, bundle: nil)
    title = "Receipt of order \(link.id)"
  }

  required init?(coder: NSCoder) { fatalError("made by code") }
}

// This class inherits its initializers.
@ExportRoute(.orders) final class OrdersViewController: UIViewController {}

@MainActor func showReceipt(in window: UIWindow) async throws {
  Router.shared.register(.orders) { OrdersViewController() }.cancel()
  window.rootViewController = try await Router.shared.open(.receipt, OrderLink(id: 7))
}
#endif

#if canImport(SwiftUI)
import SwiftUI

protocol CartService: Sendable {}
struct MockCart: CartService {}

struct CartPreview: View {
  @Service var cart: any CartService
  let count = 3

  var body: some View {
    Text(verbatim: "\(cart)").previewServices { [count] in
      $0.register(CartService.self, named: "\(count)") { MockCart() }
    }
    .onOpenURL { url in Task { try await Router.shared.open(url, from: .remote) } }
  }
}

struct MacOrPhoneApp: App {
  #if canImport(AppKit)
  @NSApplicationDelegateAdaptor(ModuleAppDelegate.self) private var appDelegate
  #elseif os(watchOS)
  @WKApplicationDelegateAdaptor(ModuleAppDelegate.self) private var appDelegate
  #else
  @UIApplicationDelegateAdaptor(ModuleAppDelegate.self) private var appDelegate
  #endif

  var body: some Scene { WindowGroup { Text("Shop").modules() } }
}
#endif
