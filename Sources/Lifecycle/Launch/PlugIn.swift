public import Registry

/// An image that was opened while the app runs, with its modules: ``ModuleManager/open(_:)``.
///
/// It stays open until ``close()``, also when this value is let go of.
@MainActor public final class PlugIn {
  private let opened: OpenedImage
  private let manager: ModuleManager
  /// The images that came with it.
  private let images: Set<LoadedImage>

  init(_ opened: OpenedImage, _ manager: ModuleManager) {
    self.opened = opened
    self.manager = manager
    images = Set(opened.records.map(\.image))
  }

  /// As it was given.
  public var path: String { opened.path }

  /// The image; nil if it has no records.
  public var image: LoadedImage? { opened.image }

  /// The records that came with it, also those of libraries that it needs and that were not there before. None when it
  /// was open already.
  public var records: [ExportedRecord] { opened.records }

  /// The names of the modules that came with it and are set up, in order. None before the manager is started.
  public var modules: [String] {
    manager.order().filter { $0.state == .setUp && !$0.isHandler && $0.image.map(images.contains) ?? false }.map(\.name)
  }

  /// Tears the image's modules down in reverse order, withdraws their subscriptions, its services and its records, also
  /// those of the libraries that came with it, and closes it. What somebody else has open too stays until they close it.
  ///
  /// The loader unmaps an image that nobody needs, unless it holds Swift: the run time keeps pointers into it, so it stays
  /// mapped, and its modules are set up anew when it is opened again. Instances of its services live on with whoever holds
  /// them. Events under way do not reach its modules any more. The second call does nothing.
  public func close() {
    opened.close {
      manager.look()
      manager.context.services.refresh()
    }
  }
}

extension ModuleManager {
  /// Opens an image, for the modules and services that it exports: a plug-in.
  ///
  /// ```swift
  /// let plugIn = try modules.open("/opt/shop/libPromotion.so")
  /// defer { plugIn.close() }
  /// ```
  ///
  /// Once the manager is started the modules are set up and initialised at once, in order among themselves; one that
  /// throws is dropped and reported. Before that they wait for the start with all others. What the image exports comes after
  /// what is there and takes nothing over: an attempt is reported with both images.
  ///
  /// The image is opened for the process, with its symbols its own: other managers that take records from it find them at
  /// their next look. App and plug-in depend on the product `RegistryDynamic`, so that they share one copy of the library; a
  /// second copy is reported (``Diagnostic/Code/twoCopies``). Blocks while the loader works.
  ///
  /// - Parameter path: The file; a name without a slash is looked for where the loader looks.
  /// - Throws: ``ImageLoadError``, with the loader's words.
  @discardableResult
  public func open(_ path: String) throws(ImageLoadError) -> PlugIn {
    let opened = try OpenedImage.open(path)
    context.services.refresh()
    scanImages()
    return PlugIn(opened, self)
  }
}
