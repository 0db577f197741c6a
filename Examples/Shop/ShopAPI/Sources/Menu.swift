public import Registry

// The shop's menu, to which any feature or plug-in can contribute.

/// An entry of the menu, which opens a screen by its link.
public struct MenuItem: Sendable {
  public let title: String
  public let link: String

  public init(_ title: String, _ link: String) {
    self.title = title
    self.link = link
  }
}

extension ContributionPoint<[MenuItem]> {
  /// The menu. The entries with the highest priority come first.
  public static var menu: Self { .init("shop.menu") }
}
