/// The name and type of a value in ``ContextValues``.
///
/// ```swift
/// extension ContextKey where Value == String {
///   public static var currency: Self { .init("shop.currency", default: "EUR") }
/// }
/// context.configuration[.currency] = "CHF"
/// ```
public struct ContextKey<Value: Sendable>: Sendable {
  public let name: String
  public let defaultValue: Value

  /// Makes a key. Keys of one name and different types are different keys.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }

  /// Makes a key whose value is nil until it is set.
  public init<Wrapped>(_ name: String) where Value == Wrapped? {
    self.init(name, default: nil)
  }
}

/// Values under typed keys.
public struct ContextValues: Sendable, CustomStringConvertible {
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  private var values: [Key: any Sendable] = [:]

  public init() {}

  /// Makes values and fills them in: `ContextValues { $0[.currency] = "CHF" }`.
  public init(_ fill: (inout ContextValues) throws -> Void) rethrows {
    self.init()
    try fill(&self)
  }

  /// The value of a key, or its default.
  public subscript<Value>(key: ContextKey<Value>) -> Value {
    get { values[Key(name: key.name, type: ObjectIdentifier(Value.self))] as? Value ?? key.defaultValue }
    set { values[Key(name: key.name, type: ObjectIdentifier(Value.self))] = newValue }
  }

  /// Whether a value was set for the key.
  public func contains<Value>(_ key: ContextKey<Value>) -> Bool {
    values[Key(name: key.name, type: ObjectIdentifier(Value.self))] != nil
  }

  /// Forgets a value, so that the default holds again.
  public mutating func remove<Value>(_ key: ContextKey<Value>) {
    values[Key(name: key.name, type: ObjectIdentifier(Value.self))] = nil
  }

  /// A line for each value, by name.
  public var description: String {
    values.map { "\($0.key.name) = \($0.value)" }.sorted().joined(separator: "\n")
  }
}
