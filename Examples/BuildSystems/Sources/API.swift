public import Registry

extension ContributionPoint<[@convention(c) @Sendable () -> CInt]> {
  /// The prices of a café. C features contribute to it, too.
  public static var prices: Self { .init("cafe.prices", cType: "price_function") }
}
