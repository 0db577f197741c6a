public import Registry

/// An error that occurs if a file is not a manifest.
public enum ManifestError: Error, Sendable, CustomStringConvertible {
  /// The file could not be read.
  case unreadable(file: String, underlying: any Error)
  /// The content is neither JSON nor a property list, is incomplete, or has no form of a manifest.
  case malformed(file: String, reason: String)

  /// A description of the problem, with its code.
  public var description: String {
    let text =
      switch self {
      case .unreadable(let file, let underlying):
        "the manifest '\(file.escapedForDisplay())' cannot be read: \(underlying); check the path, and that the bundle"
          + " contains the file"
      case .malformed(let file, let reason): "'\(file.escapedForDisplay())' is not a manifest: \(reason)"
      }
    return "\(text) [\(code)]"
  }

  /// The code of the problem.
  package var code: Diagnostic.Code {
    switch self {
    case .unreadable: .unreadableManifest
    case .malformed: .malformedManifest
    }
  }
}

/// A problem with an entry of a manifest, which does not affect the other entries.
public struct ManifestProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The manifest's name.
  public let file: String
  /// The location in the file, such as `modules[3].priority`.
  public let location: String
  /// The value, the expected value, and the fix.
  public let message: String

  public var description: String {
    "\(file.escapedForDisplay()): \(location.escapedForDisplay()): \(message)"
  }

  var diagnostic: Diagnostic {
    Diagnostic(
      severity: .error, code: .manifest, subject: "\(file): \(location)", image: nil, message: message)
  }
}

extension Diagnostic.Code {
  package static let manifest: Self = "manifest"
  package static let unreadableManifest: Self = "unreadable-manifest"
  package static let malformedManifest: Self = "malformed-manifest"
}

/// The result of loading a manifest.
public struct ManifestReport: Sendable, CustomStringConvertible {
  /// The names of the added modules, in the order of the manifest.
  public internal(set) var modules: [String] = []
  /// The tokens that remove the added services.
  public internal(set) var services: [RegistrationToken] = []
  /// The names of the added settings.
  public internal(set) var configuration: [String] = []
  /// The modules that the manager did not add, because it has one of the same name or the set-up
  /// failed.
  ///
  /// The manager reports them.
  public internal(set) var leftOut: [String] = []
  /// The problems with the other entries, in the order of the manifest.
  public internal(set) var problems: [ManifestProblem] = []

  /// A line for the result, and one for each problem.
  public var description: String {
    let sum =
      "\(modules.count.counted("module")), \(services.count.counted("service")), \(configuration.count.counted("setting"))"
      + (leftOut.isEmpty ? "" : "; not added: '\(leftOut.joined(separator: "', '").escapedForDisplay(limit: 1_000))'")
    return ([sum] + problems.map(\.description)).joined(separator: "\n")
  }
}
