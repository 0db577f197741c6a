/// A source of records for a manager or a router.
public struct RecordSource: Sendable {
  private enum Choice: Sendable {
    case nothing
    case released
    case all
    case group(String)
    case images(@Sendable (LoadedImage) -> Bool)
    case records(@Sendable (ExportedRecord) -> Bool)
  }

  private let choice: Choice

  /// The records without a group in all images of the process, including images loaded later.
  public static let loadedImages = RecordSource(choice: .all)

  /// No records. A manager with this source contains only what your code registers.
  public static let none = RecordSource(choice: .nothing)

  static let released = RecordSource(choice: .released)

  /// Returns a source of a group's records in all images, including images loaded later.
  ///
  /// ```swift
  /// @ExportService(Undo.self, scope: .shared, group: "document")
  /// final class UndoStack: Undo { … }
  ///
  /// let document = ServiceManager(parent: .shared, records: .group("document"))
  /// ```
  ///
  /// Each manager with this source creates its own instances. Of the other sources, only
  /// ``records(where:)`` reads records that belong to a group.
  ///
  /// - Parameter name: The name of the group.
  public static func group(_ name: String) -> RecordSource { RecordSource(choice: .group(name)) }

  /// Returns a source that reads the images that a closure selects, including images loaded later.
  ///
  /// ```swift
  /// ServiceManager(records: .images { $0.productName == "Shop" })
  /// ```
  ///
  /// The source skips records that belong to a group.
  ///
  /// - Parameter includes: A closure that returns whether to use an image's records. It can be
  ///   called several times for an image, on any thread. It must always return the same result, and
  ///   must not use a manager with this source.
  public static func images(where includes: @escaping @Sendable (LoadedImage) -> Bool) -> RecordSource {
    RecordSource(choice: .images(includes))
  }

  /// Returns a source of the records that a closure selects in current and later images.
  ///
  /// ```swift
  /// ServiceManager(records: .records { $0.typeName?.hasPrefix("Cart.") == true })
  /// ```
  ///
  /// The closure also receives records that belong to a group (``ExportedRecord/group``). An
  /// image's problems are reported only if the closure selects one of its records.
  ///
  /// - Parameter includes: A closure that returns whether to use a record. It can be called several
  ///   times for a record, on any thread. It must always return the same result, and must not use a
  ///   manager with this source.
  public static func records(where includes: @escaping @Sendable (ExportedRecord) -> Bool) -> RecordSource {
    RecordSource(choice: .records(includes))
  }

  private init(choice: Choice) {
    self.choice = choice
  }

  /// Returns the source's records of one kind or all kinds in the loaded images, in load order.
  ///
  /// The call scans the images if any were loaded or unloaded since the last scan, or couldn't be
  /// read. You can call this method on any thread.
  ///
  /// - Parameter kind: The kind of the records; nil for all kinds.
  public func records(of kind: RecordKind? = nil) -> [ExportedRecord] {
    guard !isEmpty else { return [] }
    return pick(ImageCatalog.scan().images).flatMap(\.records).filter { kind == nil || $0.kind == kind }
  }

  /// A Boolean value that indicates whether a scan can never find anything.
  package var isEmpty: Bool {
    switch choice {
    case .nothing, .released: true
    default: false
    }
  }

  var isReleased: Bool {
    if case .released = choice { true } else { false }
  }

  /// Returns the reason why the source selects none of a scan's records, with the fix; nil if it
  /// selects any, or if there are none.
  fileprivate func problem(in scan: RecordScan) -> String? {
    for image in scan.images where !image.records.isEmpty { return nil }
    var (count, groups): (Int, [String]) = (0, [])
    for image in scan.all {
      count += image.records.count + image.grouped.count
      for record in image.grouped { if let group = record.group { groups.append(group) } }
    }
    if count == 0 { return nil }
    if case .group(let name) = choice {
      return "no loaded record belongs to the group \(name.quotedForDisplay())\(name.suggestion(in: Set(of: groups)))"
    }
    if count == groups.count {
      return "every loaded record belongs to a group; read a group with \(Self.argument(groups[0]))"
    }
    return "the filter of the manager's records selects 0 of \(count); correct the filter, or link the target that"
      + " exports what it selects"
  }

  /// Returns the argument that makes a manager read a group.
  package static func argument(_ group: String) -> String { "'records: .group(\"\(group.escapedForDisplay())\")'" }

  private var generation: UInt64 { isEmpty ? 0 : ImageCatalog.generation }

  /// Passes a new scan to a client, unless nothing has changed since the client's last scan.
  ///
  /// The caller must hold no lock. The closures can acquire the client's lock. This method calls
  /// the source's filter, which is user code, and waits for the loader. On Bionic, the loader can
  /// hold its own lock while an initializer waits for the client's lock.
  ///
  /// - Parameters:
  ///   - log: The log that receives an error if the scan fails.
  ///   - isCurrent: A closure that returns whether the client's feed is current at a generation.
  ///   - update: A closure that updates the feed with a scan.
  /// - Complexity: Tens of nanoseconds if no image was loaded or unloaded and none is unread.
  package func follow(_ log: DiagnosticLog, isCurrent: (UInt64) -> Bool, update: (RecordScan) -> Void) {
    if isCurrent(generation) { return }
    var scan = ImageCatalog.scan()
    if scan.ranOutOfMemory {
      log.report(
        Diagnostic(
          severity: .error, code: .outOfMemory, subject: "loaded images", image: nil,
          message: "a scan of the loaded images ran out of memory, so only the records of earlier scans are used; the"
            + " next scan tries again"))
    }
    scan.all = scan.images
    scan.images = pick(scan.images)
    update(scan)
  }

  @inline(never)
  fileprivate func selects(_ record: ExportedRecord) -> Bool {
    switch choice {
    case .nothing, .released: false
    case .all: !record.isGrouped
    case .images(let includes): !record.isGrouped && includes(record.image)
    case .group(let name): record.group == name
    case .records(let includes): includes(record)
    }
  }

  private func pick(_ images: [CatalogedImage]) -> [CatalogedImage] {
    if case .all = choice { return images }
    var picked: [CatalogedImage] = []
    for image in images {
      if case .images(let includes) = choice {
        if includes(image.image) { picked.append(image) }
        continue
      }
      let records = image.all.filter(selects)
      if !records.isEmpty { picked.append(image.with(records)) }
    }
    return picked
  }
}

package struct RecordScan: Sendable {
  /// The number of changes in the catalog so far. A higher number means a later scan.
  var revision: Int
  var generation: UInt64
  var images: [CatalogedImage]
  /// All images, including those that a record source doesn't select.
  var all: [CatalogedImage]
  /// The images that the loader refused to pin, usually because another thread is running
  /// initializers. The images are in load order, and each scan tries to read them again.
  var unread: [UnreadImage]
  var lastLoad: UInt64
  var lastSerial: UInt64
  /// A Boolean value that indicates whether the scan failed. The other properties then describe an
  /// earlier scan.
  var ranOutOfMemory: Bool

  var isEmpty: Bool { unread.isEmpty && images.allSatisfy(\.records.isEmpty) }

  // Initial values at the declarations would make the compiler emit a function for each value.
  init() {
    (revision, generation, lastLoad, lastSerial, ranOutOfMemory) = (0, 0, 0, 0, false)
    (images, all, unread) = ([], [], [])
  }
}

/// A record source with the last scan that a client adopted.
package struct RecordFeed {
  package let source: RecordSource
  private(set) var scan = RecordScan()

  package init(_ source: RecordSource) {
    self.source = source
  }

  package var images: [CatalogedImage] { scan.images }

  /// The reason why the source selects none of the loaded records, with the fix, or nil.
  package var problem: String? { source.problem(in: scan) }

  /// Returns the reason why the source omits a record, with the fix; nil if it omits none.
  package func exclusion(_ what: String, where isWanted: (ExportedRecord) -> Bool) -> String? {
    if source.isEmpty { return nil }
    for image in scan.all {
      for record in image.all where isWanted(record) && !source.selects(record) { return record.exclusion(what) }
    }
    return nil
  }

  /// The generation that requires no new scan: zero if scans never find anything, or an unused
  /// number if a scan may find something although no image was loaded or unloaded.
  package var currentGeneration: UInt64 {
    if source.isEmpty { return 0 }
    return scan.revision == 0 || !scan.unread.isEmpty ? .max : scan.generation
  }

  /// Returns whether a scan would find nothing new at a generation of the source.
  package func isCurrent(at generation: UInt64) -> Bool { generation == currentGeneration }

  /// A Boolean value that indicates whether the feed has a scan or needs none.
  package var hasScanned: Bool { source.isEmpty || scan.revision != 0 }

  package var unreadImages: [Diagnostic] {
    scan.unread.map { unread in
      Diagnostic(
        severity: .warning, code: .imageNotReady, subject: unread.path, image: nil,
        message: "the records of the image cannot be read yet, because the loader refuses to keep it loaded, usually"
          + " because another thread runs initializers; the next scan tries again")
    }
  }

  /// Adopts the result of a scan.
  ///
  /// - Returns: The new images, and the serials of the removed images. Nil if the feed already has
  ///   this scan or a later scan, or needs no scans.
  package mutating func update(_ scan: RecordScan) -> (added: [CatalogedImage], removed: [UInt64])? {
    // Another thread may have adopted a later scan. Compare revisions, because the generation is a
    // hash on loaders without counters and doesn't always increase.
    guard !source.isEmpty, scan.revision > self.scan.revision else { return nil }
    let added = scan.images.filter { $0.image.serial > self.scan.lastSerial }
    var removed: [UInt64] = []
    // Usually, no image was closed.
    if scan.images.count < images.count + added.count {
      let present = Set(of: scan.images.map(\.image.serial))
      removed = images.map(\.image.serial).filter { !present.contains($0) }
    }
    self.scan = scan
    return (added, removed)
  }
}
