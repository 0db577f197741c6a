internal import RegistryC

/// An image that your code opened at run time.
///
/// ```swift
/// let plugIn = try ServiceManager.shared.openImage(at: "/opt/shop/libPromotion.so")
/// plugIn.close()
/// ```
///
/// The image stays open until ``close()``, even if this object is released.
public final class OpenedImage: Sendable {
  /// The path that was passed to open the image.
  public let path: String
  /// The image; nil if it has no records, is unknown, or is still initialized by another thread.
  public let image: LoadedImage?
  /// The records that became available when the image was opened, including records of libraries
  /// that were loaded with the image. If the image was already open, the array is empty.
  public let records: [ExportedRecord]

  /// A Boolean value that indicates whether the image or a library that it needs has records.
  package let hasRecords: Bool

  private let handle: UInt
  let base: UInt
  private let used: [ImageCatalog.Use]
  private let refresh: @Sendable () -> Void
  private let isOpen = Locked(true)

  /// Opens an image and runs its initializers on the calling thread, which blocks while the loader
  /// works.
  ///
  /// - Parameters:
  ///   - known: A scan of the images that were loaded earlier; by default, a new scan.
  ///   - refresh: A closure that ``close()`` calls when the records have been withdrawn.
  /// - Throws: ``ImageLoadError`` with the reason.
  package init(
    _ path: String, after known: RecordScan? = nil, refresh: @escaping @Sendable () -> Void = {}
  ) throws(ImageLoadError) {
    let before = known ?? ImageCatalog.scan()
    // The loader opens the program itself for an empty path, and ignores bytes after a zero.
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .notOpened(path: path, reason: path.isEmpty ? "the path is empty" : "the path contains a NUL byte")
    }
    // Opening waits for the loader anyway, so the calls below may wait for the loader as well.
    registry_open_begin()
    defer { registry_open_end() }
    var problem = [CChar](repeating: 0, count: 1_000)
    guard let pointer = registry_open(path, &problem, problem.count) else {
      let text = problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .notOpened(path: path, reason: String(decoding: text, as: UTF8.self))
    }
    // Pin images with Swift code, including dependencies, before other code can close them.
    registry_pin_swift()
    // A scan on another thread may have missed classes that were unknown until now.
    registry_withdraw()
    let base = UInt(registry_open_base(pointer))
    let used = base == 0 ? [] : ImageCatalog.use(at: base, after: before.lastLoad)
    let images = ImageCatalog.scan().images
    image = images.last { $0.base == base && base != 0 }?.image
    // Another thread may have opened another image since the scan, so select the images that this
    // image needs. The image itself may have no records.
    let own = images.filter { used.contain($0.base) }
    hasRecords = !own.isEmpty
    records = own.filter { $0.image.serial > before.lastSerial }.flatMap(\.all)
    handle = UInt(bitPattern: pointer)
    (self.path, self.base, self.used, self.refresh) = (path, base, used, refresh)
  }

  /// Closes the image, and withdraws the records of the image and of libraries loaded with it.
  ///
  /// Images that other code has opened with a manager, and the libraries that they need, keep their
  /// records until that code closes them. Images that were loaded without a manager keep theirs.
  ///
  /// The manager that opened the image removes the services immediately, and other managers at
  /// their next scan. During this call, the loader can unmap images that are no longer needed,
  /// except images with Swift code, because the runtime keeps pointers into them. Opening an image
  /// that stayed mapped restores its records.
  ///
  /// You can call this method on any thread. Further calls have no effect.
  public func close() {
    close(refresh)
  }

  /// Withdraws the image's records, calls a closure, and then makes the loader close the image.
  package func close(_ whenWithdrawn: () -> Void) {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    guard wasOpen else { return }
    ImageCatalog.unuse(used)
    whenWithdrawn()
    _ = registry_close(UnsafeMutableRawPointer(bitPattern: handle)!)
    // Scan now, so that a later load at this address counts as a different image.
    _ = ImageCatalog.scan()
  }
}

/// An error thrown when an image can't be opened.
@nonexhaustive public enum ImageLoadError: Error, Sendable, CustomStringConvertible {
  /// The image was not opened.
  ///
  /// - Parameters:
  ///   - path: The path of the image.
  ///   - reason: The loader's message, or the problem with the path.
  case notOpened(path: String, reason: String)

  package var code: Diagnostic.Code { .imageNotOpened }

  /// A description of the problem and its fix, followed by the code.
  public var description: String {
    switch self {
    case .notOpened(let path, let reason):
      "\(path.quotedForDisplay()) cannot be opened: \(reason.escapedForDisplay(limit: 1_000)); pass the path of a library"
        + " for this system and processor, and check that the libraries it needs can be found [\(code)]"
    }
  }
}

extension Diagnostic.Code {
  package static var imageNotOpened: Self { "image-not-opened" }
}
