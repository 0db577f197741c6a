internal import RegistryC

/// An image and what was found in it.
package struct CatalogedImage: Sendable {
  package let image: LoadedImage
  package let records: [ExportedRecord]
  /// What is wrong with its bytes.
  package var problems: [Diagnostic]
  /// Where it is loaded, and which load of it that is, for the code below.
  let base: UInt
  let load: UInt64
  /// Whether a copy of this library is in it.
  let hasLibrary: Bool

  /// The same with some of its records.
  func with(_ records: [ExportedRecord]) -> CatalogedImage {
    CatalogedImage(
      image: image, records: records, problems: problems, base: base, load: load, hasLibrary: hasLibrary)
  }

  /// The same as an image that came now.
  fileprivate func reopened(as image: LoadedImage) -> CatalogedImage {
    CatalogedImage(
      image: image, records: records.map { $0.moved(to: image) },
      problems: problems.map {
        Diagnostic(severity: $0.severity, code: $0.code, subject: $0.subject, image: image, message: $0.message)
      }, base: base, load: load, hasLibrary: hasLibrary)
  }
}

/// An image that has records and cannot be read yet.
struct UnreadImage: Equatable {
  /// The number of the load, for the code below.
  let load: UInt64
  /// The address at which it is loaded.
  let base: UInt
  let path: String
}

/// The records of every loaded image, read once for the whole process.
///
/// Nothing is read before the first scan. A scan takes tens of nanoseconds if no image was loaded
/// or unloaded.
package enum ImageCatalog {
  /// What is known of an image as long as it, or one that needs it, is open by ``OpenedImage``.
  private struct Use {
    var count = 0
    /// It was there before: whoever brought it still needs its records.
    var isForeign = true
  }

  private struct State {
    var generation: UInt64 = 0
    /// The number of changes so far: orders scans, and tells whether one of them found anything.
    var revision = 0
    /// The highest number of a load that was seen.
    var lastLoad: UInt64 = 0
    /// The highest serial that was given.
    var lastSerial: UInt64 = 0
    var batches = 0
    /// A Boolean value that indicates whether the current batch is still growing.
    ///
    /// It is while the loader has not announced all images that were present at the last scan.
    var isBatchOpen = true
    var images: [CatalogedImage] = []
    /// The images that the loader refused to pin, in the order in which they were loaded. Each scan
    /// tries them again.
    var unread: [UnreadImage] = []
    /// Images that were closed and are still mapped. No manager knows them.
    var withdrawn: [CatalogedImage] = []
    /// Images that are open by ``OpenedImage``, by where they are loaded.
    var uses: [UInt: Use] = [:]

    /// The image that the next serial would belong to.
    func nextImage(_ path: String, batch: Int) -> LoadedImage {
      LoadedImage(path: path, serial: lastSerial + 1, batch: batch)
    }

    mutating func append(_ image: CatalogedImage) {
      lastSerial = image.image.serial
      images.append(image)
    }

    var scan: Scan {
      Scan(revision: revision, generation: generation, images: images, unread: unread, lastLoad: lastLoad)
    }
  }

  /// The catalog as a scan left it.
  struct Scan {
    let revision: Int
    let generation: UInt64
    /// The images with records, in load order.
    let images: [CatalogedImage]
    let unread: [UnreadImage]
    /// The highest number of a load so far. Images that load after the scan have higher ones.
    let lastLoad: UInt64
    /// A Boolean value that indicates whether the scan failed. The other properties then describe
    /// an earlier scan.
    var ranOutOfMemory = false
  }

  private static let state = Locked(State())

  /// A number that changes whenever an image is loaded or unloaded, or closed and kept mapped;
  /// never zero.
  ///
  /// The caller must hold no lock; see ``RecordSource/generation``.
  package static var generation: UInt64 { registry_images_generation() &+ registry_withdrawals() }

  /// Scans the loaded images, unless nothing can have changed since the last scan.
  static func scan() -> Scan {
    while true {
      let seen = state.withLock { $0 }
      if seen.generation == generation, seen.unread.isEmpty { return seen.scan }
      // Not under the lock: pinning an image waits for the loader, and the loader may be running a
      // constructor that waits for this lock.
      guard let update = update(seen) else {
        var scan = seen.scan
        scan.ranOutOfMemory = true
        return scan
      }
      // An image that still cannot be read is no change, or callers that wait for one would never
      // come to an end.
      if update.revision == seen.revision { return seen.scan }
      let isFirst = state.withLock { state in
        guard state.revision == seen.revision else { return false }
        state = update
        return true
      }
      if isFirst { return update.scan }
    }
  }

  /// Returns the state after a scan; nil when memory ran out.
  private static func update(_ seen: State) -> State? {
    let withdrawals = registry_withdrawals()
    // The images that could not be read are copied once more, and with them those that were loaded
    // later.
    let after = seen.unread.first.map { $0.load - 1 } ?? seen.lastLoad
    guard let snapshot = ImageSnapshot(after: after) else { return nil }
    // What is read below points into it.
    defer { withExtendedLifetime(snapshot) {} }
    let present = UnsafeBufferPointer(
      start: snapshot.pointer.pointee.images, count: snapshot.pointer.pointee.image_count)
    var state = seen
    state.images.removeAll { !isLoaded($0.load, present) }
    state.withdrawn.removeAll { !isLoaded($0.load, present) }
    state.unread = []
    let known = Set(seen.unread.map(\.load))
    let unknown = present.filter { $0.serial > seen.lastLoad || known.contains($0.serial) }
    // Usually this is the first snapshot. Later ones list all images that are already known, and
    // must not be retained for the sake of a few records.
    let keeper = unknown.count == present.count ? snapshot : nil
    for source in unknown {
      let image = state.nextImage(String(cString: source.path), batch: seen.batches)
      if let read = ImageReader.read(source, as: image, keeper: keeper) {
        state.append(read)
      } else {
        state.unread.append(UnreadImage(load: source.serial, base: UInt(source.base), path: image.path))
      }
    }
    reportCopies(&state.images, after: seen.lastSerial)
    state.lastLoad = max(seen.lastLoad, present.last?.serial ?? 0)
    state.generation = snapshot.pointer.pointee.generation &+ withdrawals
    let isNew = state.lastSerial != seen.lastSerial
    guard
      isNew || state.generation != seen.generation || state.unread != seen.unread
        || state.images.count != seen.images.count
    else { return seen }
    // Images that were present at first use are one batch, in however many parts the loader
    // announces them.
    state.isBatchOpen = snapshot.pointer.pointee.is_partial
    if !state.isBatchOpen, isNew || seen.isBatchOpen { state.batches += 1 }
    state.revision += 1
    return state
  }

  /// Whether a load is among those of a snapshot, which ascend.
  private static func isLoaded(_ load: UInt64, _ present: UnsafeBufferPointer<registry_image>) -> Bool {
    var (low, high) = (0, present.count)
    while low < high {
      let middle = (low + high) / 2
      if present[middle].serial < load { low = middle + 1 } else { high = middle }
    }
    return low < present.count && present[low].serial == load
  }

  /// Adds to each further copy of the library that it is one.
  private static func reportCopies(_ images: inout [CatalogedImage], after serial: UInt64) {
    guard let first = images.first(where: \.hasLibrary)?.image else { return }
    for index in images.indices where images[index].hasLibrary && images[index].image != first {
      let image = images[index].image
      guard image.serial > serial else { continue }
      images[index].problems.append(
        Diagnostic(
          severity: .error, code: .twoCopies, subject: "swift-section-registry", image: image,
          message: "this image has a copy of the library, and \(first) (\(first.path.escapedForDisplay())) has another;"
            + " each has managers of its own, so what is registered, made or set up in one is unknown in the other:"
            + " let the app, its libraries and its plug-ins all depend on the product RegistryDynamic"))
    }
  }

  // MARK: - Images that are opened and closed

  /// Of some images, by where they are loaded, the one at an address and those that it needs, or they need.
  ///
  /// The image must stay loaded meanwhile. Asks the loader, so no lock may be held.
  static func needed(by base: UInt, among others: [UInt]) -> Set<UInt> {
    var needed: Set<UInt> = [base]
    let libraries = others.sorted()
    var isNeeded = [Bool](repeating: false, count: libraries.count)
    var open = [base]
    // Once for each that is needed, however many there are.
    while let next = open.popLast() {
      registry_open_needs(next, libraries, libraries.count, &isNeeded)
      for (library, isNeeded) in zip(libraries, isNeeded) where isNeeded && needed.insert(library).inserted {
        open.append(library)
      }
    }
    return needed
  }

  /// Counts an opening of the image at an address, and of the libraries that it needs.
  ///
  /// Records of theirs that were withdrawn come back, as those of images that came now.
  ///
  /// - Parameters:
  ///   - base: The address at which the image is loaded.
  ///   - lastLoad: The highest number of a load before the image was opened. Images with a higher
  ///     number belong to this opening, and to those that follow; the others were brought by
  ///     other code, which still needs their records.
  /// - Returns: The addresses of the images that were counted, for ``unuse(_:)``.
  static func use(at base: UInt, after lastLoad: UInt64) -> Set<UInt> {
    _ = scan()
    let known = state.withLock { $0 }
    let bases = Set((known.images + known.withdrawn).map(\.base) + known.unread.map(\.base))
    let used = needed(by: base, among: Array(bases))
    state.withLock { state in
      // Also if only a count changes: a scan that is under way would restore the old one.
      state.revision += 1
      for base in used { state.uses[base, default: Use()].count += 1 }
      // The number of the load decides, because the loader may place an image at the address of
      // another one that was closed a moment ago.
      let loads = state.images.map { ($0.base, $0.load) } + state.unread.map { ($0.base, $0.load) }
      for (base, load) in loads where load > lastLoad && used.contains(base) { state.uses[base]?.isForeign = false }
      let back = state.withdrawn.filter { used.contains($0.base) }
      guard !back.isEmpty else { return }
      state.withdrawn.removeAll { used.contains($0.base) }
      for image in back {
        state.uses[image.base]?.isForeign = false
        state.append(image.reopened(as: state.nextImage(image.image.path, batch: state.batches)))
      }
      state.batches += 1
      // Under the lock: who sees the number sees the change.
      registry_withdraw()
    }
    return used
  }

  /// Counts a closing. With the last one of an image its records are withdrawn, whether or not it is unmapped.
  static func unuse(_ used: Set<UInt>) {
    // Otherwise the next scan would find it as an image that was just loaded.
    _ = scan()
    state.withLock { state in
      state.revision += 1
      var unused: Set<UInt> = []
      for base in used {
        guard var use = state.uses[base] else { continue }
        use.count -= 1
        state.uses[base] = use.count == 0 ? nil : use
        if use.count == 0, !use.isForeign { unused.insert(base) }
      }
      let withdrawn = state.images.filter { unused.contains($0.base) }
      guard !withdrawn.isEmpty else { return }
      state.images.removeAll { unused.contains($0.base) }
      state.withdrawn += withdrawn
      registry_withdraw()
    }
  }
}
