public import Routing

// The screens of the shop and the links to them. Features decide which types implement them.

/// A screen, which consists of lines of text because this shop runs in a terminal.
@MainActor public protocol Screen: Sendable {
  var lines: [String] { get }
}

/// The parameters of the route to a product.
public struct ProductLink: Codable, Sendable {
  public let sku: String
  /// The link's campaign, such as `spring` in `?campaign=spring`, or nil.
  public let campaign: String?

  public init(sku: String, campaign: String? = nil) {
    self.sku = sku
    self.campaign = campaign
  }
}

/// An amount of money.
public struct Amount: Codable, Sendable {
  public let cents: Int

  public init(cents: Int) {
    self.cents = cents
  }
}

extension Route where Parameters == ProductLink, Outcome == any Screen {
  /// A product. Links to it appear on posters and in messages.
  public static var product: Self {
    .init(
      "catalog.product", [#pattern("shop://product/:sku"), #pattern("https://shop.example/products/:sku.html")],
      access: .remote)
  }
}

extension Route where Parameters == Void, Outcome == any Screen {
  /// The contents of the cart. Customers must log in to open it.
  public static var cart: Self { .init("customer.cart", [#pattern("shop://cart")], access: .remote) }
  /// The current promotion. Only a plug-in handles this route, so it can be unavailable.
  public static var promotion: Self { .init("shop.promotion", [#pattern("shop://promotion")], access: .remote) }
}

extension Route where Parameters == Amount, Outcome == any Screen {
  /// The refund of an amount. Its link works only inside the app.
  public static var refund: Self { .init("checkout.refund", [#pattern("shop://refund/:cents(Int)")]) }
}

extension Route where Parameters == Void, Outcome == User {
  /// The customer's log-in, which has no link.
  public static var logIn: Self { .init("account.logIn") }
}

extension RouteRequest {
  /// A Boolean value that indicates whether the route is only for logged-in customers.
  ///
  /// The identifiers of such routes begin with `customer.`, as in `customer.cart`.
  public var isForCustomers: Bool { routeID?.hasPrefix("customer.") == true }
}
