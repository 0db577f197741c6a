// In a file of its own, because the checks of Mach-O files compile the enumeration for Embedded
// Swift.

extension ServiceScope: CustomStringConvertible {
  /// The scope as records spell it, such as `shared` or `cached(session)`.
  public var description: String {
    switch self {
    case .transient: "transient"
    case .shared: "shared"
    case .weak: "weak"
    case .cached(let cache): "cached(\(cache))"
    }
  }

  /// Creates a scope from its spelling in a record; nil if there is no such scope.
  package init?(recordText text: String) {
    switch text {
    case "transient": self = .transient
    case "shared": self = .shared
    case "weak": self = .weak
    default:
      guard let name = text.argument(of: "cached") else { return nil }
      self = .cached(name)
    }
  }
}

extension String {
  /// Returns the argument in a text such as `cached(session)`; nil if there is none, or if the text
  /// has another form.
  func argument(of name: String) -> String? {
    // Compare bytes, because the first character of the argument can combine with the parenthesis.
    let start = "\(name)("
    guard utf8.begins(with: start), utf8.last == UInt8(ascii: ")"), utf8.count > start.utf8.count + 1 else {
      return nil
    }
    return String(decoding: utf8.dropFirst(start.utf8.count).dropLast(), as: UTF8.self)
  }
}
