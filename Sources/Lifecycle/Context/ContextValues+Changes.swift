internal import Registry

// The differences between two states of the configuration.

extension ContextValues {
  /// Returns the sorted names of the keys that were set, removed, or replaced in a later state.
  func names(changedIn new: ContextValues) -> [String] {
    var names: Set<String> = []
    for (key, box) in new.boxes where !Self.isSame(boxes[key], box) { names.add(key.name) }
    for key in boxes.keys where new.boxes[key] == nil { names.add(key.name) }
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
