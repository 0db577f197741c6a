/// The modules of a manager, found by the names that refer to them.
///
/// The identity of a module is its type. A name is a label: two private types of one Swift module
/// can have the same name, and a module that is known by another name than its type's has two. A
/// name therefore refers to any number of modules, almost always to one.
@MainActor struct ModuleTable {
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

  var isEmpty: Bool { first.isEmpty }

  /// The recorded names, each once.
  var names: some Collection<String> { first.keys }

  /// All modules, in no order.
  var all: [ModuleEntry] {
    further.isEmpty ? Array(first.values) : Array(first.values) + further.values.joined()
  }

  mutating func reserveCapacity(_ capacity: Int) { first.reserveCapacity(capacity) }

  /// Returns a module that a name refers to; those that ``others(named:)`` returns come on top of
  /// it.
  func any(named name: String) -> ModuleEntry? { first[name] ?? aliases[name]?.first }

  /// Returns the modules that a name refers to besides the one that ``any(named:)`` returns.
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

  func contains(_ entry: ModuleEntry) -> Bool {
    guard let first = first[entry.name] else { return false }
    if first === entry { return true }
    for other in further[entry.name] ?? [] where other === entry { return true }
    return false
  }

  /// Adds a module.
  ///
  /// - Returns: Whether no other module has its name.
  @discardableResult mutating func insert(_ entry: ModuleEntry) -> Bool {
    if let alias = entry.alias { aliases[alias, default: []].append(entry) }
    // Names that are new are the rule, so they are looked up once.
    guard let other = first.updateValue(entry, forKey: entry.name) else { return true }
    first[entry.name] = other
    further[entry.name, default: []].append(entry)
    return false
  }

  /// Removes a module.
  ///
  /// - Returns: Whether the table contained it.
  mutating func remove(_ entry: ModuleEntry) -> Bool {
    guard contains(entry) else { return false }
    var sharers = further.removeValue(forKey: entry.name) ?? []
    if first[entry.name] === entry {
      first[entry.name] = sharers.isEmpty ? nil : sharers.removeFirst()
    } else {
      sharers = Self.without(entry, sharers)
    }
    if !sharers.isEmpty { further[entry.name] = sharers }
    if let alias = entry.alias, let aliased = aliases.removeValue(forKey: alias) {
      let rest = Self.without(entry, aliased)
      if !rest.isEmpty { aliases[alias] = rest }
    }
    return true
  }

  // A loop and not a closure: each that is handed to the standard library asks at run time whether
  // it is on the main actor.
  private static func without(_ entry: ModuleEntry, _ entries: [ModuleEntry]) -> [ModuleEntry] {
    var rest: [ModuleEntry] = []
    for other in entries where other !== entry { rest.append(other) }
    return rest
  }
}
