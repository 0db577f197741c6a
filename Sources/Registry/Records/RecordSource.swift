/// Where a manager takes its records from.
public struct RecordSource: Sendable {
  private let includes: (@Sendable (Image) -> Bool)?

  /// Every image of the process, also those loaded later.
  public static let loadedImages = RecordSource { _ in true }

  /// No image: what such a manager has, it was given by hand.
  public static let none = RecordSource(includes: nil)

  /// The images that a closure picks, also among those loaded later. It may be asked more than once.
  public static func images(where includes: @escaping @Sendable (Image) -> Bool) -> RecordSource {
    RecordSource(includes: includes)
  }

  private init(includes: (@Sendable (Image) -> Bool)?) {
    self.includes = includes
  }

  /// The records of one kind, or of every kind, in the images that are loaded now, in load order.
  ///
  /// Reads the images if one came or went since the last look. Any thread.
  public func records(of kind: RecordKind? = nil) -> [ExportedRecord] {
    guard includes != nil else { return [] }
    return pick(ImageCatalog.look().images).flatMap(\.records).filter { kind == nil || $0.kind == kind }
  }

  /// Whether a look for images can find anything.
  package var isEmpty: Bool { includes == nil }

  package func pick(_ images: [CatalogedImage]) -> [CatalogedImage] {
    guard let includes else { return [] }
    return images.filter { includes($0.image) }
  }
}

/// What one manager has seen of its source: tells it what came and what went since it last asked.
package struct RecordFeed {
  private let source: RecordSource
  private var generation: UInt64 = 0
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

  /// Takes over what a look found. The look itself is the caller's, outside of its locks: it waits for the
  /// loader.
  package mutating func update(
    _ looked: (generation: UInt64, images: [CatalogedImage])
  ) -> (added: [CatalogedImage], removed: Set<UInt64>) {
    // Another thread may have looked later and been here first; generations only grow.
    guard !source.isEmpty, looked.generation > generation else { return ([], []) }
    let present = source.pick(looked.images)
    let added = present.filter { $0.image.serial > lastSerial }
    let removed = Set(images.map(\.image.serial)).subtracting(present.lazy.map(\.image.serial))
    generation = looked.generation
    lastSerial = max(lastSerial, looked.images.last?.image.serial ?? 0)
    images = present
    return (added, removed)
  }
}
