public import Registry

/// An image that a manager opened, and its modules. The image stays open until ``close()`` is
/// called, even if this object is released.
@MainActor public final class PlugIn {
  private let opened: OpenedImage
  private let manager: ModuleManager

  init(_ opened: OpenedImage, _ manager: ModuleManager) {
    self.opened = opened
    self.manager = manager
  }

  /// The records of the image and of the libraries that were loaded with it; empty if the image was
  /// already open.
  public var records: [ExportedRecord] { opened.records }

  /// The names of the plug-in's modules that are set up, in module order; empty if ``records`` is.
  public var moduleNames: [String] {
    let images = Set(of: records.map(\.image))
    return manager.runner.modulesSetUp.filter { $0.image.map(images.contains) ?? false }.map(\.name)
  }

  /// Tears down the plug-in's modules in reverse order, removes the plug-in's handlers, services,
  /// and records, and closes the image.
  ///
  /// The same happens to the libraries that were loaded with the image. An image or library that
  /// other code has opened keeps its modules and records. Asynchronous modules are torn down after
  /// their shutdown, when the services are gone. Events in progress no longer reach the modules.
  /// Clients keep the service instances that they hold. An image with Swift code stays mapped,
  /// because the runtime keeps pointers into it; opening it again sets up its modules again.
  /// Further calls have no effect.
  public func close() {
    opened.close {
      manager.runner.scan()
      manager.context.permanentServices.refresh()
    }
  }
}

extension ModuleManager {
  /// Opens an image that exports modules and services.
  ///
  /// ```swift
  /// let plugIn = try modules.openPlugIn(at: "/opt/shop/libPromotion.so")
  /// defer { plugIn.close() }
  /// ```
  ///
  /// If the manager isn't running, the modules wait for the start. Otherwise, they're set up and
  /// initialized in module order, immediately unless their attributes delay that; a module that
  /// throws is reported and removed. The image's services rank after existing services unless they
  /// state what they replace. Duplicate modules are ignored, and conflicts are reported.
  ///
  /// The image is opened for the whole process, so other managers that read images find its records
  /// at their next scan. The image's symbols are local. The app and the plug-in must both link the
  /// product `RegistryDynamic` to share one copy of this package's code; a second copy is reported
  /// as `two-copies`. The method blocks while the loader works.
  ///
  /// - Parameter path: The path of the file, or a name without a slash, which the loader looks up.
  /// - Throws: ``/Registry/ImageLoadError`` with the reason.
  @discardableResult
  public func openPlugIn(at path: String) throws(ImageLoadError) -> PlugIn {
    let opened = try OpenedImage(path)
    context.permanentServices.refresh()
    scanImages()
    context.log.remark(
      .noRecords, path,
      opened.hasRecords ? nil : "the image exports nothing; open the library whose target has the exports")
    return PlugIn(opened, self)
  }
}
