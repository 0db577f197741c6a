import Navigation
import Registry
import Routing
import ShopAPI
import SwiftUI

/// The first page, whose buttons open routes of the features and of the app.
struct HomeView: View {
  let navigation: NavigationModel
  @Service private var cart: any CartService
  @Service private var display: any Display

  var body: some View {
    List {
      if let problem = navigation.problem {
        Section("Not opened") { Text(problem) }
      }
      Section("Products") {
        button("Green tea", .product, ProductLink(sku: "tea"))
        button("Blue cup", .product, ProductLink(sku: "cup"))
        button("Hat, which the catalog lacks", .product, ProductLink(sku: "hat"))
      }
      Section("Customer") {
        Button("Put green tea into the cart") { Task { await putIntoCart("tea") } }
        button("Cart", .cart, ())
        button("Refund of 4.50", .refund, Amount(cents: 450))
        button("Notes", .notes, ())
      }
    }
    .navigationTitle("Shop")
  }

  private func button<Parameters, Outcome: Sendable>(
    _ title: String, _ route: Route<Parameters, Outcome>, _ parameters: Parameters
  ) -> some View {
    Button(title) { Task { await navigation.open(route, parameters) } }
  }

  private func putIntoCart(_ sku: String) async {
    let count = await cart.add(sku)
    display.show("cart: \(count) product(s)")
  }
}
