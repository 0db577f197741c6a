internal import RegistryC

/// An image and what was found in it.
package struct CatalogedImage: Sendable {
  package let image: Image
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
  fileprivate func reopened(as image: Image) -> CatalogedImage {
    CatalogedImage(
      image: image, records: records.map { $0.moved(to: image) },
      problems: problems.map {
        Diagnostic(severity: $0.severity, code: $0.code, subject: $0.subject, image: image, message: $0.message)
      }, base: base, load: load, hasLibrary: hasLibrary)
  }
}

/// The records of every loaded image, read once for the whole process.
///
/// Nothing is read before the first look. A look costs tens of nanoseconds when no image came or went.
package enum ImageCatalog {
  /// What is known of an image as long as it, or one that needs it, is open by ``OpenedImage``.
  private struct Use {
    var count = 0
    /// It was there before: whoever brought it still needs its records.
    var isForeign = true
  }

  private struct State {
    var generation: UInt64 = 0
    /// Grows with every change, so that of two looks at once the one that knows of it wins.
    var updates = 0
    /// The highest number of a load that was seen.
    var lastLoad: UInt64 = 0
    /// The highest serial that was given.
    var lastSerial: UInt64 = 0
    var batches = 0
    var images: [CatalogedImage] = []
    /// Images that were closed and are still mapped: nobody is told of them.
    var withdrawn: [CatalogedImage] = []
    /// Images that are open by ``OpenedImage``, by where they are loaded.
    var uses: [UInt: Use] = [:]

    mutating func nextImage(_ path: String, batch: Int) -> Image {
      lastSerial += 1
      return Image(path: path, serial: lastSerial, batch: batch)
    }
  }

  private static let state = Locked(State())

  /// Changes whenever an image came or went, also one that stays mapped; never zero.
  package static var generation: UInt64 { registry_images_generation() &+ registry_withdrawals() }

  /// The images with records that are loaded now, in load order, and the generation this is the state of.
  package static func look() -> (generation: UInt64, images: [CatalogedImage]) {
    while true {
      let seen = state.withLock { $0 }
      if seen.generation == generation { return (seen.generation, seen.images) }
      // Not under the lock: keeping an image waits for the loader, and the loader may be running a
      // constructor that waits for us.
      guard let update = update(seen) else { return (seen.generation, seen.images) }
      let isFirst = state.withLock { state in
        guard state.updates == seen.updates else { return false }
        state = update
        return true
      }
      if isFirst { return (update.generation, update.images) }
    }
  }

  /// The state after a look for images; nil when memory ran out, and the next look tries again.
  private static func update(_ seen: State) -> State? {
    let withdrawals = registry_withdrawals()
    guard let snapshot = ImageSnapshot(after: seen.lastLoad) else { return nil }
    // What is read below points into it.
    defer { withExtendedLifetime(snapshot) {} }
    let present = UnsafeBufferPointer(
      start: snapshot.pointer.pointee.images, count: snapshot.pointer.pointee.image_count)
    var state = seen
    state.images.removeAll { !isLoaded($0.load, present) }
    state.withdrawn.removeAll { !isLoaded($0.load, present) }
    let added = present.filter { $0.serial > seen.lastLoad }
    // As a rule the first one: later ones list all the images that are known already, and are not to be kept for a few records.
    let keeper = added.count == present.count ? snapshot : nil
    for source in added {
      let image = state.nextImage(String(cString: source.path), batch: seen.batches)
      state.images.append(ImageReader.read(source, as: image, keeper: keeper))
    }
    reportCopies(&state.images, after: seen.lastSerial)
    state.lastLoad = max(seen.lastLoad, present.last?.serial ?? 0)
    if !added.isEmpty || seen.generation == 0 { state.batches += 1 }
    state.generation = snapshot.pointer.pointee.generation &+ withdrawals
    state.updates += 1
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

  /// Counts an opening of the image at an address, and of the libraries it needs. What was withdrawn of them comes back, as
  /// what came now.
  ///
  /// - Parameter wasThere: Whether one was known before. Of several threads that open it first, one knows that it was not.
  /// - Returns: Where those that were counted are loaded, for ``unuse(_:)``.
  static func use(at base: UInt, wasThere: (UInt) -> Bool) -> Set<UInt> {
    // What is known may be an image that has left the address since.
    let images = look().images + state.withLock { $0.withdrawn }
    let used = needed(by: base, among: images.map(\.base))
    state.withLock { state in
      // Also if only a count changes: a look that is under way would put the old one back.
      state.updates += 1
      for base in used {
        state.uses[base, default: Use()].count += 1
        if !wasThere(base) { state.uses[base]?.isForeign = false }
      }
      let back = state.withdrawn.filter { used.contains($0.base) }
      guard !back.isEmpty else { return }
      state.withdrawn.removeAll { used.contains($0.base) }
      for image in back {
        state.uses[image.base]?.isForeign = false
        state.images.append(image.reopened(as: state.nextImage(image.image.path, batch: state.batches)))
      }
      state.batches += 1
      // Under the lock: who sees the number sees the change.
      registry_withdraw()
    }
    return used
  }

  /// Counts a closing. With the last one of an image its records are withdrawn, whether or not it is unmapped.
  static func unuse(_ used: Set<UInt>) {
    // Or it would be found by the next look, as one that came.
    _ = look()
    state.withLock { state in
      state.updates += 1
      var gone: Set<UInt> = []
      for base in used {
        guard var use = state.uses[base] else { continue }
        use.count -= 1
        state.uses[base] = use.count == 0 ? nil : use
        if use.count == 0, !use.isForeign { gone.insert(base) }
      }
      let withdrawn = state.images.filter { gone.contains($0.base) }
      guard !withdrawn.isEmpty else { return }
      state.images.removeAll { gone.contains($0.base) }
      state.withdrawn += withdrawn
      registry_withdraw()
    }
  }
}
