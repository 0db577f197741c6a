import ShopAPI

enum Points {
  /// Returns the points for an order, which are one for every whole unit of money.
  static func earned(by order: Order) -> Int { order.cents / 100 }
}
