public import Routing

// Where one can go in the shop, and the links that lead there. Who shows what is there is nobody's business.

/// What a person sees. This shop is a terminal, so it is lines of text.
@MainActor public protocol Screen: Sendable {
  var lines: [String] { get }
}

/// Which product.
public struct ProductLink: Codable, Sendable {
  public let sku: String
  /// Where somebody found the link, `?campaign=spring`.
  public let campaign: String?

  public init(sku: String, campaign: String? = nil) {
    self.sku = sku
    self.campaign = campaign
  }
}

/// How much money.
public struct Amount: Codable, Sendable {
  public let cents: Int

  public init(cents: Int) {
    self.cents = cents
  }
}

extension Route where Parameters == ProductLink, Outcome == any Screen {
  /// A product. Links to it are on posters and in messages.
  public static var product: Self {
    .init(
      "catalog.product", [#pattern("shop://product/:sku"), #pattern("https://shop.example/products/:sku.html")],
      access: .remote)
  }
}

extension Route where Parameters == Void, Outcome == any Screen {
  /// What somebody is about to buy. The cart is a customer's: who opens it logs in first.
  public static var cart: Self { .init("customer.cart", [#pattern("shop://cart")], access: .remote) }
  /// What is cheaper at the moment. Nobody need offer it: in this shop only a plug-in does.
  public static var promotion: Self { .init("shop.promotion", [#pattern("shop://promotion")], access: .remote) }
}

extension Route where Parameters == Amount, Outcome == any Screen {
  /// Gives money back. It has a link, which works in the app and from nowhere else.
  public static var refund: Self { .init("checkout.refund", [#pattern("shop://refund/:cents(Int)")]) }
}

extension Route where Parameters == Void, Outcome == User {
  /// Asks who is there. No link leads here.
  public static var logIn: Self { .init("account.logIn") }
}

extension RouteRequest {
  /// Whether it is for something that is a customer's, as the route's id says: `customer.cart`.
  public var isForCustomers: Bool { route?.hasPrefix("customer.") == true }
}
