import ShopAPI

enum Points {
  /// Returns the points for an order: one for each whole unit of currency.
  static func earned(by order: Order) -> Int { order.cents / 100 }
}
