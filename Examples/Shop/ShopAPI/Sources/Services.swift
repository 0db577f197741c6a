// What features offer each other. Whoever implements it is nobody's business.

/// Somebody who shops.
public struct User: Sendable {
  public let name: String

  public init(name: String) {
    self.name = name
  }
}

/// Something that can be bought.
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
  /// Who is logged in.
  var current: User? { get async }
}

public protocol CatalogService: Sendable {
  func product(_ sku: String) -> Product?
}

public protocol CartService: Sendable {
  /// Adds a product and says how many there are.
  func add(_ sku: String) async -> Int
  func contents() async -> [String]
  /// Takes everything out.
  func empty() async
}

public protocol PaymentService: Sendable {
  func charge(_ user: User, cents: Int) async throws -> String
}

/// What somebody gets for the code on a coupon. Nobody need offer it: in this shop only a plug-in does.
public protocol CouponService: Sendable {
  func discount(for code: String) -> Discount?
}

/// Shows lines to a person. Of the main actor, like everything a person sees.
@MainActor public protocol Display: Sendable {
  func show(_ line: String)
}

public protocol Clock: Sendable {
  func now() -> String
}
