internal import Registry

/// The source of a handler, and its rank among the handlers of one route or action.
struct Provenance: Sendable {
  /// The position of a handler among the handlers of one route or action.
  ///
  /// Handlers from images are in the order of image batches. A handler that is registered at run
  /// time follows the batches that are loaded at that time and precedes later ones.
  struct Rank: Sendable, Comparable {
    /// The position among the batches: even for images, odd for registrations between them.
    let batch: Int
    /// The source location, which orders the handlers of one batch independently of the linker.
    let location: String
    let order: Int

    static func < (a: Rank, b: Rank) -> Bool { (a.batch, a.location, a.order) < (b.batch, b.location, b.order) }
  }

  /// The source location of the handler, or the name of the exported type.
  let location: String
  /// The image that exports the handler, or nil if it was registered at run time.
  let image: LoadedImage?
  let rank: Rank

  /// The name of the handler in messages.
  ///
  /// An example is `'Shop/Orders.swift:12:1' (Shop)`.
  var label: String { "'\(location.escapedForDisplay())'" + (image.map { " (\($0))" } ?? "") }

  /// Returns whether one of the images with the given serials exports the handler.
  func isFrom(_ images: Set<UInt64>) -> Bool { image.map { images.contains($0.serial) } ?? false }

  /// The name of the module that contains the handler.
  var module: String { String(location.prefix { $0 != "/" && $0 != "." }) }

  func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: location, image: image, message: message)
  }
}

/// A handler in a router.
struct Entry<Handler: Sendable>: Sendable {
  let handler: Handler
  let provenance: Provenance
}

/// The handlers in a router by route or action.
///
/// If several handlers have one key, the first one by rank is used, and the next one replaces it
/// when it is removed.
struct Entries<Key: Hashable & Sendable, Handler: Sendable>: Sendable {
  private var lists: [Key: [Entry<Handler>]] = [:]

  /// The handlers that are used, one for each key.
  var used: some Sequence<Entry<Handler>> { lists.values.lazy.map { $0[0] } }

  var keys: some Sequence<Key> { lists.keys }

  subscript(key: Key) -> Entry<Handler>? { lists[key]?.first }

  /// Adds a handler.
  ///
  /// - Returns: The ignored and the used handler, which are the new handler and the one that was
  ///   used before, in either order. The result is nil if the key had no handler.
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

  /// Removes the handler with the given rank.
  ///
  /// - Returns: The removed handler, which the caller must release outside its lock.
  mutating func remove(_ rank: Provenance.Rank, for key: Key) -> Entry<Handler>? {
    guard var list = lists[key], let index = list.firstIndex(where: { $0.provenance.rank == rank }) else { return nil }
    let removed = list.remove(at: index)
    lists[key] = list.isEmpty ? nil : list
    return removed
  }

  /// Removes the handlers of unloaded images.
  ///
  /// - Returns: The removed handlers, which the caller must release outside its lock.
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
