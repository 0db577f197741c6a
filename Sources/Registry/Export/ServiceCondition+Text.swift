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

  /// Creates a condition from its spelling in a record; nil for an unknown spelling.
  package init?(recordText text: String) {
    let known = [Self.debug, .release, .preview, .test]
    guard let condition = known.first(where: { "\($0)" == text }) ?? text.argument(of: "flag").map(Self.flag) else {
      return nil
    }
    self = condition
  }
}
