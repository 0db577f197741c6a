import ShopAPI

enum Points {
  /// One for every whole unit of money.
  static func earned(by order: Order) -> Int { order.cents / 100 }
}
