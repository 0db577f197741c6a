import Registry

/// A table of a manager's modules, for lookups by name.
///
/// A name doesn't identify a module. Two private types of one Swift module can share a name, and a
/// module has two names if its recorded name differs from its type's name. Almost every name refers
/// to exactly one module.
@MainActor package struct ModuleTable {
  /// All modules. Removing a module moves the last module to the removed module's index.
  package private(set) var all: [ModuleEntry] = []
  private var first: [HashedName: ModuleEntry] = [:]
  /// The modules that `first` lacks, by recorded name or by the type's name at run time.
  private var further: [String: [ModuleEntry]] = [:]

  var isEmpty: Bool { all.isEmpty }

  var names: [String] { first.keys.map(\.text) }

  mutating func reserveCapacity(_ capacity: Int) {
    all.reserveCapacity(capacity)
    first.reserveCapacity(capacity)
  }

  func any(named name: String) -> ModuleEntry? { first[HashedName(name)] ?? further[name]?.first }

  func others(named name: String) -> [ModuleEntry] {
    guard let others = further[name] else { return [] }
    return first[HashedName(name)] == nil ? Array(others.dropFirst()) : others
  }

  /// Returns whether a module has only one name and no other module has that name, which is true
  /// for most modules and fast to check.
  func isNew(_ entry: ModuleEntry) -> Bool {
    entry.alias == nil && first[entry.hashedName] == nil && (further.isEmpty || further[entry.name] == nil)
  }

  package func all(named name: String) -> [ModuleEntry] {
    guard let any = any(named: name) else { return [] }
    return [any] + others(named: name)
  }

  /// Returns the modules that a caller's text refers to. Text from `String(reflecting:)`
  /// distinguishes private types with the same name.
  func described(by text: String) -> [ModuleEntry] {
    let name = text.recordForm
    let all = self.all(named: name)
    guard name != text, text.describesPrivateType else { return all }
    return all.filter { entry in entry.identity.map { _typeName($0) == text } ?? true }
  }

  func contains(_ entry: ModuleEntry) -> Bool {
    all.indices.contains(entry.index) && all[entry.index] === entry
  }

  /// Adds a module, and returns whether no other module has its name, apart from aliases.
  @discardableResult mutating func insert(_ entry: ModuleEntry) -> Bool {
    entry.index = all.count
    all.append(entry)
    if let alias = entry.alias {
      entry.aliasIndex = further[alias]?.count ?? 0
      further[alias, default: []].append(entry)
    }
    // Insert before checking, so that a new name, the usual case, costs a single lookup.
    guard let other = first.updateValue(entry, forKey: entry.hashedName) else { return true }
    first[entry.hashedName] = other
    further[entry.name, default: []].append(entry)
    return false
  }

  /// Removes a module, and returns whether the table contained it.
  mutating func remove(_ entry: ModuleEntry) -> Bool {
    guard contains(entry) else { return false }
    // Move the last module to the removed module's index, so that no other module moves.
    let last = all.removeLast()
    if last !== entry {
      all[entry.index] = last
      last.index = entry.index
    }
    let name = entry.hashedName
    if first[name] === entry {
      first[name] = further[entry.name]?.first { $0.name == entry.name }
      if let next = first[name] { removeFurther(next, next.name) }
    } else {
      removeFurther(entry, entry.name)
    }
    if let alias = entry.alias { removeFurther(entry, alias) }
    return true
  }

  /// Removes a module from `further`, in O(1) for an alias, which thousands of modules can share.
  private mutating func removeFurther(_ entry: ModuleEntry, _ name: String) {
    let index = entry.alias == name ? entry.aliasIndex : further[name]?.firstIndex { $0 === entry }
    guard let index, let last = further[name]?.removeLast() else { return }
    if last !== entry {
      further[name]?[index] = last
      if last.alias == name { last.aliasIndex = index }
    } else if further[name]?.isEmpty == true {
      further[name] = nil
    }
  }
}
