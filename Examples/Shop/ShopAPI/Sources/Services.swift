// The services that features provide to each other. Features decide which types implement them.

/// A customer of the shop.
public struct User: Sendable {
  public let name: String

  public init(name: String) {
    self.name = name
  }
}

/// A product that customers can buy.
public struct Product: Sendable {
  public let sku: String
  public let title: String
  public let cents: Int

  public init(sku: String, title: String, cents: Int) {
    self.sku = sku
    self.title = title
    self.cents = cents
  }
}

public protocol AccountService: Sendable {
  func logIn(_ name: String) async -> User
  /// The customer who is logged in, or nil.
  var current: User? { get async }
}

public protocol CatalogService: Sendable {
  func product(_ sku: String) -> Product?
}

public protocol CartService: Sendable {
  /// Adds a product and returns the number of products in the cart.
  func add(_ sku: String) async -> Int
  func contents() async -> [String]
  func empty() async
}

public protocol PaymentService: Sendable {
  func charge(_ user: User, cents: Int) async throws -> String
}

/// A service that accepts coupons. Only a plug-in implements it, so it can be unavailable.
public protocol CouponService: Sendable {
  func discount(for code: String) -> Discount?
}

/// A display that shows lines to the user. Like any user interface, it's on the main actor.
@MainActor public protocol Display: Sendable {
  func show(_ line: String)
}

public protocol Clock: Sendable {
  func now() -> String
}
