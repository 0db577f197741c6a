public import Lifecycle

/// An order that a customer is about to pay.
public struct Order: Sendable {
  public let user: User
  public let products: [Product]

  public init(user: User, products: [Product]) {
    self.user = user
    self.products = products
  }

  /// The sum of the prices, in cents.
  public var cents: Int { products.reduce(0) { $0 + $1.cents } }
}

/// A reduction of an order's price.
public struct Discount: Sendable {
  public let reason: String
  public let cents: Int

  public init(reason: String, cents: Int) {
    self.reason = reason
    self.cents = cents
  }
}

extension Event where Payload == User, Outcome == Void {
  /// An event that's triggered after a customer logs in.
  public static var userDidLogIn: Self { .init("account.userDidLogIn") }
}

extension Event where Payload == Order, Outcome == [Discount] {
  /// An event that features answer with discounts for an order.
  public static var discountsForOrder: Self { .init("checkout.discountsForOrder", combining: .collect) }
}

extension Event where Payload == Order, Outcome == [String] {
  /// An event that's triggered after an order is paid. The customer sees the answers.
  public static var orderWasPaid: Self { .init("checkout.orderWasPaid", combining: .collect) }
}

extension Event where Payload == String, Outcome == Bool {
  /// An event that lets features open a link that no route matches.
  public static var openShopLink: Self { .init("shop.openShopLink", combining: .any) }
}

extension ContextKey where Value == String {
  /// The currency of prices.
  public static var currency: Self { .init("shop.currency", default: "EUR") }
  /// The customer's name, which is passed at launch.
  public static var customer: Self { .init("shop.customer", default: "Ada") }
}

/// Returns an amount as text in the configured currency.
@MainActor public func price(_ cents: Int, _ context: Context) -> String {
  let fraction = cents % 100
  return "\(cents / 100).\(fraction < 10 ? "0" : "")\(fraction) \(context.configuration[.currency])"
}
