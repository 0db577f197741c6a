public import Foundation
import Lifecycle
public import Registry

/// A file that lists modules, services and settings.
///
/// ```json
/// {"modules": [{"module": "Cart.CartModule", "level": "basic", "priority": 10, "after": ["Account.AccountModule"]}],
///  "services": [{"protocol": "ShopAPI.CartService", "class": "Cart.DefaultCart", "scope": "shared"}],
///  "configuration": {"shop.currency": "CHF"}}
/// ```
///
/// JSON, or the same as a property list, XML or binary: its content tells which. The keys are those of records. BeeHive's own files
/// are read as they are (`BeeHive.plist` with `moduleClasses`, `BHService.plist`), and Ant's (`Modules`, in `Info.plist` or another).
/// An entry that is wrong does not keep the others from being used; ``problems`` has it, and whoever loads the manifest reports it.
public struct Manifest: Sendable {
  /// A module to be added.
  struct ModuleEntry: Sendable, Hashable {
    var location = ""
    var name = ""
    var level = ModuleLevel.normal
    var priority = 0
    var after: [String] = []
    var activation = ModuleActivation.atLaunch
    var initialization = ModuleInitialization.inStart
    var replaysMissedPhases = false
  }

  /// A service to be added.
  struct ServiceEntry: Sendable, Hashable {
    var location = ""
    var service = ""
    var implementation = ""
    var scope = ServiceScope.transient
    var name: String?
    var priority = 0
  }

  /// What messages call it.
  public let name: String
  /// What is wrong with it, as far as it can be told before it is loaded.
  public internal(set) var problems: [ManifestProblem] = []
  /// The settings.
  public internal(set) var configuration: [String: PropertyValue] = [:]
  var modules: [ModuleEntry] = []
  var services: [ServiceEntry] = []

  /// Reads a manifest from a file.
  ///
  /// - Throws: ``ManifestError`` if there is none, or if it is nothing of the kind.
  public init(contentsOf url: URL) throws(ManifestError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw .unreadable(file: url.path, underlying: error)
    }
    try self.init(data: data, name: url.lastPathComponent)
  }

  /// Reads a manifest from bytes.
  ///
  /// - Parameters:
  ///   - data: JSON in UTF-8, or a property list.
  ///   - name: What messages call it.
  public init(data: Data, name: String) throws(ManifestError) {
    self.name = name
    do throws(ManifestSyntaxError) {
      try read(ManifestSyntax.value(of: [UInt8](data)))
    } catch {
      throw .malformed(file: name, reason: error.message)
    }
  }
}
