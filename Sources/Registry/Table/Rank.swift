/// The sort key of an entry in its group: the batch, then the descending priority, and then the
/// order of discovery or registration.
package struct Rank: Sendable, Comparable {
  /// The number of the batch, or zero in a list. Images that were loaded together have an even
  /// number, and registrations after them have an odd number. Registrations that replace others and
  /// a test scope's overrides have negative numbers.
  package let batch: Int
  package let priority: Int
  package let order: Int

  package static func < (a: Self, b: Self) -> Bool {
    (a.batch, b.priority, a.order) < (b.batch, a.priority, b.order)
  }

  /// Returns whether two ranks differ at most in their order of loading or registration.
  package func ties(with other: Self) -> Bool { batch == other.batch && priority == other.priority }

  /// - Parameter key: The text about the key that the entries share; nil for entries without keys.
  package func tieMessage(_ first: String, _ other: String, key: String? = nil) -> String {
    "\(first) and \(other) have the same priority, \(priority)\(key ?? ""), so the first loaded or registered is used;"
      + " give one of them a higher priority, or give them \(key == nil ? "names" : "other keys")"
  }
}

/// The counters for assigning ranks to a manager's services and contributions, or to a router's
/// handlers. For the order of services, see the table in `Documentation/Services.md`.
package struct Ranks: Sendable {
  private var order = 0
  /// The batch of the next registration, between the batches of known and later images.
  private var batch = 1
  private var replacements = 0

  package init() {}

  /// Makes later registrations follow the entries of an image.
  package mutating func add(_ image: LoadedImage) { batch = max(batch, 2 * image.batch + 1) }

  mutating func nextOrder() -> Int {
    order += 1
    return order
  }

  package mutating func exported(by image: LoadedImage, priority: Int = 0) -> Rank {
    Rank(batch: 2 * image.batch, priority: priority, order: nextOrder())
  }

  /// Returns the rank of the next entry that code registers.
  ///
  /// - Parameters:
  ///   - isInList: A Boolean value that indicates whether all entries of the group are used.
  ///   - priority: The priority of the entry.
  ///   - replacing: A Boolean value that indicates whether the entry precedes all but overrides.
  package mutating func registered(inList isInList: Bool = false, priority: Int = 0, replacing: Bool = false) -> Rank {
    if replacing { replacements += 1 }
    // A list has a single batch, so priorities are compared first.
    let batch = isInList ? 0 : replacing ? -replacements : batch
    return Rank(batch: batch, priority: priority, order: nextOrder())
  }

  /// Returns the rank of a test scope's next override. Except in a list, the override precedes
  /// registrations that replace others.
  mutating func overriding(in key: GroupKey, priority: Int) -> Rank {
    replacements += 1
    return Rank(batch: key.isList ? 0 : .min / 2 - replacements, priority: priority, order: nextOrder())
  }
}
