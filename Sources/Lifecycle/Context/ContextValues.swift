public import Registry

/// The name and type of a value in ``ContextValues``.
///
/// ```swift
/// extension ContextKey where Value == String {
///   public static var currency: Self { .init("shop.currency", default: "EUR") }
/// }
/// context.configuration[.currency] = "CHF"
/// ```
public struct ContextKey<Value: Sendable>: Sendable {
  /// The name under which files and environments give the value.
  public let name: String
  /// The value that a read returns if none is set.
  package let defaultValue: Value

  /// Creates a key. Keys of one name and different types are different keys.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }

  /// Creates a key whose value is nil until it is set.
  public init<Wrapped>(_ name: String) where Value == Wrapped? {
    self.init(name, default: nil)
  }
}

/// Values under typed keys, and values from files under names, which keys of these names read.
///
/// What was set under a key comes first, then what was given under its name if it can be had as the key's type
/// (``ConfigurationReadable``), then the key's default.
public struct ContextValues: Sendable, CustomStringConvertible {
  struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier

    init<Value>(_ key: ContextKey<Value>) {
      name = key.name
      type = ObjectIdentifier(Value.self)
    }
  }

  /// A value as it was set once: which one it is tells whether it was set again, also where values cannot be compared.
  final class Box: Sendable {
    let value: any Sendable

    init(_ value: any Sendable) {
      self.value = value
    }
  }

  private(set) var boxes: [Key: Box] = [:]
  private(set) var given: [String: PropertyValue] = [:]
  /// Where it is said that a given value is not what a key wants; the process' own if these are nobody's.
  var log: DiagnosticLog?

  public init() {}

  /// Makes values and fills them in: `ContextValues { $0[.currency] = "CHF" }`.
  public init(_ fill: (inout ContextValues) throws -> Void) rethrows {
    self.init()
    try fill(&self)
  }

  /// Makes values of what a file or an environment gives by name.
  public init(_ given: [String: PropertyValue]) {
    self.given = given
  }

  /// The value of a key, or its default.
  ///
  /// A given value that cannot be had as the key's type is reported (``Diagnostic/Code/configurationMismatch``), once, and the default
  /// holds; ``value(of:)`` throws instead.
  public subscript<Value>(key: ContextKey<Value>) -> Value {
    get {
      if let box = boxes[Key(key)] { return box.value as? Value ?? key.defaultValue }
      guard !given.isEmpty, let value = given[key.name] else { return key.defaultValue }
      do throws(ConfigurationMismatch) {
        return try value.read(as: Value.self)
      } catch {
        (log ?? Self.nobodysLog).report(error.diagnostic(key.name))
        return key.defaultValue
      }
    }
    set { boxes[Key(key)] = Box(newValue) }
  }

  private static let nobodysLog = DiagnosticLog(handler: Diagnostic.toStandardError)

  /// The value of a key, or its default.
  ///
  /// - Throws: ``ConfigurationMismatch`` if what was given under the key's name cannot be had as its type.
  public func value<Value>(of key: ContextKey<Value>) throws(ConfigurationMismatch) -> Value {
    if boxes[Key(key)] == nil, let value = given[key.name] {
      do throws(ConfigurationMismatch) {
        return try value.read(as: Value.self)
      } catch {
        throw error.within(key.name)
      }
    }
    return self[key]
  }

  /// What was given under a name from outside; nil if nothing was. Setting it forgets what was set under keys of that name.
  public subscript(named name: String) -> PropertyValue? {
    get { given[name] }
    set {
      given[name] = newValue
      for key in boxes.keys where key.name == name { boxes[key] = nil }
    }
  }

  /// Whether a value was set for the key, or given under its name.
  public func contains<Value>(_ key: ContextKey<Value>) -> Bool {
    boxes[Key(key)] != nil || given[key.name] != nil
  }

  /// Forgets a value, given ones of its name included, so that the default holds again.
  public mutating func remove<Value>(_ key: ContextKey<Value>) {
    boxes[Key(key)] = nil
    given[key.name] = nil
  }

  /// Takes over what others have, in place of what is here under the same names.
  public mutating func merge(_ other: ContextValues) {
    for (name, value) in other.given { self[named: name] = value }
    for (key, box) in other.boxes { boxes[key] = box }
  }

  /// The names under which there is something, in order.
  public var names: [String] { Set(boxes.keys.map(\.name)).union(given.keys).sorted() }

  /// A line for each value, by name.
  public var description: String {
    // A given value is no key's as long as one of that name was set.
    let set = Set(boxes.keys.map(\.name))
    let others = given.filter { !set.contains($0.key) }
    return (boxes.map { "\($0.key.name) = \($0.value.value)" } + others.map { "\($0.key) = \($0.value)" })
      .sorted().joined(separator: "\n")
  }
}
