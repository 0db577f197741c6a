internal import RegistryC

/// An image that was opened while the program runs: ``ServiceManager/open(_:)``.
///
/// It stays open until ``close()``, also when this value is let go of.
public final class OpenedImage: Sendable {
  /// As it was given.
  public let path: String
  /// The image; nil if it has no records, or if another thread is still running its initializers.
  public let image: LoadedImage?
  /// The records that came with it, also those of libraries that it needs and that were not there before. None when it
  /// was open already.
  public let records: [ExportedRecord]

  private let handle: ImageHandle
  private let isOpen = Locked(true)

  private init(path: String, image: LoadedImage?, records: [ExportedRecord], handle: ImageHandle) {
    self.path = path
    self.image = image
    self.records = records
    self.handle = handle
  }

  /// Opens an image. Blocks while the loader works; runs the image's initialisers on this thread.
  package static func open(_ path: String) throws(ImageLoadError) -> OpenedImage {
    let before = ImageCatalog.scan()
    let handle = try ImageHandle.open(path, after: before)
    let images = ImageCatalog.scan().images
    let own = images.first { $0.base == handle.base && handle.base != 0 }
    let last = before.images.last?.image.serial ?? 0
    // What others opened meanwhile is not among what this one needs. It may be without records itself.
    let added = images.filter { $0.image.serial > last }
    let records = added.filter { handle.used.contains($0.base) }.flatMap(\.records)
    return OpenedImage(path: path, image: own?.image, records: records, handle: handle)
  }

  /// Withdraws the image's records, and those of the libraries that came with it, and closes it. What others have opened
  /// here, or what they opened needs, stays until they close it; what was there by other means stays.
  ///
  /// Managers withdraw its services at their next look. The loader unmaps an image that nobody needs, unless it holds
  /// Swift: the run time keeps pointers into it, so it stays mapped and comes back when it is opened again. The second call
  /// does nothing. Any thread.
  public func close() {
    close {}
  }

  /// The same, with something to be done when the records are withdrawn and the image is still mapped.
  package func close(_ whenWithdrawn: () -> Void) {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    handle.close(whenWithdrawn)
  }
}

/// Why an image could not be opened.
public enum ImageLoadError: Error, Sendable, CustomStringConvertible {
  /// The loader refused, in its own words.
  case notOpened(path: String, reason: String)

  /// What happened and what to do about it.
  public var description: String {
    switch self {
    case .notOpened(let path, let reason):
      return "\(path.escapedForDisplay()) was not opened: \(reason.escapedForDisplay(limit: 1_000)). Give the path of a"
        + " library for this system and processor, and see that the libraries it needs are where it looks for them"
    }
  }
}

/// What the loader gave for an open image: the same for everybody who opens that image.
struct ImageHandle: Sendable {
  /// Compared and handed back, nothing else.
  private let bits: UInt
  let base: UInt
  /// Where it and the libraries it needs are loaded, as far as they have records.
  let used: Set<UInt>

  /// Opens an image.
  ///
  /// - Parameter before: A scan of the catalog from before the opening. It tells what the opening
  ///   brings from what was there already.
  static func open(_ path: String, after before: ImageCatalog.Scan) throws(ImageLoadError) -> ImageHandle {
    // The loader takes no path for the program itself, and reads none beyond a zero.
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .notOpened(path: path, reason: path.isEmpty ? "the path is empty" : "the path has a zero byte in it")
    }
    var problem = [CChar](repeating: 0, count: 1_000)
    guard let pointer = registry_open(path, &problem, problem.count) else {
      let text = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .notOpened(path: path, reason: String(decoding: text, as: UTF8.self))
    }
    // Before anybody can close it; also what came along as a dependency.
    registry_pin_swift()
    let base = UInt(registry_open_base(pointer))
    let used = base == 0 ? [] : ImageCatalog.use(at: base, after: before.lastLoad)
    return ImageHandle(bits: UInt(bitPattern: pointer), base: base, used: used)
  }

  func close(_ whenWithdrawn: () -> Void) {
    ImageCatalog.unuse(used)
    whenWithdrawn()
    _ = registry_close(UnsafeMutableRawPointer(bitPattern: bits)!)
    // Scan now, so that a later load at this address counts as another image.
    _ = ImageCatalog.scan()
  }
}
