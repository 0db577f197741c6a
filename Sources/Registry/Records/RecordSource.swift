/// Where a manager takes its records from.
public struct RecordSource: Sendable {
  private enum Choice: Sendable {
    case nothing
    case images(@Sendable (Image) -> Bool)
    case records(@Sendable (ExportedRecord) -> Bool)
  }

  private let choice: Choice

  /// Every image of the process, also those loaded later.
  public static let loadedImages = images { _ in true }

  /// No image: what such a manager has, it was given by hand.
  public static let none = RecordSource(choice: .nothing)

  /// The images that a closure picks, also among those loaded later. It may be asked more than once, on any
  /// thread, and must not ask the manager it is for.
  public static func images(where includes: @escaping @Sendable (Image) -> Bool) -> RecordSource {
    RecordSource(choice: .images(includes))
  }

  /// The records that a closure picks, in every image, also among those loaded later.
  ///
  /// ```swift
  /// ServiceManager(records: .records { $0.typeName?.hasPrefix("Cart.") == true })
  /// ```
  ///
  /// The closure may be asked more than once, on any thread; let it always say the same, and not ask the manager
  /// it is for. Of an image none of whose records is picked nothing is reported either.
  public static func records(where includes: @escaping @Sendable (ExportedRecord) -> Bool) -> RecordSource {
    RecordSource(choice: .records(includes))
  }

  private init(choice: Choice) {
    self.choice = choice
  }

  /// The records of one kind, or of every kind, in the images that are loaded now, in load order.
  ///
  /// Reads the images if one came or went since the last look. Any thread.
  public func records(of kind: RecordKind? = nil) -> [ExportedRecord] {
    guard !isEmpty else { return [] }
    return pick(ImageCatalog.look().images).flatMap(\.records).filter { kind == nil || $0.kind == kind }
  }

  /// Whether a look for images can find anything.
  package var isEmpty: Bool {
    if case .nothing = choice { true } else { false }
  }

  /// Looks for images and picks. To be called outside of every lock: it waits for the loader, and picking is
  /// the user's code.
  package func look() -> RecordLook {
    let (generation, all) = ImageCatalog.look()
    return RecordLook(generation: generation, images: pick(all), lastSerial: all.last?.image.serial ?? 0)
  }

  private func pick(_ images: [CatalogedImage]) -> [CatalogedImage] {
    switch choice {
    case .nothing: return []
    case .images(let includes): return images.filter { includes($0.image) }
    case .records(let includes):
      return images.compactMap { cataloged in
        let records = cataloged.records.filter(includes)
        guard !records.isEmpty else { return nil }
        return cataloged.with(records)
      }
    }
  }
}

/// What a look for images found.
package struct RecordLook: Sendable {
  let generation: UInt64
  let images: [CatalogedImage]
  /// The highest serial of all images, picked or not.
  let lastSerial: UInt64
}

/// What one manager has seen of its source: tells it what came and what went since it last asked.
package struct RecordFeed {
  package let source: RecordSource
  package private(set) var generation: UInt64 = 0
  private var lastSerial: UInt64 = 0
  package private(set) var images: [CatalogedImage] = []

  package init(_ source: RecordSource) {
    self.source = source
  }

  /// Whether nothing came or went since the last update. Tens of nanoseconds.
  package var isCurrent: Bool { source.isEmpty || generation == ImageCatalog.generation }

  /// Whether a look can find anything.
  package var readsImages: Bool { !source.isEmpty }

  /// Whether there was an update, or never can be one.
  package var hasLooked: Bool { source.isEmpty || generation != 0 }

  /// Takes over what a look found.
  package mutating func update(_ look: RecordLook) -> (added: [CatalogedImage], removed: [UInt64]) {
    // Another thread may have looked later and been here first; generations only grow.
    guard !source.isEmpty, look.generation > generation else { return ([], []) }
    let added = look.images.filter { $0.image.serial > lastSerial }
    let removed = missing(from: look.images)
    generation = look.generation
    lastSerial = max(lastSerial, look.lastSerial)
    images = look.images
    return (added, removed)
  }

  /// The serials of images that are gone. Both lists ascend.
  private func missing(from others: [CatalogedImage]) -> [UInt64] {
    var missing: [UInt64] = []
    var place = 0
    for image in images {
      let serial = image.image.serial
      while place < others.count, others[place].image.serial < serial { place += 1 }
      if place == others.count || others[place].image.serial != serial { missing.append(serial) }
    }
    return missing
  }
}
