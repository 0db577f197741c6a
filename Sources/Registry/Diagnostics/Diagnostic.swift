internal import RegistryC

/// A problem that a manager reports without throwing an error.
///
/// Managers pass diagnostics to a handler, such as ``ServiceManager/onDiagnostic``, and keep them
/// for reports.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// The severity of a problem.
  public enum Severity: String, Sendable, Hashable {
    /// A problem that limits or changes the effect of a declaration.
    case warning
    /// A problem that prevents the effect of a declaration.
    case error
  }

  /// The kind of a problem, which code can compare.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public var description: String { rawValue }
  }

  /// The severity of the problem.
  public let severity: Severity
  /// The kind of the problem.
  public let code: Code
  /// The name of the service, module, event, or record with the problem.
  public let subject: String
  /// The image that contains the subject; nil if there is none or it is unknown.
  public let image: LoadedImage?
  /// A description of the problem and of its fix.
  public let message: String

  package init(severity: Severity, code: Code, subject: String, image: LoadedImage?, message: String) {
    self.severity = severity
    self.code = code
    self.subject = subject
    self.image = image
    self.message = message
  }

  /// Returns a diagnostic about a record that is ignored.
  package static func malformed(_ record: ExportedRecord, _ problem: String) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .malformedRecord, subject: record.location, image: record.image,
      message: "\(problem): \(record.attributes.escapedForDisplay()); the record is ignored")
  }

  /// Returns the same diagnostic with another message.
  package func with(message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: subject, image: image, message: message)
  }

  /// The diagnostic in one line.
  ///
  /// An example is `warning: Cart.CartModule (Shop): … [unknown-after]`.
  public var description: String { "\(severity): \(textInMessage)" }

  /// The diagnostic without its severity, for a message that contains it.
  package var textInMessage: String {
    let location = image.map { " (\($0))" } ?? ""
    return "\(subject.escapedForDisplay())\(location): \(message) [\(code)]"
  }

  /// A handler that writes diagnostics to standard error, which managers use by default.
  public static let toStandardError: @Sendable (Diagnostic) -> Void = { diagnostic in
    var line = "swift-section-registry: \(diagnostic)\n"
    line.withUTF8 { $0.withMemoryRebound(to: CChar.self) { registry_log($0.baseAddress!, $0.count) } }
  }
}

extension Diagnostic.Code {
  /// Bytes that should be a record and are not, or a record with invalid JSON.
  public static let malformedRecord = Self(rawValue: "malformed-record")
  /// A record whose layout this version of the library does not read.
  public static let unsupportedVersion = Self(rawValue: "unsupported-version")
  /// A record with the name of a class that no loaded image contains.
  public static let unknownClass = Self(rawValue: "unknown-class")
  /// A C record with the name of a protocol that no loaded image declares.
  public static let unknownProtocol = Self(rawValue: "unknown-protocol")
  /// A class or an instance that does not conform as its record or registration requires.
  public static let notConforming = Self(rawValue: "not-conforming")
  /// A record whose accessor does not serve the type that it reported.
  public static let accessorRefused = Self(rawValue: "accessor-refused")
  /// An exported type that is marked as unavailable on this system.
  public static let unavailable = Self(rawValue: "unavailable")
  /// A second declaration of the same thing; the first one is used.
  public static let duplicate = Self(rawValue: "duplicate")
  /// Two implementations with the same precedence, so that load order decides.
  public static let tie = Self(rawValue: "tie")
  /// A later implementation with a higher priority than an earlier one, which stays preferred.
  public static let takeover = Self(rawValue: "takeover")
  /// A registration or an image that replaces a shared or cached service whose instance is in use.
  public static let replacedInUse = Self(rawValue: "replaced-in-use")
  /// An implementation that names itself as the one that it replaces.
  public static let replacesItself = Self(rawValue: "replaces-itself")
  /// Implementations that replace each other, so that their replacements are ignored.
  public static let replacementCycle = Self(rawValue: "replacement-cycle")
  /// An implementation that replaces one that no loaded image exports.
  public static let unknownReplaced = Self(rawValue: "unknown-replaced")
  /// Two types with the same name, such as copies of one protocol in two images.
  ///
  /// A service that is exported for one type is not found for the other.
  public static let twoTypes = Self(rawValue: "two-types")
  /// A registration, an export, or a lookup of an optional instead of the type that it wraps.
  public static let optionalService = Self(rawValue: "optional-service")
  /// Two images that each contain a copy of this library, with separate managers.
  public static let twoCopies = Self(rawValue: "two-copies")
  /// An image whose records cannot be read yet, because the loader still runs its initializers.
  public static let imageNotReady = Self(rawValue: "image-not-ready")
  /// A scan of the loaded images that ran out of memory.
  public static let outOfMemory = Self(rawValue: "out-of-memory")
}
