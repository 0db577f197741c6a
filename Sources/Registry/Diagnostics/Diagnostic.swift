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

  /// The kind of a problem, which code can compare with a string literal.
  ///
  /// ```swift
  /// if diagnostic.code == "tie" { … }
  /// ```
  ///
  /// Diagnostics.md lists the codes, which do not change.
  public struct Code: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    /// The code at the end of a message, such as `tie`.
    public let description: String

    public init(stringLiteral code: String) { description = code }
  }

  private let values: Values

  /// The values of a diagnostic, which every copy of the structure shares.
  ///
  /// All code that reports problems creates or passes diagnostics. A single pointer makes it
  /// smaller than the values do.
  private final class Values: Sendable, Hashable {
    let severity: Severity
    let code: Code
    let subject: String
    let image: LoadedImage?
    let message: String

    init(_ severity: Severity, _ code: Code, _ subject: String, _ image: LoadedImage?, _ message: String) {
      self.severity = severity
      self.code = code
      self.subject = subject
      self.image = image
      self.message = message
    }

    static func == (a: Values, b: Values) -> Bool {
      a.severity == b.severity && a.code == b.code && a.subject == b.subject && a.image == b.image
        && a.message == b.message
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(subject)
      hasher.combine(message)
    }
  }

  /// The severity of the problem.
  public var severity: Severity { values.severity }
  /// The kind of the problem.
  public var code: Code { values.code }
  /// The name of the service, module, event, or record with the problem.
  public var subject: String { values.subject }
  /// The image that contains the subject; nil if there is none or it is unknown.
  public var image: LoadedImage? { values.image }
  /// A description of the problem and of its fix.
  public var message: String { values.message }

  package init(severity: Severity, code: Code, subject: String, image: LoadedImage?, message: String) {
    values = Values(severity, code, subject, image, message)
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
  package static let malformedRecord: Self = "malformed-record"
  /// A record whose layout this version of the library does not read.
  package static let unsupportedVersion: Self = "unsupported-version"
  /// A record with the name of a class that no loaded image contains.
  package static let unknownClass: Self = "unknown-class"
  /// A C record with the name of a protocol that no loaded image declares.
  package static let unknownProtocol: Self = "unknown-protocol"
  /// A class or an instance that does not conform as its record or registration requires.
  package static let notConforming: Self = "not-conforming"
  /// A record whose accessor does not serve the type that it reported.
  package static let accessorRefused: Self = "accessor-refused"
  /// An exported type that is marked as unavailable on this system.
  package static let unavailable: Self = "unavailable"
  /// A second declaration of the same thing; the first one is used.
  package static let duplicate: Self = "duplicate"
  /// Two implementations with the same precedence, so that load order decides.
  package static let tie: Self = "tie"
  /// A later implementation with a higher priority than an earlier one, which stays preferred.
  package static let takeover: Self = "takeover"
  /// A registration or an image that replaces a shared or cached service whose instance is in use.
  package static let replacedInUse: Self = "replaced-in-use"
  /// An implementation that names itself as the one that it replaces.
  package static let replacesItself: Self = "replaces-itself"
  /// Implementations that replace each other, so that their replacements are ignored.
  package static let replacementCycle: Self = "replacement-cycle"
  /// Two types with the same name, such as copies of one protocol in two images.
  ///
  /// A service that is exported for one type is not found for the other.
  package static let twoTypes: Self = "two-types"
  /// A registration, an export, or a lookup of an optional instead of the type that it wraps.
  package static let optionalService: Self = "optional-service"
  /// Two images that each contain a copy of this library, with separate managers.
  package static let twoCopies: Self = "two-copies"
  /// An image whose records cannot be read yet, because the loader still runs its initializers.
  package static let imageNotReady: Self = "image-not-ready"
  /// A scan of the loaded images that ran out of memory.
  package static let outOfMemory: Self = "out-of-memory"
}
