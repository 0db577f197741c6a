/// The options of an exported implementation that few have, in separate memory.
///
/// The manager's lock guards the variables.
final class ExportOptions {
  /// A Boolean value that indicates whether the implementation shares its instance with no other
  /// service of its type.
  let hasSeparateInstance: Bool
  /// The name of the implementation that this one replaces.
  let replaces: String?
  /// The runtime's full name of the type that this one replaces, if it is given as a type.
  let replacedType: String?
  let condition: ServiceCondition?
  /// The build of the exporting module.
  private let build: ServiceCondition?
  /// A Boolean value that indicates whether the condition holds; nil before the first use.
  var isMet: Bool?
  /// The implementation that this one replaces.
  weak var replaced: ServiceEntry?
  /// A Boolean value that indicates whether the implementation has the position of the replaced
  /// one, because its own rank is lower.
  var isMoved = false

  /// Returns whether a record has one of the options.
  static func isNeeded(for attributes: ServiceAttributes) -> Bool {
    attributes.replaces != nil || attributes.replacesType != nil || attributes.condition != nil
      || attributes.separateInstance
  }

  /// Creates the options of a record.
  init(_ attributes: ServiceAttributes, _ accessor: RecordAccessor?) {
    // The text can lack the module, or be a type alias. The accessor returns the type.
    let key = accessor.flatMap { answer(of: $0, to: __ReplacedTypeRequest.self) }
    let type = attributes.replacesType == nil ? nil : key.map(serviceType)
    replacedType = type.map { _typeName($0) }
    replaces = type.map { recordName(of: $0) } ?? (attributes.replaces ?? attributes.replacesType)?.recordForm
    condition = attributes.condition
    build = attributes.build
    hasSeparateInstance = attributes.separateInstance
  }

  /// Creates the options of a contribution.
  init(condition: ServiceCondition, build: ServiceCondition?) {
    hasSeparateInstance = true
    replaces = nil
    replacedType = nil
    self.condition = condition
    self.build = build
  }

  init(copying other: ExportOptions) {
    replaces = other.replaces
    replacedType = other.replacedType
    condition = other.condition
    build = other.build
    hasSeparateInstance = other.hasSeparateInstance
  }

  /// Returns whether the implementation replaces one with a name and an identity.
  func replaces(_ implementation: String, identity: String) -> Bool {
    guard let replacedType else { return implementation == replaces || identity.recordForm == replaces }
    // The identity is the name if the record does not return the type.
    return identity == replacedType || identity == replaces
  }

  /// Returns whether the condition holds among those that hold in the process.
  func isMet(by conditions: Set<ServiceCondition>) -> Bool {
    guard let condition else { return true }
    return condition == build || conditions.contains(condition)
  }
}

/// The order of the implementations of one service, including those that replace others.
///
/// The implementations are ordered by rank, except that those that replace another one come
/// directly before it, in the order of their own ranks.
struct ReplacementOrder {
  private(set) var entries: [ServiceEntry] = []
  /// The implementation that each replaces.
  private(set) var replaced: [ObjectIdentifier: ServiceEntry] = [:]
  /// The implementations that have the position of the one that they replace.
  private(set) var moved: Set<ObjectIdentifier> = []
  /// The replacements that are ignored, because each implementation in a list replaces the next
  /// one, and the last one replaces the first.
  private(set) var cycles: [[ServiceEntry]] = []

  /// The identity of implementations that can be replaced. Several images can contain a class.
  private struct Key: Hashable {
    let name: String?
    /// The name of the implementation, or the runtime's full name of its type.
    let implementation: String
  }

  /// Creates the order of the implementations of one service, with any names.
  init(_ all: [ServiceEntry]) {
    let sorted = all.ordered { $0.rank < $1.rank }
    guard sorted.contains(where: { $0.options?.replaces != nil }) else {
      entries = sorted
      return
    }
    // Reading the name of an implementation parses its record. Its type is needed only if another
    // one replaces a type.
    let comparesTypes = sorted.contains { $0.options?.replacedType != nil }
    let keys = sorted.map {
      Key(name: $0.name, implementation: comparesTypes ? $0.identity : $0.implementation)
    }
    let first = Dictionary(zip(keys, sorted)) { first, _ in first }
    // A name that no record has can be the runtime's name of a type.
    let comparesNames =
      comparesTypes
      || sorted.contains { entry in
        entry.options?.replaces.map { first[Key(name: entry.name, implementation: $0)] == nil } == true
      }
    let names = comparesNames ? Self.names(sorted, keys) : [:]
    let targets = sorted.map { Self.target(of: $0, first, names) }
    let inCycles = findCycles(targets, keys, first)
    var replacers: [Key: [Int]] = [:]
    for (index, entry) in sorted.enumerated() {
      guard let key = targets[index], !inCycles.contains(keys[index]) else { continue }
      replacers[key, default: []].append(index)
      replaced[ObjectIdentifier(entry)] = first[key]
    }
    var isVisited = [Bool](repeating: false, count: sorted.count)
    for root in sorted.indices where !isVisited[root] {
      // The stack is explicit, because records can form a chain of any length. An implementation
      // is appended when those that replace it have been.
      var stack = [(index: root, isExpanded: false)]
      isVisited[root] = true
      while let top = stack.last {
        if top.isExpanded {
          entries.append(sorted[top.index])
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].isExpanded = true
        for index in (replacers[keys[top.index]] ?? []).reversed() where !isVisited[index] {
          isVisited[index] = true
          moved.add(ObjectIdentifier(sorted[index]))
          stack.append((index, false))
        }
      }
    }
  }

  /// Returns the key of the implementation that another one replaces, or nil.
  ///
  /// If no implementation has the type, its name decides, because the accessors of older records do
  /// not return the type.
  private static func target(of entry: ServiceEntry, _ first: [Key: ServiceEntry], _ names: [Key: Key]) -> Key? {
    guard let options = entry.options, let replaced = options.replaces else { return nil }
    let named = Key(name: entry.name, implementation: replaced)
    guard let type = options.replacedType else { return names[named] ?? named }
    let typed = Key(name: entry.name, implementation: type)
    return first[typed] == nil ? named : typed
  }

  /// Returns the keys of implementations by their names: those in records, and the runtime's names of
  /// their types, which can differ.
  private static func names(_ sorted: [ServiceEntry], _ keys: [Key]) -> [Key: Key] {
    let recorded = sorted.map { Key(name: $0.name, implementation: $0.implementation) }
    let runtime = sorted.map { Key(name: $0.name, implementation: $0.identity.recordForm) }
    return Dictionary(zip(recorded + runtime, keys + keys)) { first, _ in first }
  }

  /// Finds the implementations that replace each other.
  ///
  /// - Returns: Their keys.
  private mutating func findCycles(
    _ replaced: [Key?], _ keys: [Key], _ first: [Key: ServiceEntry]
  ) -> Set<Key> {
    var targets: [Key: Key] = [:]
    for (key, target) in zip(keys, replaced) where targets[key] == nil { targets[key] = target }
    var visited: Set<Key> = []
    var inCycles: Set<Key> = []
    for start in keys where targets[start] != nil && !visited.contains(start) {
      var path: [Key] = []
      var next: Key? = start
      while let key = next, visited.add(key) {
        path.append(key)
        next = targets[key]
      }
      // The path ends at a key that was visited before. It is on this path if there is a cycle.
      guard let next, let index = path.firstIndex(of: next) else { continue }
      let cycle = path[index...]
      for key in cycle { inCycles.add(key) }
      // The lists contain implementations, because each key of a cycle has a target.
      cycles.append(cycle.compactMap { first[$0] })
    }
    return inCycles
  }

  /// The reports of replacements that are ignored.
  var diagnostics: [Diagnostic] {
    cycles.map { cycle in
      let first = cycle[0]
      guard cycle.count > 1 else {
        return Diagnostic(
          severity: .warning, code: .replacesItself, subject: first.service, image: first.image,
          message: "\(first.label) replaces itself, which has no effect; remove it from 'replaces'")
      }
      let steps = (cycle + [first]).map(\.label).joined(separator: " → ")
      return Diagnostic(
        severity: .warning, code: .replacementCycle, subject: first.service, image: first.image,
        message: "implementations replace each other: \(steps); their 'replaces' has no effect, so remove one of them")
    }
  }
}

extension ServiceEntry {
  /// Returns whether the implementation replaces another one, directly or through others.
  private func replaces(_ other: ServiceEntry) -> Bool {
    guard var next = options?.replaced else { return false }
    let identity = other.identity
    while next.identity != identity {
      guard let following = next.options?.replaced else { return false }
      next = following
    }
    return true
  }

  /// The implementations whose position this one has, and the implementation itself, in the order
  /// of replacement.
  private var positions: [ServiceEntry] {
    sequence(first: self) { $0.options?.isMoved == true ? $0.options?.replaced : nil }.reversed()
  }

  /// Returns the two implementations whose ranks decide that this one precedes another, or nil if
  /// it replaces the other one.
  func decisive(before other: ServiceEntry) -> (ServiceEntry, ServiceEntry)? {
    // Most implementations replace no others.
    if options == nil, other.options == nil { return (self, other) }
    return replaces(other) ? nil : zip(positions, other.positions).first { $0 !== $1 }
  }
}
