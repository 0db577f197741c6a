#if canImport(UIKit) || canImport(AppKit)
import CloudKit

extension CloudKitShare {
  /// Creates the value that represents an accepted invitation of CloudKit.
  @MainActor init(_ metadata: CKShare.Metadata, in scene: AppScene? = nil) {
    self.init(containerIdentifier: metadata.containerIdentifier, scene: scene)
    object = SystemObject(metadata)
  }
}
#endif
