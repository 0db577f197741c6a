import Lifecycle
import Registry
import ShopAPI

/// The app: knows the API, and no feature by name.
@main struct Shop {
  static func main() async throws {
    let modules = ModuleManager.shared
    let services = ServiceManager.shared

    modules.context.environment = .development
    modules.context.configuration[.currency] = "CHF"
    try modules.start(launch: ContextValues { $0[.customer] = CommandLine.arguments.dropFirst().first ?? "Ada" })

    print("Modules, in order:")
    for name in modules.modules { print("  \(name) (\(modules.image(of: name).map { "\($0)" } ?? "-"))") }

    print("Services found:")
    for record in services.report().records where record.kind == .service { print("  \(record)") }

    print("In the next turn of the main loop:")
    await modules.settled()

    print("A purchase:")
    do {
      try await purchase(["tea", "cup"], modules, services)
    } catch {
      print("  \(error)")
    }

    print("Who opens a link:")
    for link in ["shop://product/tea", "legacy:order-form", "mailto:ada"] {
      print("  \(link): \(modules.trigger(.openLink, link))")
    }

    print("Tear-down, in reverse:")
    modules.stop()

    let problems = modules.report().diagnostics
    print(problems.isEmpty ? "No problems." : "Problems:")
    for problem in problems { print("  \(problem)") }
  }

  @MainActor static func purchase(
    _ skus: [String], _ modules: ModuleManager, _ services: ServiceManager
  ) async throws {
    let context = modules.context
    let user = try await services.createService(for: AccountService.self).logIn(context.launch[.customer])
    modules.trigger(.userDidLogIn, user)

    let cart = try services.createService(for: CartService.self)
    for sku in skus { print("  \(sku): \(await cart.add(sku)) in the cart") }

    let catalog = try services.createService(for: CatalogService.self)
    let order = Order(user: user, products: await cart.contents().compactMap(catalog.product))
    print("  sum: \(price(order.cents, context))")

    var total = order.cents
    for discount in modules.trigger(.discountsForOrder, order) {
      print("  less \(price(discount.cents, context)): \(discount.reason)")
      total -= discount.cents
    }
    let receipt = try await services.createService(for: PaymentService.self).charge(user, cents: total)
    print("  paid \(price(total, context)): \(receipt)")
    for note in modules.trigger(.orderWasPaid, order) { print("  \(note)") }
  }
}
