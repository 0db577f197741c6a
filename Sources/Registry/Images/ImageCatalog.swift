internal import RegistryC

/// A loaded image with the records that were read from it.
// A class, because a structure would make the compiler add code for specialized arrays.
package final class CatalogedImage: Sendable {
  package let image: LoadedImage
  /// The records without a group; after filtering, the records that a record source selects.
  package let records: [ExportedRecord]
  let grouped: [ExportedRecord]
  var all: [ExportedRecord] { grouped.isEmpty ? records : records + grouped }
  package let problems: [Diagnostic]
  let base: UInt
  /// The number that identifies this load in snapshots.
  let load: UInt64
  let hasLibrary: Bool

  init(
    _ image: LoadedImage, _ records: [ExportedRecord], grouped: [ExportedRecord], _ problems: [Diagnostic], base: UInt,
    load: UInt64, hasLibrary: Bool
  ) {
    self.image = image
    self.records = records
    self.grouped = grouped
    self.problems = problems
    self.base = base
    self.load = load
    self.hasLibrary = hasLibrary
  }

  @inline(never)
  func with(_ records: [ExportedRecord], grouped: [ExportedRecord] = [], problem: Diagnostic? = nil) -> CatalogedImage {
    CatalogedImage(
      image, records, grouped: grouped, problem.map { problems + [$0] } ?? problems, base: base, load: load,
      hasLibrary: hasLibrary)
  }
}

/// An image whose records the catalog doesn't have: the loader refuses to pin the image, or the
/// image was closed and stays mapped.
struct UnreadImage: Equatable {
  let load: UInt64
  let base: UInt
  let path: String
  /// The batch of the scan that found the image, or of the call that opened it again.
  ///
  /// The order of services doesn't depend on the time at which the image can be read.
  var batch: Int
}

/// The records of every loaded image, read once for the whole process.
///
/// The catalog reads nothing before the first scan. A scan takes tens of nanoseconds if the
/// previous scan read all images and no image has been loaded or unloaded since.
package enum ImageCatalog {
  /// The state of an image that a manager opened, directly or as a dependency of another image.
  // Unchecked: only code that holds the catalog's lock reads or changes the variables.
  final class Use: @unchecked Sendable {
    let base: UInt
    fileprivate var count = 0
    /// A Boolean value that indicates whether other code loaded the image and still needs the
    /// records.
    fileprivate var isForeign = true

    fileprivate init(base: UInt) { self.base = base }
  }

  private struct State {
    var scan = RecordScan()
    var batches = 0
    /// A Boolean value that indicates whether the current batch is still growing.
    ///
    /// It's true until the loader has announced all images that were present at the last scan.
    var isBatchOpen = true
    /// Images that were closed but are still mapped.
    var withdrawn: [UnreadImage] = []
    // An array, because no other code in most apps hashes addresses, and the runtime would take as
    // long to prepare for that as to read a plug-in.
    var uses: [Use] = []

    /// Removes the images that are missing from a snapshot.
    @inline(never)
    mutating func discardImages(notIn present: UnsafeBufferPointer<registry_image>) {
      let loads = Set(of: present.map(\.serial))
      scan.images.discard { !loads.contains($0.load) }
      withdrawn.discard { !loads.contains($0.load) }
    }
  }

  private static let state = Locked(State())

  /// A number that changes when an image is loaded, unloaded, withdrawn, or restored; never zero.
  /// The caller must hold no lock; see ``RecordSource/follow(_:isCurrent:update:)``.
  package static var generation: UInt64 { registry_images_generation() &+ registry_withdrawals() }

  /// Scans the loaded images, unless the last scan read all of them and nothing has changed since.
  static func scan() -> RecordScan {
    while true {
      let seen = state.withLock { $0 }
      if seen.scan.generation == generation, seen.scan.unread.isEmpty { return seen.scan }
      // Don't hold the lock here: pinning an image waits for the loader, and the loader may be
      // running an initializer that waits for this lock.
      guard let update = update(seen) else {
        var scan = seen.scan
        scan.ranOutOfMemory = true
        return scan
      }
      // An image that still can't be read is not a change. Otherwise, callers that scan until no
      // change is found would not terminate.
      if update.scan.revision == seen.scan.revision { return seen.scan }
      let isFirst = state.withLock { state in
        guard state.scan.revision == seen.scan.revision else { return false }
        state = update
        return true
      }
      if isFirst { return update.scan }
    }
  }

  /// Returns the state after a scan, or nil if the scan fails, usually for lack of memory.
  private static func update(_ seen: State) -> State? {
    let withdrawals = registry_withdrawals()
    // Copy the records of the first unread image and of all images after it.
    let after = seen.scan.unread.first.map { $0.load - 1 } ?? seen.scan.lastLoad
    guard let snapshot = ImageSnapshot(after: after) else { return nil }
    // The code below reads the snapshot's memory.
    defer { withExtendedLifetime(snapshot) {} }
    let present = UnsafeBufferPointer(
      start: snapshot.pointer.pointee.images, count: snapshot.pointer.pointee.image_count)
    // The snapshot is sorted, so the images with copied records are last.
    let first = present.firstIndex { $0.serial > after } ?? present.count
    var state = seen
    // The catalog knows every image before `first`, so equal counts mean that none was closed.
    if !seen.scan.unread.isEmpty || first != seen.scan.images.count + seen.withdrawn.count {
      state.discardImages(notIn: present)
    }
    state.scan.unread = []
    let unknown = present[first...].filter { source in
      source.serial > seen.scan.lastLoad || seen.scan.unread.contains { $0.load == source.serial }
    }
    // Retain only a snapshot whose images are all new, usually the first one. Later snapshots also
    // list all known images, so retaining them would waste memory.
    let keeper = unknown.count == present.count ? snapshot : nil
    for source in unknown {
      let batch = seen.scan.unread.first { $0.load == source.serial }?.batch ?? seen.batches
      let image = LoadedImage(path: String(cString: source.path), serial: state.scan.lastSerial + 1, batch: batch)
      if let read = ImageReader.read(source, as: image, keeper: keeper) {
        state.scan.lastSerial = image.serial
        state.scan.images.append(read)
      } else {
        state.scan.unread.append(
          UnreadImage(load: source.serial, base: UInt(source.base), path: image.path, batch: batch))
      }
    }
    // An image may have been closed before it was pinned, and another loaded at its address. The
    // closed image's accessors must not be called.
    if state.scan.images.count > 0, registry_images_generation() != snapshot.pointer.pointee.generation {
      guard let latest = ImageSnapshot(after: .max) else { return nil }
      let images = UnsafeBufferPointer(
        start: latest.pointer.pointee.images, count: latest.pointer.pointee.image_count)
      state.discardImages(notIn: images)
      withExtendedLifetime(latest) {}
    }
    reportCopies(&state.scan.images, after: seen.scan.lastSerial)
    state.scan.lastLoad = max(seen.scan.lastLoad, present.last?.serial ?? 0)
    state.scan.generation = snapshot.pointer.pointee.generation &+ withdrawals
    let isNew = state.scan.lastSerial != seen.scan.lastSerial
    guard
      isNew || state.scan.generation != seen.scan.generation || state.scan.unread != seen.scan.unread
        || state.scan.images.count != seen.scan.images.count
    else { return seen }
    // Images that were present at first use form one batch, even if the loader announces them in
    // parts.
    state.isBatchOpen = snapshot.pointer.pointee.is_partial
    if !state.isBatchOpen, isNew || seen.isBatchOpen { state.batches += 1 }
    state.scan.revision += 1
    return state
  }

  private static func reportCopies(_ images: inout [CatalogedImage], after serial: UInt64) {
    guard let first = images.first(where: \.hasLibrary)?.image else { return }
    for (index, image) in images.enumerated() where image.hasLibrary && image.image.serial > serial {
      if image.image == first { continue }
      var test = ""
      #if DEBUG
      if "\(image.image.path) \(first.path)".contains(".xctest") {
        test = "; a test target depends on the plugin 'RegistryDynamicTesting' instead of 'RegistryTesting'"
      }
      #endif
      let problem = Diagnostic(
        severity: .error, code: .twoCopies, subject: "swift-section-registry", image: image.image,
        message: "this image and \(first.path.quotedForDisplay()) each contain a copy of the library with separate"
          + " managers, so neither finds the modules, services, and instances of the other; make the app,"
          + " its libraries, and its plug-ins depend on the product 'RegistryDynamic'" + test)
      images[index] = image.with(image.records, grouped: image.grouped, problem: problem)
    }
  }

  // MARK: - Opening and closing images

  /// Increments the use counts of an opened image and the libraries that it needs, and lets the
  /// next scan read those that were withdrawn.
  ///
  /// The caller must hold no lock, because the call queries the loader.
  ///
  /// - Parameter lastLoad: The highest load number before the opening. Images up to this number
  ///   that are neither withdrawn nor in use belong to other code, which still needs their records.
  /// - Returns: The uses of the counted images, for ``unuse(_:)``.
  static func use(at base: UInt, after lastLoad: UInt64) -> [Use] {
    _ = scan()
    let libraries = state.withLock { state in
      state.scan.images.map(\.base) + (state.scan.unread + state.withdrawn).map(\.base)
    }
    var isNeeded = [Bool](repeating: false, count: libraries.count)
    registry_open_needs(base, libraries, libraries.count, &isNeeded)
    let needed = [base] + libraries.indices.filter { isNeeded[$0] && libraries[$0] != base }.map { libraries[$0] }
    return state.withLock { state in
      // Change the revision even if only a use count changes. Otherwise, a scan in progress would
      // restore the old state.
      state.scan.revision += 1
      let used = needed.map { base in
        let use = state.uses.first { $0.base == base } ?? Use(base: base)
        if use.count == 0 { state.uses.append(use) }
        use.count += 1
        return use
      }
      var back = state.withdrawn.filter { used.contain($0.base) }
      // Compare load numbers, because the loader may reuse the address of an image that was just
      // closed.
      let own =
        state.scan.images.filter { $0.load > lastLoad }.map(\.base)
        + (back + state.scan.unread.filter { $0.load > lastLoad }).map(\.base)
      for use in used where own.contains(use.base) { use.isForeign = false }
      guard !back.isEmpty else { return used }
      state.withdrawn.discard { used.contain($0.base) }
      for index in back.indices { back[index].batch = state.batches }
      state.scan.unread = (state.scan.unread + back).ordered { $0.load < $1.load }
      // Announce the change before releasing the lock. A thread that observes the new number then
      // waits for the lock and observes the change.
      registry_withdraw()
      return used
    }
  }

  /// Decrements the use counts of images, and withdraws the records of unneeded images, even if the
  /// loader keeps them mapped.
  static func unuse(_ used: [Use]) {
    // Scan first. Otherwise, the next scan could add one of the images again as a newly loaded one.
    _ = scan()
    state.withLock { state in
      state.scan.revision += 1
      for use in used { use.count -= 1 }
      state.uses.discard { $0.count == 0 }
      let unused = used.filter { $0.count == 0 && !$0.isForeign }
      let withdrawn = state.scan.images.filter { unused.contain($0.base) }
      guard !withdrawn.isEmpty else { return }
      state.scan.images.discard { unused.contain($0.base) }
      state.withdrawn += withdrawn.map { UnreadImage(load: $0.load, base: $0.base, path: $0.image.path, batch: 0) }
      registry_withdraw()
    }
  }
}

extension [ImageCatalog.Use] {
  func contain(_ base: UInt) -> Bool { contains { $0.base == base } }
}
