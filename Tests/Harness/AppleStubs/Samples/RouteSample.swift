// An app that opens the system's links with a router, and whose screens are view controllers.
import Foundation
import Routing

struct OrderLink: Codable, Sendable {
  var id: Int
}

#if canImport(UIKit) && !os(watchOS)
import UIKit

extension Route where Parameters == OrderLink, Outcome == UIViewController {
  static var order: Self {
    .init(
      "shop.order", [#pattern("shop://order/:id(Int)"), #pattern("https://shop.example/orders/:id")], access: .remote)
  }
}
extension Route where Parameters == OrderLink, Outcome == ReceiptViewController {
  static var receipt: Self { .init("shop.receipt") }
}
extension Route where Parameters == Void, Outcome == UIViewController {
  static var orders: Self { .init("shop.orders", [#pattern("shop://orders")], access: .remote) }
  static var help: Self { .init("shop.help") }
}

@ExportRoute(.order)
final class OrderViewController: UIViewController {
  private let link: OrderLink

  init(_ link: OrderLink) {
    self.link = link
    super.init(nibName: nil, bundle: nil)
    title = "Order \(link.id)"
  }

  required init?(coder: NSCoder) { fatalError("made by code") }
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
@ExportRoute(.orders) final class OrdersViewController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Orders"
  }
}

#exportRoute(.help) { request in
  let screen = UIViewController(nibName: nil, bundle: nil)
  screen.title = request.fragment ?? "Help"
  return screen
}

#exportAction("orders", "title") { (link: OrderLink) in
  try await Router.shared.open(.order, link).title ?? ""
}

final class RouteAppDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    guard Router.shared.canOpen(url, from: .remote) != nil else { return false }
    Task { try await Router.shared.open(url, from: .remote) }
    return true
  }
}

final class RouteSceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    for context in contexts { show(context.url) }
  }

  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    if let url = userActivity.webpageURL { show(url) }
  }

  private func show(_ url: URL) {
    Task {
      do {
        let screen = try await Router.shared.object(for: url, as: UIViewController.self, from: .remote)
        window?.rootViewController?.present(screen, animated: true)
      } catch let error as RouteError {
        print(error)
      }
    }
  }
}

@MainActor func showReceipt(in window: UIWindow) async throws {
  let receipt: ReceiptViewController = try await Router.shared.open(.receipt, OrderLink(id: 7))
  window.rootViewController?.present(receipt, animated: false)
  let token = Router.shared.register(.orders) { OrdersViewController() }
  token.cancel()
}
#else
extension Route where Parameters == OrderLink, Outcome == String {
  static var order: Self { .init("shop.order", [#pattern("shop://order/:id(Int)")], access: .remote) }
}

#exportRoute(.order) { link in "Order \(link.id)" }
#endif

#if canImport(AppKit)
import AppKit

final class RouteAppDelegate: NSObject, NSApplicationDelegate {
  func application(_ application: NSApplication, open urls: [URL]) {
    for url in urls { Task { print(try await Router.shared.object(for: url, as: String.self, from: .remote)) } }
  }
}
#endif

#if canImport(SwiftUI)
import SwiftUI

struct LinkedView: View {
  var body: some View {
    Text("Shop").onOpenURL { url in
      Task { try await Router.shared.open(url, from: .remote) }
    }
  }
}
#endif
