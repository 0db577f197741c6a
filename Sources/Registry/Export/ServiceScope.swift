/// The lifetime of a service's instances.
///
/// A type that is exported for several services has one instance for each scope except
/// ``transient``, and another for each service with `separateInstance: true`.
@nonexhaustive public enum ServiceScope: Sendable, Hashable {
  /// A new instance for each lookup.
  case transient
  /// A single instance, which the first lookup creates and the manager keeps.
  case shared
  /// A single instance that lives while your code references it; only for classes and actors.
  case weak
  /// A single instance, which the manager keeps until the named cache is reset.
  ///
  /// Use it for state that ends before the process does, such as a session's state.
  /// ``ServiceManager/resetCache(_:)`` releases a cache's instances, and the next lookup of each
  /// service creates a new one. Lookups of these instances acquire a lock, unlike lookups of shared
  /// ones.
  case cached(String)
}

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

  /// Creates a scope from its spelling in a record; nil for an unknown spelling.
  package init?(recordText text: String) {
    let scope = [.transient, .shared, .weak].first { "\($0)" == text } ?? text.argument(of: "cached").map(Self.cached)
    guard let scope else { return nil }
    self = scope
  }
}

extension String {
  /// Returns the argument in a string such as `cached(session)`; nil if the form or name differs.
  package func argument(of name: String) -> String? {
    // Compare bytes, because the first character of the argument can combine with the parenthesis.
    let (text, start) = (Array(utf8), "\(name)(")
    let length = start.utf8.count
    guard text.begins(with: start), text.last == UInt8(ascii: ")"), text.count > length + 1 else { return nil }
    return String(decoding: text[length..<(text.count - 1)], as: UTF8.self)
  }
}
