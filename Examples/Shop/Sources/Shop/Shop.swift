import Foundation
import Lifecycle
import Registry
import ShopAPI

/// The app: knows the API, and no feature by name.
@main struct Shop {
  static func main() async throws {
    let arguments: Arguments
    let plugIns: [String]
    do {
      arguments = try Arguments(CommandLine.arguments.dropFirst())
      plugIns = try arguments.plugIns.map(PlugInFiles.find) ?? []
    } catch {
      giveUp(error)
    }

    let modules = ModuleManager.shared
    let services = ServiceManager.shared

    modules.context.environment = .development
    modules.context.configuration[.currency] = "CHF"
    try modules.start(launch: ContextValues { $0[.customer] = arguments.customer })

    print("Modules, in order:")
    for name in modules.modules { print("  \(name) (\(modules.image(of: name).map { "\($0)" } ?? "-"))") }

    print("Services found:")
    for record in services.report().records where record.kind == .service { print("  \(record)") }

    print("In the next turn of the main loop:")
    await modules.settled()

    print("A purchase:")
    var status: Int32 = 0
    do {
      try await purchase(["tea", "cup"], coupon: plugIns.isEmpty ? nil : "SPRING", modules, services)
      if !plugIns.isEmpty { try await visit(of: plugIns, modules, services) }
    } catch let error as ImageError {
      // The shop goes on without, but what was asked for was not done.
      print("  \(error)")
      status = 1
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
    if status != 0 { exit(status) }
  }

  @MainActor static func purchase(
    _ skus: [String], coupon: String? = nil, _ modules: ModuleManager, _ services: ServiceManager
  ) async throws {
    let context = modules.context
    let user = try await services.createService(for: AccountService.self).logIn(context.launch[.customer])
    modules.trigger(.userDidLogIn, user)

    let cart = try services.createService(for: CartService.self)
    for sku in skus { print("  \(sku): \(await cart.add(sku)) in the cart") }

    let catalog = try services.createService(for: CatalogService.self)
    let order = Order(user: user, products: await cart.contents().compactMap(catalog.product))
    print("  sum: \(price(order.cents, context))")

    var discounts = modules.trigger(.discountsForOrder, order)
    if let coupon { discounts += discount(for: coupon, services) }
    var total = order.cents
    for discount in discounts {
      print("  less \(price(discount.cents, context)): \(discount.reason)")
      total -= discount.cents
    }
    let receipt = try await services.createService(for: PaymentService.self).charge(user, cents: total)
    print("  paid \(price(total, context)): \(receipt)")
    await cart.empty()
    for note in modules.trigger(.orderWasPaid, order) { print("  \(note)") }
  }

  /// What a coupon is worth. The shop can do without anybody who takes coupons.
  @MainActor static func discount(for coupon: String, _ services: ServiceManager) -> [Discount] {
    do throws(ServiceError) {
      let coupons = try services.createService(for: CouponService.self)
      if let discount = coupons.discount(for: coupon) { return [discount] }
      print("  coupon \(coupon): worth nothing here")
    } catch {
      print("  coupon \(coupon): \(error)")
    }
    return []
  }

  /// Ends the process with the reason on standard error.
  static func giveUp(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
}
