// In its own file, because checks of Mach-O files compile the enumeration for Embedded Swift.

extension ServiceCondition: CustomStringConvertible {
  /// The condition as records spell it, such as `preview` or `flag(new-cart)`.
  public var description: String {
    switch self {
    case .debug: "debug"
    case .release: "release"
    case .preview: "preview"
    case .test: "test"
    case .flag(let name): "flag(\(name))"
    }
  }

  /// Creates a condition from its spelling in a record, or returns nil.
  package init?(recordText text: String) {
    switch text {
    case "debug": self = .debug
    case "release": self = .release
    case "preview": self = .preview
    case "test": self = .test
    default:
      guard let name = text.argument(of: "flag") else { return nil }
      self = .flag(name)
    }
  }
}
