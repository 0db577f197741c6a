import ShopAPI

enum Points {
  /// Two percent, in cents.
  static func worth(of order: Order) -> Int { order.cents / 50 }
}
