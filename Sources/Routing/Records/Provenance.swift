internal import Registry

/// Where a handler comes from, and which of several for one thing is used.
struct Provenance: Sendable {
  /// Which of several comes first: what images had at first use, batch by batch, and what was registered in between.
  struct Rank: Sendable, Comparable {
    let batch: Int
    /// The source location, which orders the handlers of one batch independently of the linker.
    let location: String
    let order: Int

    static func < (a: Rank, b: Rank) -> Bool { (a.batch, a.location, a.order) < (b.batch, b.location, b.order) }
  }

  /// The source location of the handler, or the name of the exported type.
  let location: String
  /// The image that exports it; nil if it was registered at run time.
  let image: LoadedImage?
  let rank: Rank

  /// How messages call it.
  var label: String { location.escapedForDisplay() + (image.map { " (\($0))" } ?? "") }

  /// Whether it is one of these images', by their serials, that exports it.
  func isFrom(_ images: Set<UInt64>) -> Bool { image.map { images.contains($0.serial) } ?? false }

  /// The module that it stands in.
  var module: String { String(location.prefix { $0 != "/" && $0 != "." }) }

  func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: location, image: image, message: message)
  }
}

/// A handler that a router has.
struct Entry<Handler: Sendable>: Sendable {
  let handler: Handler
  let provenance: Provenance
}

/// Handlers by what they are for: of several for one thing the first by rank is used, and the others wait for it to go.
struct Entries<Key: Hashable & Sendable, Handler: Sendable>: Sendable {
  private var lists: [Key: [Entry<Handler>]] = [:]

  /// The ones that are used.
  var used: some Sequence<Entry<Handler>> { lists.values.lazy.map { $0[0] } }

  var keys: some Sequence<Key> { lists.keys }

  subscript(key: Key) -> Entry<Handler>? { lists[key]?.first }

  /// Adds one.
  ///
  /// - Returns: Of it and the one that was used, the one that is left out and the one that is used; nil if there was none.
  mutating func insert(
    _ entry: Entry<Handler>, for key: Key
  ) -> (leftOut: Entry<Handler>, used: Entry<Handler>)? {
    var list = lists[key] ?? []
    let index = list.firstIndex { entry.provenance.rank < $0.provenance.rank } ?? list.count
    let other = list.first
    list.insert(entry, at: index)
    lists[key] = list
    guard let other else { return nil }
    return index == 0 ? (other, entry) : (entry, other)
  }

  /// Removes the one of a rank.
  ///
  /// - Returns: It, for the caller to let go of outside of its lock.
  mutating func remove(_ rank: Provenance.Rank, for key: Key) -> Entry<Handler>? {
    guard var list = lists[key], let index = list.firstIndex(where: { $0.provenance.rank == rank }) else { return nil }
    let removed = list.remove(at: index)
    lists[key] = list.isEmpty ? nil : list
    return removed
  }

  /// Removes those of images that are gone.
  ///
  /// - Returns: They, for the caller to let go of outside of its lock.
  mutating func remove(from images: Set<UInt64>) -> [Entry<Handler>] {
    var removed: [Entry<Handler>] = []
    for (key, list) in lists {
      let unloaded = list.filter { $0.provenance.isFrom(images) }
      for entry in unloaded { _ = remove(entry.provenance.rank, for: key) }
      removed += unloaded
    }
    return removed
  }
}
