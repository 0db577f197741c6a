public import Foundation
import Lifecycle
public import Registry

/// A file that lists modules, services, and settings.
///
/// ```json
/// {"modules": [{"module": "Cart.CartModule", "level": "basic", "priority": 10,
///               "after": ["Account.AccountModule"]}],
///  "services": [{"protocol": "ShopAPI.CartService", "class": "Cart.DefaultCart",
///                "scope": "shared"}],
///  "configuration": {"shop.currency": "CHF"}}
/// ```
///
/// The content determines the format: JSON, or an XML or binary property list with the same
/// structure. Keys have the same meaning as in records. You can use BeeHive files (`BeeHive.plist`
/// with `moduleClasses`, `BHService.plist`) and Ant files (`Modules`, in `Info.plist` or another
/// file) without changes. An invalid entry does not affect the other entries, and is reported when
/// the manifest is loaded.
public struct Manifest: Sendable {
  struct ModuleEntry: Sendable {
    let location: String
    /// The location of the module's name.
    let nameLocation: String
    /// The module, with its name as the manifest spells it.
    var attributes = ModuleAttributes(module: "")
  }

  struct ServiceEntry: Sendable {
    let location: String
    let serviceLocation: String
    let implementationLocation: String
    var service = ""
    var implementation = ""
    var scope = ServiceScope.transient
    var name: String?
    var priority = 0
  }

  let name: String
  /// The problems that can be found before the manifest is loaded.
  public internal(set) var problems: [ManifestProblem] = []
  /// The settings.
  public internal(set) var configuration: [String: PropertyValue] = [:]
  var modules: [ModuleEntry] = []
  var services: [ServiceEntry] = []

  /// Reads a manifest from a file.
  ///
  /// - Throws: ``ManifestProblem`` if the file doesn't exist, can't be read, or isn't a manifest.
  public init(contentsOf url: URL) throws(ManifestProblem) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw ManifestProblem(
        .unreadableManifest, file: url.path,
        message: "the manifest '\(url.path.escapedForDisplay())' cannot be read:"
          + " \("\(error)".escapedForDisplay(limit: 1_000)); check the path, and that the bundle contains the file")
    }
    try self.init(data: data, name: url.lastPathComponent)
  }

  /// Reads a manifest from bytes.
  ///
  /// - Parameters:
  ///   - data: JSON in UTF-8, or a property list.
  ///   - name: The name of the manifest in messages.
  /// - Throws: ``ManifestProblem`` if the bytes are not a manifest.
  public init(data: Data, name: String) throws(ManifestProblem) {
    self.name = name
    do throws(ManifestSyntaxError) {
      try read(ManifestSyntax.value(of: [UInt8](data)))
    } catch {
      throw ManifestProblem(
        .malformedManifest, file: name,
        message: "'\(name.escapedForDisplay())' is not a manifest: \(error.message)")
    }
  }
}
