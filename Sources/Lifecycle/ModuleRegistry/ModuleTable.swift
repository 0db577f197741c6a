import Registry

/// The modules of a manager, found by the names that refer to them.
///
/// The identity of a module is its type. A name is a label: two private types of one Swift module
/// can have the same name, and a module that is known by another name than its type's has two. A
/// name therefore refers to any number of modules, almost always to one.
@MainActor struct ModuleTable {
  /// All modules, in the order in which they were added until one is removed.
  private(set) var all: [ModuleEntry] = []
  /// The first module of each recorded name.
  private var first: [String: ModuleEntry] = [:]
  /// The further modules of recorded names that several modules share.
  private var further: [String: [ModuleEntry]] = [:]
  /// The modules by the names that their types have at run time, where the record has another one.
  private var aliases: [String: [ModuleEntry]] = [:]

  init() {}

  init(_ entries: some Sequence<ModuleEntry>) {
    for entry in entries { insert(entry) }
  }

  var isEmpty: Bool { all.isEmpty }

  /// The recorded names, each once.
  var names: some Collection<String> { first.keys }

  mutating func reserveCapacity(_ capacity: Int) {
    all.reserveCapacity(capacity)
    first.reserveCapacity(capacity)
  }

  /// Returns one of the modules that a name refers to, or nil.
  func any(named name: String) -> ModuleEntry? { first[name] ?? aliases[name]?.first }

  /// Returns the other modules that a name refers to.
  ///
  /// See ``any(named:)``.
  func others(named name: String) -> [ModuleEntry] {
    if further.isEmpty, aliases.isEmpty { return [] }
    let aliased = aliases[name] ?? []
    return first[name] == nil ? Array(aliased.dropFirst()) : (further[name] ?? []) + aliased
  }

  /// Returns the modules that a name refers to.
  func all(named name: String) -> [ModuleEntry] {
    guard let any = any(named: name) else { return [] }
    return [any] + others(named: name)
  }

  /// Returns the modules that a name from outside refers to.
  ///
  /// `String(reflecting:)` distinguishes private types with the same name.
  func described(by text: String) -> [ModuleEntry] {
    let name = text.recordForm
    let all = self.all(named: name)
    guard name != text, text.describesPrivateType else { return all }
    return all.filter { entry in entry.identity.map { _typeName($0) == text } ?? true }
  }

  func contains(_ entry: ModuleEntry) -> Bool {
    all.indices.contains(entry.index) && all[entry.index] === entry
  }

  /// Adds a module.
  ///
  /// - Returns: `true` if no other module has its name.
  @discardableResult mutating func insert(_ entry: ModuleEntry) -> Bool {
    entry.index = all.count
    all.append(entry)
    if let alias = entry.alias {
      entry.aliasIndex = aliases[alias]?.count ?? 0
      aliases[alias, default: []].append(entry)
    }
    // Most names are new, so a new name costs a single lookup.
    guard let other = first.updateValue(entry, forKey: entry.name) else { return true }
    first[entry.name] = other
    further[entry.name, default: []].append(entry)
    return false
  }

  /// Removes a module.
  ///
  /// - Returns: `true` if the table contained it.
  mutating func remove(_ entry: ModuleEntry) -> Bool {
    guard contains(entry) else { return false }
    // Move the last module to the index of the removed one, so that no other module moves.
    let last = all.removeLast()
    if last !== entry {
      all[entry.index] = last
      last.index = entry.index
    }
    var sharers = further.removeValue(forKey: entry.name) ?? []
    if first[entry.name] === entry {
      first[entry.name] = sharers.isEmpty ? nil : sharers.removeFirst()
    } else {
      sharers = Self.without(entry, sharers)
    }
    if !sharers.isEmpty { further[entry.name] = sharers }
    // A class can have thousands of modules, so its last module takes the place as well.
    if let alias = entry.alias, let last = aliases[alias]?.removeLast() {
      if last !== entry {
        aliases[alias]?[entry.aliasIndex] = last
        last.aliasIndex = entry.aliasIndex
      } else if aliases[alias]?.isEmpty == true {
        aliases[alias] = nil
      }
    }
    return true
  }

  // The function uses a loop instead of a closure, because a closure that isolated code passes to
  // the standard library checks the executor at run time.
  private static func without(_ entry: ModuleEntry, _ entries: [ModuleEntry]) -> [ModuleEntry] {
    var rest: [ModuleEntry] = []
    for other in entries where other !== entry { rest.append(other) }
    return rest
  }
}
