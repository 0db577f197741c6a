public import Registry

/// Why a file is no manifest.
public enum ManifestError: Error, Sendable, CustomStringConvertible {
  /// The file could not be read.
  case unreadable(file: String, underlying: any Error)
  /// What is in it is neither JSON nor a property list, or breaks off, or is nothing that a manifest may be.
  case malformed(file: String, reason: String)

  public var description: String {
    switch self {
    case .unreadable(let file, let underlying):
      "the manifest \(file.escapedForDisplay()) cannot be read: \(underlying); is the path right, and is it in the bundle?"
    case .malformed(let file, let reason):
      "\(file.escapedForDisplay()) is no manifest: \(reason)"
    }
  }
}

/// What is wrong with one entry of a manifest; the others are used.
public struct ManifestProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The manifest's name.
  public let file: String
  /// The location in the file, such as `modules[3].priority`.
  public let location: String
  /// What is there, what is wanted, and the way out.
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
  /// An entry of a manifest cannot be used.
  public static let manifest = Self(rawValue: "manifest")
}

/// What came of a manifest.
public struct ManifestReport: Sendable, CustomStringConvertible {
  /// The modules that were added, by name, in the order of the manifest.
  public internal(set) var modules: [String] = []
  /// The services that were added, and what takes each back.
  public internal(set) var services: [RegistrationToken] = []
  /// The names of the settings that were given.
  public internal(set) var configuration: [String] = []
  /// Modules that the manager did not take: it has one of that name, or its set-up threw. Reported by the manager.
  public internal(set) var leftOut: [String] = []
  /// What is wrong with the others, in the order of the manifest.
  public internal(set) var problems: [ManifestProblem] = []

  /// A line for what came, and one for each problem.
  public var description: String {
    let sum =
      "\(modules.count) modules, \(services.count) services, \(configuration.count) settings"
      + (leftOut.isEmpty ? "" : "; left out: \(leftOut.joined(separator: ", ").escapedForDisplay(limit: 1_000))")
    return ([sum] + problems.map(\.description)).joined(separator: "\n")
  }
}
