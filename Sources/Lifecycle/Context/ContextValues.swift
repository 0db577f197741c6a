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
  /// The name under which files and environments give the value.
  public let name: String
  /// The value that a read returns if none is set.
  package let defaultValue: Value

  /// Creates a key. Keys with the same name and different types are different keys.
  public init(_ name: String, default defaultValue: Value) {
    self.name = name
    self.defaultValue = defaultValue
  }

  /// Creates a key whose value is nil until it is set.
  public init<Wrapped>(_ name: String) where Value == Wrapped? {
    self.init(name, default: nil)
  }
}

/// Values that are read by typed keys.
///
/// A value is either set under a key, or given under a name by a file or the environment. The value
/// of a key is the value that was set. Otherwise, it is the value that was given under the key's
/// name, if that can be read as the key's type; see ``ConfigurationReadable``. Otherwise, it is the
/// key's default.
public struct ContextValues: Sendable, CustomStringConvertible {
  struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier

    init<Value>(_ key: ContextKey<Value>) {
      name = key.name
      type = ObjectIdentifier(Value.self)
    }
  }

  /// The storage of a value that was set. Its identity shows whether a value was set again, even if
  /// values cannot be compared.
  final class Box: Sendable {
    let value: any Sendable

    init(_ value: any Sendable) {
      self.value = value
    }
  }

  private(set) var boxes: [Key: Box] = [:]
  package private(set) var given: [String: PropertyValue] = [:]
  /// The context that the values belong to, or nil.
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

  /// Creates values that a file or an environment gives by name.
  public init(_ given: [String: PropertyValue]) {
    self.given = given
  }

  /// The value of a key, or its default.
  ///
  /// If the given value cannot be read as the key's type, the result is the default. The mismatch
  /// is reported once, as `configuration-mismatch`. To handle it, use
  /// ``value(of:)``.
  public subscript<Value>(key: ContextKey<Value>) -> Value {
    get {
      do throws(ConfigurationMismatch) {
        return try value(of: key)
      } catch {
        (owner?.log ?? Self.nobodysLog).report(
          .error, .configurationMismatch, key.name,
          "\(error); the key has its default until the value is corrected in its source", always: false)
        return key.defaultValue
      }
    }
    set { boxes[Key(key)] = Box(newValue) }
  }

  private static let nobodysLog = DiagnosticLog(handler: Diagnostic.toStandardError)

  /// Returns the value of a key, or its default.
  ///
  /// - Throws: ``ConfigurationMismatch`` if the value that was given under the key's name cannot be
  ///   read as its type.
  public func value<Value>(of key: ContextKey<Value>) throws(ConfigurationMismatch) -> Value {
    #if DEBUG
    owner?.record(key.name, Value.self, key.defaultValue)
    #endif
    if let box = boxes[Key(key)] { return box.value as? Value ?? key.defaultValue }
    guard !given.isEmpty, let value = given[key.name] else { return key.defaultValue }
    return try value.read(as: Value.self, at: key.name)
  }

  /// The value that was given under a name, or nil.
  ///
  /// Assigning a value removes the values that were set under keys of that name.
  public subscript(named name: String) -> PropertyValue? {
    get {
      #if DEBUG
      owner?.record(name)
      #endif
      return given[name]
    }
    set {
      given[name] = newValue
      for key in boxes.keys where key.name == name { boxes[key] = nil }
    }
  }

  /// Returns whether a value was set under a key or given under its name.
  public func contains<Value>(_ key: ContextKey<Value>) -> Bool {
    #if DEBUG
    owner?.record(key.name)
    #endif
    return boxes[Key(key)] != nil || given[key.name] != nil
  }

  /// Removes the value of a key and the one given under its name, so that the default applies.
  public mutating func remove<Value>(_ key: ContextKey<Value>) {
    boxes[Key(key)] = nil
    given[key.name] = nil
  }

  /// Copies other values, which replace those with the same names.
  public mutating func merge(_ other: ContextValues) {
    for (name, value) in other.given { self[named: name] = value }
    for (key, box) in other.boxes { boxes[key] = box }
  }

  /// The sorted names of all values.
  public var names: [String] {
    var names: Set<String> = []
    for key in boxes.keys { names.add(key.name) }
    for name in given.keys { names.add(name) }
    return names.ordered(by: <)
  }

  /// The names and values in sorted lines.
  public var description: String {
    // A given value does not count if a value was set under a key of the same name.
    var set: Set<String> = []
    var lines: [String] = []
    for (key, box) in boxes {
      set.add(key.name)
      lines.append("\(key.name) = \(box.value)")
    }
    for (name, value) in given where !set.contains(name) { lines.append("\(name) = \(value)") }
    return lines.ordered(by: <).joined(separator: "\n")
  }

  // MARK: - Differences between two states of the configuration

  /// Returns the sorted names of the keys that were set, removed, or replaced in a later state.
  func names(changedIn new: ContextValues) -> [String] {
    var names: Set<String> = []
    for (key, box) in new.boxes where !Self.isSame(boxes[key], box) { names.add(key.name) }
    for key in boxes.keys where new.boxes[key] == nil { names.add(key.name) }
    // One comparison of all given values costs a fifth of the searches for those that differ.
    if given == new.given { return names.ordered(by: <) }
    for (name, value) in new.given where given[name] != value { names.add(name) }
    for name in given.keys where new.given[name] == nil { names.add(name) }
    return names.ordered(by: <)
  }

  /// Returns the values of a key in this and in a later state, or nil if they are the same.
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

  /// Returns whether two values are equal. Values of a type that is not `Equatable` are not.
  private static func areEqual(_ a: any Sendable, _ b: any Sendable) -> Bool {
    func compare<Value: Equatable>(_ type: Value.Type) -> Bool {
      guard let a = a as? Value, let b = b as? Value else { return false }
      return a == b
    }
    // Cast the type and not the value, because a cast of an optional value looks into the optional.
    guard let type = type(of: a) as? any Equatable.Type else { return false }
    return compare(type)
  }
}

/// The context that values belong to.
final class ContextValuesOwner: Sendable {
  /// The log that receives given values of the wrong type.
  let log: DiagnosticLog
  #if DEBUG
  /// The names that code has read, and the types of their keys with plain defaults, for reports.
  let reads = Locked<[String: Set<String>]>([:])

  func record(_ name: String, _ type: Any.Type? = nil, _ defaultValue: Any = ()) {
    reads.withLock { reads in
      var types = reads[name] ?? []
      // A default can be computed for each read, so only a few are recorded.
      if let type, types.count < 4 {
        let text = defaultValue is any StandardSetting ? ", by default \(defaultValue)" : ""
        types.add("\(String(reflecting: type))\(text)")
      }
      reads[name] = types
    }
  }
  #endif

  init(_ log: DiagnosticLog) { self.log = log }
}

extension ContextValues {
  /// The names of the keys under which values were set; empty in a release build.
  package var setNames: [String] {
    #if DEBUG
    boxes.keys.map(\.name)
    #else
    []
    #endif
  }

  /// The names that code has read, each with the types of its keys; nil in a release build, which
  /// does not record them.
  package var reads: [String: [String]]? {
    #if DEBUG
    owner?.reads.withLock { $0 }.mapValues { $0.ordered(by: <) }
    #else
    nil
    #endif
  }
}
