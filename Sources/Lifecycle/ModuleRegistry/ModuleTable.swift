import Registry

/// A table of a manager's modules, for lookups by name.
///
/// A name doesn't identify a module. Two private types of one Swift module can share a name, and a
/// module has two names if its recorded name differs from its type's name. Almost every name refers
/// to exactly one module.
@MainActor package struct ModuleTable {
  /// All modules. Removing a module moves the last module to the removed module's index.
  package private(set) var all: [ModuleEntry] = []
  /// The first module with each recorded name.
  private var index = HashIndex()
  /// The modules that `index` lacks, by recorded name or by the type's name at run time.
  private var further: [String: [ModuleEntry]] = [:]

  var isEmpty: Bool { all.isEmpty }

  /// The recorded names, each once.
  var names: [String] {
    var names: [String] = []
    for entry in all where first(named: entry.hashedName) === entry { names.append(entry.name) }
    return names
  }

  mutating func reserveCapacity(_ capacity: Int) {
    all.reserveCapacity(capacity)
    index.reserveCapacity(capacity)
  }

  private func first(named name: HashedName) -> ModuleEntry? {
    var search = index.search(name.hash)
    while let position = index.next(&search) { if all[position].hashedName == name { return all[position] } }
    return nil
  }

  func any(named name: String) -> ModuleEntry? { first(named: HashedName(name)) ?? further[name]?.first }

  func others(named name: String) -> [ModuleEntry] {
    guard let others = further[name] else { return [] }
    return first(named: HashedName(name)) == nil ? Array(others.dropFirst()) : others
  }

  /// Returns whether a module has only one name and no other module has that name, which is true
  /// for most modules and fast to check.
  func isNew(_ entry: ModuleEntry) -> Bool {
    entry.alias == nil && first(named: entry.hashedName) == nil && (further.isEmpty || further[entry.name] == nil)
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
    if first(named: entry.hashedName) == nil {
      index.insert(entry.index, entry.hashedName.hash)
      return true
    }
    further[entry.name, default: []].append(entry)
    return false
  }

  /// Removes a module, and returns whether the table contained it.
  mutating func remove(_ entry: ModuleEntry) -> Bool {
    guard contains(entry) else { return false }
    let isFirst = first(named: entry.hashedName) === entry
    if isFirst { index.remove(entry.index, entry.hashedName.hash) }
    // Move the last module to the removed module's index, so that no other module moves.
    let last = all.removeLast()
    if last !== entry {
      index.move(last.index, to: entry.index, last.hashedName.hash)
      all[entry.index] = last
      last.index = entry.index
    }
    if !isFirst {
      removeFurther(entry, entry.name)
    } else if let next = further[entry.name]?.first(where: { $0.name == entry.name }) {
      removeFurther(next, next.name)
      index.insert(next.index, next.hashedName.hash)
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
