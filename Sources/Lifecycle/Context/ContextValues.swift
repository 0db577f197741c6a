public import Registry

/// The name, the type, and the default of a value in a context.
///
/// ```swift
/// extension ContextKey where Value == String {
///   public static var currency: Self { .init("shop.currency", default: "EUR") }
/// }
/// context.configuration[.currency] = "CHF"
/// ```
public struct ContextKey<Value: Sendable>: Sendable {
  /// The name that files and environments use for the value.
  public let name: String
  package let defaultValue: Value

  /// Creates a key. Keys with the same name and different types are different keys.
  public init(_ name: String, default defaultValue: Value) {
    assert(!name.isEmpty, "swift-section-registry: a context key needs a name, such as 'shop.currency'")
    self.name = name
    self.defaultValue = defaultValue
  }

  /// Creates a key whose default is nil.
  public init<Wrapped>(_ name: String) where Value == Wrapped? {
    self.init(name, default: nil)
  }

  /// Selected for a key without a default.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass 'default:', or make the value optional, so that it is nil until it is set")
  public init(_ name: String) { fatalError() }
}

/// Values that code reads with typed keys.
///
/// A value is either set under a key, or given under a name, usually by a file or environment. A
/// key's value is the first of these: the set value, the value given under the key's name if it can
/// be read as the key's type (see ``ConfigurationReadable``), and the key's default.
public struct ContextValues: Sendable, CustomStringConvertible {
  struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier

    init<Value>(_ key: ContextKey<Value>) {
      name = key.name
      type = ObjectIdentifier(Value.self)
    }
  }

  /// The storage of a set value. Its identity shows whether a value was set again, even if values
  /// can't be compared.
  final class Box: Sendable {
    let value: any Sendable

    init(_ value: any Sendable) {
      self.value = value
    }
  }

  private(set) var boxes: [Key: Box] = [:]
  package private(set) var given: [String: PropertyValue] = [:]
  var owner: ContextValuesOwner?

  /// Creates a collection without values.
  public init() {}

  /// Creates values with a closure that sets them.
  ///
  /// ```swift
  /// let launch = ContextValues { $0[.currency] = "CHF" }
  /// ```
  public init(_ fill: (inout ContextValues) throws -> Void) rethrows {
    self.init()
    try fill(&self)
  }

  /// Creates values that a file or the environment provides by name.
  public init(_ given: [String: PropertyValue]) {
    self.given = given
  }

  /// The value of a key, or its default.
  ///
  /// If the value is given but can't be read as the key's type, the result is the default, and the
  /// mismatch is reported once as `configuration-mismatch`. To handle it, use ``value(of:)``.
  public subscript<Value>(key: ContextKey<Value>) -> Value {
    get {
      do throws(ConfigurationMismatch) {
        return try value(of: key)
      } catch {
        report(error, key.name)
        return key.defaultValue
      }
    }
    set {
      owner?.record(key.name, Value.self, key.defaultValue, isRead: false)
      boxes[Key(key)] = Box(newValue)
    }
  }

  @inline(never)
  private func report(_ mismatch: ConfigurationMismatch, _ name: String) {
    let log = owner?.log ?? Self.nobodysLog
    onMainActor {
      log.report(
        .error, .configurationMismatch, name,
        "\(mismatch); the key has its default until the value is corrected in its source", always: false)
    }
  }

  private static let nobodysLog = DiagnosticLog(handler: Diagnostic.toStandardError)

  /// Returns the value of a key, or its default.
  ///
  /// - Throws: ``ConfigurationMismatch`` if no value is set, and the value given under the key's
  ///   name can't be read as the key's type.
  public func value<Value>(of key: ContextKey<Value>) throws(ConfigurationMismatch) -> Value {
    owner?.record(key.name, Value.self, key.defaultValue)
    if let box = boxes[Key(key)] { return box.value as? Value ?? key.defaultValue }
    guard !given.isEmpty, let value = given[key.name] else { return key.defaultValue }
    return try value.read(as: Value.self, at: key.name)
  }

  /// The value that was given under a name, or nil.
  ///
  /// Assigning a value, or nil, removes values that were set under keys with that name.
  public subscript(named name: String) -> PropertyValue? {
    get {
      owner?.record(name)
      return given[name]
    }
    set {
      given[name] = newValue
      for key in boxes.keys where key.name == name { boxes[key] = nil }
    }
  }

  /// Returns whether a value was set under a key or given under its name.
  public func contains<Value>(_ key: ContextKey<Value>) -> Bool {
    owner?.record(key.name)
    return hasValue(of: key)
  }

  func hasValue<Value>(of key: ContextKey<Value>) -> Bool { boxes[Key(key)] != nil || given[key.name] != nil }

  /// Removes both the set value and the given value of a key, so that the default applies.
  public mutating func remove<Value>(_ key: ContextKey<Value>) {
    boxes[Key(key)] = nil
    given[key.name] = nil
  }

  /// Adds the values of another collection. A set value replaces the value of its key, and a given
  /// value replaces all values with its name.
  public mutating func merge(_ other: ContextValues) {
    for (name, value) in other.given { self[named: name] = value }
    for (key, box) in other.boxes { boxes[key] = box }
  }

  /// The sorted names of all values.
  public var names: [String] {
    Set(of: boxes.keys.map(\.name) + given.keys).ordered(by: <)
  }

  /// The names and values, one pair per line, sorted.
  public var description: String {
    // A set value hides a given value with the same name.
    var set: Set<String> = []
    var lines: [String] = []
    for (key, box) in boxes {
      set.add(key.name)
      lines.append("\(key.name) = \(box.value)".escapedForDisplay(limit: .max))
    }
    for (name, value) in given where !set.contains(name) {
      lines.append("\(name.escapedForDisplay(limit: .max)) = \(value)")
    }
    return lines.ordered(by: <).joined(separator: "\n")
  }

  // MARK: - Differences between two states of the configuration

  func names(changedIn new: ContextValues) -> [String] {
    var names: Set<String> = []
    for (key, box) in new.boxes where !Self.isSame(boxes[key], box) { names.add(key.name) }
    for key in boxes.keys where new.boxes[key] == nil { names.add(key.name) }
    // Comparing all given values is five times faster than finding the differences.
    if given == new.given { return names.ordered(by: <) }
    for (name, value) in new.given where given[name] != value { names.add(name) }
    for name in given.keys where new.given[name] == nil { names.add(name) }
    return names.ordered(by: <)
  }

  func change<Value>(of key: ContextKey<Value>, in new: ContextValues) -> (old: Value, new: Value)? {
    let index = Key(key)
    if boxes[index] === new.boxes[index], given[key.name] == new.given[key.name] { return nil }
    let values = (old: self[key], new: new[key])
    return Self.areEqual(values.old, values.new) ? nil : values
  }

  private static func isSame(_ old: Box?, _ new: Box) -> Bool {
    guard let old else { return false }
    return old === new || areEqual(old.value, new.value)
  }

  /// Returns whether two values are equal; false if their type isn't `Equatable`.
  private static func areEqual(_ a: any Sendable, _ b: any Sendable) -> Bool {
    func compare<Value: Equatable>(_ type: Value.Type) -> Bool {
      guard let a = a as? Value, let b = b as? Value else { return false }
      return a == b
    }
    // Cast the type, not the value, because casting an optional value unwraps it.
    guard let type = type(of: a) as? any Equatable.Type else { return false }
    return compare(type)
  }
}

final class ContextValuesOwner: Sendable {
  let log: DiagnosticLog
  /// The uses of a setting's name in code, for reports.
  struct Use {
    /// The types of the keys, each with its default if the default has a standard type.
    var types: Set<String> = []
    var isRead = false
    /// A Boolean value that indicates whether an observer was added when the name had a value.
    var isObserved = false
  }

  #if DEBUG
  let uses = Locked<[String: Use]>([:])
  #endif

  /// Records the use of a name in debug builds.
  @inline(__always)
  func record(
    _ name: String, _ type: Any.Type? = nil, _ defaultValue: @autoclosure () -> Any = (), isRead: Bool = true,
    isObserved: Bool = false
  ) {
    #if DEBUG
    // Describe the default before locking, because the description can read other settings.
    let text = type.map { type in
      let defaultValue = defaultValue()
      return String(reflecting: type) + (defaultValue is any StandardSetting ? ", by default \(defaultValue)" : "")
    }
    uses.withLock { uses in
      var use = uses[name] ?? Use()
      // A computed default can differ for each use, so record only a few.
      if let text, use.types.count < 4 { use.types.add(text) }
      use.isRead = use.isRead || isRead
      use.isObserved = use.isObserved || isObserved
      uses[name] = use
    }
    #endif
  }

  init(_ log: DiagnosticLog) { self.log = log }
}

extension ContextValues {
  /// The uses of names in code; nil without an owner and in a release build, which records no uses.
  private var uses: [String: ContextValuesOwner.Use]? {
    #if DEBUG
    owner?.uses.withLock { $0 }
    #else
    nil
    #endif
  }

  /// The names of keys whose values were set; empty if uses aren't recorded.
  package var setNames: [String] { uses == nil ? [] : boxes.keys.map(\.name) }

  /// The names that had a value when an observer was added; empty if uses aren't recorded.
  package var observedNames: [String] { uses?.filter(\.value.isObserved).map(\.key) ?? [] }

  /// The names that count as read, with the types and defaults of their keys; nil if uses aren't
  /// recorded.
  package var reads: [String: [String]]? { uses?.filter(\.value.isRead).mapValues { $0.types.ordered(by: <) } }
}
