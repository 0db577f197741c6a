public import Registry

/// A problem with a manifest or one of its entries.
public struct ManifestProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The code of the problem.
  ///
  /// It is `unreadable-manifest` if the file cannot be read, `malformed-manifest` if the content is
  /// neither JSON nor a property list, is incomplete, or isn't a manifest, and `manifest` for a
  /// problem with a key, a list, or an entry.
  public let code: Diagnostic.Code
  /// The manifest's name, or the path of a file that cannot be read.
  public let file: String
  /// The location in the file, such as `modules[3].priority`; empty for the whole file.
  public let location: String
  /// The problem and, in most cases, the fix.
  public let message: String

  init(_ code: Diagnostic.Code = .manifest, file: String, location: String = "", message: String) {
    self.code = code
    self.file = file
    self.location = location
    self.message = message
  }

  /// A description of the problem with its location in the file, or with its code if it concerns
  /// the whole file.
  public var description: String {
    location.isEmpty
      ? "\(message) [\(code)]" : "\(file.escapedForDisplay()): \(location.escapedForDisplay()): \(message)"
  }

  var diagnostic: Diagnostic {
    Diagnostic(
      severity: .error, code: .manifest, subject: "\(file): \(location)", image: nil, message: message)
  }
}

extension Diagnostic.Code {
  package static var manifest: Self { "manifest" }
  package static var unreadableManifest: Self { "unreadable-manifest" }
  package static var malformedManifest: Self { "malformed-manifest" }
}

/// The result of loading a manifest.
public struct ManifestReport: Sendable, CustomStringConvertible {
  /// The names of the added modules, in the order of the manifest.
  public internal(set) var modules: [String] = []
  /// The tokens that remove the added services.
  public internal(set) var services: [RegistrationToken] = []
  var settingCount = 0
  /// The names of the modules that the manager rejected and reported.
  ///
  /// For example, the manager already has a module with the same name, or the setup failed.
  public internal(set) var skippedModules: [String] = []
  /// All other problems with the manifest.
  public internal(set) var problems: [ManifestProblem] = []

  /// A line that summarizes the result, and a line for each problem.
  public var description: String {
    let sum =
      "\(modules.count.counted("module")), \(services.count.counted("service")), \(settingCount.counted("setting"))"
      + (skippedModules.isEmpty
        ? "" : "; not added: '\(skippedModules.joined(separator: "', '").escapedForDisplay(limit: 1_000))'")
    return ([sum] + problems.map(\.description)).joined(separator: "\n")
  }
}
