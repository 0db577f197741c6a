public import Lifecycle

/// What is about to be bought.
public struct Order: Sendable {
  public let user: User
  public let products: [Product]

  public init(user: User, products: [Product]) {
    self.user = user
    self.products = products
  }

  /// The sum, in cents.
  public var cents: Int { products.reduce(0) { $0 + $1.cents } }
}

/// Something that changes an order's price.
public struct Discount: Sendable {
  public let reason: String
  public let cents: Int

  public init(reason: String, cents: Int) {
    self.reason = reason
    self.cents = cents
  }
}

extension Event where Payload == User, Outcome == Void {
  /// Somebody logged in.
  public static var userDidLogIn: Self { .init("account.userDidLogIn") }
}

extension Event where Payload == Order, Outcome == [Discount] {
  /// Who takes something off this order? Answered by any number of features.
  public static var discountsForOrder: Self { .init("checkout.discountsForOrder") }
}

extension Event where Payload == Order, Outcome == [String] {
  /// An order was paid; the answers are shown to whoever paid.
  public static var orderWasPaid: Self { .init("checkout.orderWasPaid") }
}

extension Event where Payload == String, Outcome == Bool {
  /// Does somebody take this link, which no route leads to?
  public static var openLink: Self { .init("shop.openLink") }
}

extension ContextKey where Value == String {
  /// The currency prices are in.
  public static var currency: Self { .init("shop.currency", default: "EUR") }
  /// Who shops, as given at launch.
  public static var customer: Self { .init("shop.customer", default: "Ada") }
}

/// An amount as a person reads it.
@MainActor public func price(_ cents: Int, _ context: Context) -> String {
  let fraction = cents % 100
  return "\(cents / 100).\(fraction < 10 ? "0" : "")\(fraction) \(context.configuration[.currency])"
}
