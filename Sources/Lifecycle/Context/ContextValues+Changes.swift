// What is different between two states of the configuration.

extension ContextValues {
  /// The names of keys that were set, removed or given another value in a later state, in order.
  func names(changedIn new: ContextValues) -> [String] {
    var names: Set<String> = []
    for (key, box) in new.boxes where !Self.isSame(boxes[key], box) { names.insert(key.name) }
    for key in boxes.keys where new.boxes[key] == nil { names.insert(key.name) }
    for (name, value) in new.given where given[name] != value { names.insert(name) }
    for name in given.keys where new.given[name] == nil { names.insert(name) }
    return names.sorted()
  }

  /// The values of a key before and after; nil if they are the same.
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

  /// Whether two values can be compared and are equal.
  private static func areEqual(_ a: any Sendable, _ b: any Sendable) -> Bool {
    func compare<Value: Equatable>(_ type: Value.Type) -> Bool {
      guard let a = a as? Value, let b = b as? Value else { return false }
      return a == b
    }
    // The type's conformance and not the value's: to cast an optional looks into it.
    guard let type = type(of: a) as? any Equatable.Type else { return false }
    return compare(type)
  }
}
