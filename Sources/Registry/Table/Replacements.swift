/// Options that few exported implementations have, stored separately to save memory. The manager's
/// lock guards the variables.
package final class ExportOptions {
  /// A Boolean value that indicates whether no other service of the type shares the instance.
  let hasSeparateInstance: Bool
  package let replaces: String?
  /// The runtime's full name for the replaced type; nil if the record gives only a name.
  let replacedType: String?
  package let condition: ServiceCondition?
  private let build: ServiceCondition?
  var isMet: Bool?
  package internal(set) weak var replaced: ServiceEntry?
  /// A Boolean value that indicates whether this implementation was moved before its target.
  var isMoved = false

  // Not a failable initializer, which would allocate the object before it returned nil.
  static func isNeeded(for attributes: ServiceAttributes) -> Bool {
    attributes.replaces != nil || attributes.replacesType != nil || attributes.condition != nil
      || attributes.separateInstance
  }

  init(_ attributes: ServiceAttributes, _ accessor: RecordAccessor?) {
    // The record's text can be a type alias or omit the module, so ask the accessor for the type.
    let key = accessor.flatMap { answer(of: $0, to: __ReplacedTypeRequest.self) }
    let type = attributes.replacesType == nil ? nil : key.map(serviceType)
    replacedType = type.map { _typeName($0) }
    replaces = type.map { recordName(of: $0) } ?? (attributes.replaces ?? attributes.replacesType)?.recordForm
    condition = attributes.condition
    build = attributes.build
    hasSeparateInstance = attributes.separateInstance
  }

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

  package func replaces(_ implementation: String, identity: String) -> Bool {
    guard let replacedType else { return implementation == replaces || identity.recordForm == replaces }
    // If an accessor doesn't return the exported type, the identity is the name in the record.
    return identity == replacedType || identity == replaces
  }

  func isMet(by conditions: Set<ServiceCondition>) -> Bool {
    guard let condition else { return true }
    return condition == build || conditions.contains(condition)
  }
}

/// The order of the implementations of one service, including replacements.
///
/// Implementations are ordered by rank, except that a replacement that would follow its target is
/// moved directly before the target. Replacements of the same target keep the order of their ranks.
/// Creating an order also updates `replaced` and `isMoved` in the implementations' options.
package struct ReplacementOrder {
  package private(set) var entries: [ServiceEntry]
  /// The cycles of implementations that each replace the next. These replacements have no effect.
  private var cycles: [[ServiceEntry]] = []

  package init(_ all: [ServiceEntry]) {
    entries = all.ordered { $0.rank < $1.rank }
    guard entries.contains(where: { $0.options?.replaces != nil }) else { return }
    let sorted = entries
    let (own, targets) = Self.targets(of: sorted)
    let inCycles = findCycles(sorted, own, targets)
    var replacers = [[Int]](repeating: [], count: sorted.count)
    for (index, entry) in sorted.enumerated() {
      let target = inCycles[own[index]] ? nil : targets[index]
      if let target { replacers[target].append(index) }
      entry.options?.replaced = target.map { sorted[$0] }
      entry.options?.isMoved = false
    }
    entries = []
    var isVisited = [Bool](repeating: false, count: sorted.count)
    for root in sorted.indices where !isVisited[root] {
      // Append each implementation after its replacements. Don't recurse, because a chain of
      // replacements can have any length.
      var stack = [root]
      isVisited[root] = true
      while let top = stack.last {
        let next = replacers[top].filter { !isVisited[$0] }
        if next.isEmpty { entries.append(sorted[stack.removeLast()]) }
        for index in next.reversed() {
          isVisited[index] = true
          sorted[index].options?.isMoved = true
          stack.append(index)
        }
      }
    }
  }

  /// Finds what each implementation replaces.
  ///
  /// Several images can contain the same type, so the first implementation with a given name and
  /// type represents the others. If `replaces` gives a type that no implementation has, the type's
  /// name is compared, because the accessors of older records don't return the exported type.
  ///
  /// - Returns: For each implementation, the index of the first implementation with the same name
  ///   and type, and the index of the target.
  private static func targets(of sorted: [ServiceEntry]) -> (own: [Int], targets: [Int?]) {
    var types: [[String?]: Int] = [:]
    var names: [[String?]: Int] = [:]
    func add(_ index: Int, _ text: String, to indices: inout [[String?]: Int]) -> Int {
      let key = [sorted[index].name, text]
      if let first = indices[key] { return first }
      indices[key] = index
      return index
    }
    var own: [Int] = []
    for (index, entry) in sorted.enumerated() {
      let identity = entry.identity
      // The record's name for the type can differ from the runtime's.
      _ = add(index, entry.implementation, to: &names)
      _ = add(index, identity.recordForm, to: &names)
      own.append(add(index, identity, to: &types))
    }
    var targets: [Int?] = []
    for entry in sorted {
      var target: Int?
      if let options = entry.options, let replaced = options.replaces {
        let type = options.replacedType
        if let type { target = types[[entry.name, type]] }
        target = target ?? (type == nil ? names : types)[[entry.name, replaced]]
      }
      targets.append(target.map { own[$0] })
    }
    return (own, targets)
  }

  private mutating func findCycles(_ sorted: [ServiceEntry], _ own: [Int], _ targets: [Int?]) -> [Bool] {
    var inCycles = [Bool](repeating: false, count: sorted.count)
    var isVisited = inCycles
    // If several images contain the same type, use the first target in their records.
    var next = [Int?](repeating: nil, count: sorted.count)
    for (index, own) in own.enumerated() where next[own] == nil { next[own] = targets[index] }
    for start in sorted.indices where own[start] == start {
      var path: [Int] = []
      var end: Int? = start
      while let index = end, !isVisited[index] {
        isVisited[index] = true
        path.append(index)
        end = next[index]
      }
      // The path ends before a visited implementation. If the path contains that implementation, a
      // cycle begins there.
      guard let end, let index = path.firstIndex(of: end) else { continue }
      var cycle: [ServiceEntry] = []
      for member in path[index...] {
        inCycles[member] = true
        cycle.append(sorted[member])
      }
      cycles.append(cycle)
    }
    return inCycles
  }

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
  private func replaces(_ other: ServiceEntry) -> Bool {
    guard var next = options?.replaced else { return false }
    let identity = other.identity
    while next.identity != identity {
      guard let following = next.options?.replaced else { return false }
      next = following
    }
    return true
  }

  /// The chain of targets that determines the position, from the last target to this entry.
  private var positions: [ServiceEntry] {
    sequence(first: self) { $0.options?.isMoved == true ? $0.options?.replaced : nil }.reversed()
  }

  /// Returns the two entries whose ranks order this entry before another one, or nil if this entry
  /// replaces the other.
  package func decisive(before other: ServiceEntry) -> (ServiceEntry, ServiceEntry)? {
    if options == nil, other.options == nil { return (self, other) }
    return replaces(other) ? nil : zip(positions, other.positions).first { $0 !== $1 }
  }
}
