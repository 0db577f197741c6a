/// The position of an entry in its group: by batch, then by descending priority, then
/// by the order in which entries were found and registered.
package struct Rank: Sendable, Comparable {
  /// The position of the images that were loaded together: even for images, odd for registrations
  /// between them, and negative for what precedes everything.
  package let batch: Int
  package let priority: Int
  package let order: Int

  package static func < (a: Self, b: Self) -> Bool {
    (a.batch, b.priority, a.order) < (b.batch, a.priority, b.order)
  }

  /// Returns whether only the load order distinguishes two ranks.
  func ties(with other: Self) -> Bool { batch == other.batch && priority == other.priority }

  /// Returns the message about a tie, given the labels of both implementations.
  ///
  /// - Parameter key: The key of two contributions, as the message spells it.
  func tieMessage(_ first: String, _ other: String, key: String? = nil) -> String {
    "\(first) and \(other) have the same priority, \(priority)\(key ?? ""), so the first in load order is used; give one"
      + " of them a higher priority, or give them \(key == nil ? "names" : "other keys")"
  }
}

/// The ranks that a manager assigns to entries, one after another.
///
/// No other code determines ranks. `Documentation/Services.md` explains them in a table.
package struct Ranks: Sendable {
  /// The number of entries so far.
  private var order = 0
  /// The batch of registrations, between the batches of known and of later images.
  private var batch = 1
  /// The number of entries that precede all others.
  private var replacements = 0

  package init() {}

  /// Notes that images of a batch were added, which precede later registrations.
  package mutating func add(_ image: LoadedImage) { batch = max(batch, 2 * image.batch + 1) }

  /// Returns the order of the next entry.
  mutating func nextOrder() -> Int {
    order += 1
    return order
  }

  /// Returns the rank of the next entry that an image exports.
  package mutating func exported(by image: LoadedImage, priority: Int = 0) -> Rank {
    Rank(batch: 2 * image.batch, priority: priority, order: nextOrder())
  }

  /// Returns the rank of an entry that an image exports.
  func exported(by image: LoadedImage, to key: GroupKey, priority: Int, order: Int) -> Rank {
    Rank(batch: key.isList ? 0 : 2 * image.batch, priority: priority, order: order)
  }

  /// Returns the rank of the next entry that code registers.
  ///
  /// - Parameters:
  ///   - isInList: A Boolean value that indicates whether all entries of the group are used.
  ///   - priority: The priority of the entry.
  ///   - replacing: A Boolean value that indicates whether the entry precedes all others.
  package mutating func registered(inList isInList: Bool = false, priority: Int = 0, replacing: Bool = false) -> Rank {
    if replacing { replacements += 1 }
    // In a list, the priorities of all batches are compared.
    let batch = isInList ? 0 : replacing ? -replacements : batch
    return Rank(batch: batch, priority: priority, order: nextOrder())
  }

  /// Returns the rank of the next override of a test scope, which also precedes implementations
  /// that are registered in the scope to replace others.
  mutating func overriding(in key: GroupKey, priority: Int) -> Rank {
    replacements += 1
    return Rank(batch: key.isList ? 0 : .min / 2 - replacements, priority: priority, order: nextOrder())
  }
}
