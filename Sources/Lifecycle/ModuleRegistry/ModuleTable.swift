import Registry

/// A table of a manager's modules, for lookups by name.
///
/// A name doesn't identify a module. Two private types of one Swift module can share a name, and a
/// module has two names if its recorded name differs from its type's name. Almost every name refers
/// to exactly one module.
@MainActor package struct ModuleTable {
  /// All modules. Removing a module moves the last module to the removed module's index.
  package private(set) var all: [ModuleEntry] = []
  /// The modules by recorded name.
  private var index = HashIndex()
  /// The modules whose type has another name at run time, by that name. Thousands of modules can
  /// share it.
  private var aliases: [String: [ModuleEntry]] = [:]

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
    index.first(name.hash) { all[$0].hashedName == name }.map { all[$0] }
  }

  func any(named name: String) -> ModuleEntry? { first(named: HashedName(name)) ?? aliases[name]?.first }

  /// Returns whether a module has only one name and no other module has that name, which is true
  /// for most modules and fast to check.
  func isNew(_ entry: ModuleEntry) -> Bool {
    entry.alias == nil && first(named: entry.hashedName) == nil && (aliases.isEmpty || aliases[entry.name] == nil)
  }

  package func all(named name: String) -> [ModuleEntry] {
    let name = HashedName(name)
    var found: [ModuleEntry] = []
    _ = index.first(name.hash) { position in
      if all[position].hashedName == name { found.append(all[position]) }
      return false
    }
    if !aliases.isEmpty { found += aliases[name.text] ?? [] }
    return found
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
    let isFirst = first(named: entry.hashedName) == nil
    entry.index = all.count
    all.append(entry)
    index.insert(entry.index, entry.hashedName.hash)
    if let alias = entry.alias {
      entry.aliasIndex = aliases[alias]?.count ?? 0
      aliases[alias, default: []].append(entry)
    }
    return isFirst
  }

  /// Removes a module, and returns whether the table contained it.
  mutating func remove(_ entry: ModuleEntry) -> Bool {
    guard contains(entry) else { return false }
    index.remove(entry.index, entry.hashedName.hash)
    // Move the last module to the removed module's index, so that no other module moves.
    let last = all.removeLast()
    if last !== entry {
      index.move(last.index, to: entry.index, last.hashedName.hash)
      all[entry.index] = last
      last.index = entry.index
    }
    guard let alias = entry.alias, let last = aliases[alias]?.removeLast() else { return true }
    if last !== entry {
      aliases[alias]?[entry.aliasIndex] = last
      last.aliasIndex = entry.aliasIndex
    } else if aliases[alias]?.isEmpty == true {
      aliases[alias] = nil
    }
    return true
  }
}
