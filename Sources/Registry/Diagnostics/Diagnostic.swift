internal import RegistryC

/// A problem that a manager or a router reports.
///
/// Managers and routers pass diagnostics to a handler, such as ``ServiceManager/onDiagnostic``, and
/// keep them for reports.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  /// The severity of a problem.
  @nonexhaustive public enum Severity: Sendable, Hashable {
    /// A problem that limits or changes the effect of code.
    case warning
    /// A failure, such as a declaration that has no effect.
    case error
  }

  /// The kind of a problem. You can compare a code with a string literal.
  ///
  /// ```swift
  /// if diagnostic.code == "tie" { … }
  /// ```
  ///
  /// `Documentation/Diagnostics.md` lists the codes, which don't change.
  public struct Code: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    /// The code at the end of a message, such as `tie`.
    public let description: String

    public init(stringLiteral code: String) {
      assert(Self.isCode(code), "'\(code)' is not a code; Documentation/Diagnostics.md lists the codes")
      description = code
    }

    /// Returns whether a string is spelled like a code. Release builds of apps omit the method.
    @_alwaysEmitIntoClient package static func isCode(_ text: String) -> Bool {
      text.utf8.allSatisfy { $0 == 0x2d || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) }
    }
  }

  private let values: Values

  /// The values of a diagnostic, shared by all copies of the structure. A single pointer makes code
  /// that creates and passes diagnostics smaller.
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
  /// The name of the subject, such as a service, implementation, module, event, flag, or record.
  public var subject: String { values.subject }
  /// The image that contains the subject, if there is one and it is known.
  public var image: LoadedImage? { values.image }
  /// A description of the problem and its fix.
  public var message: String { values.message }

  package init(severity: Severity, code: Code, subject: String, image: LoadedImage?, message: String) {
    values = Values(severity, code, subject, image, message)
  }

  package static func malformed(_ record: ExportedRecord, _ problem: String) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .malformedRecord, subject: record.location, image: record.image,
      message: "\(problem): \(record.attributes.escapedForDisplay()); the record is ignored")
  }

  /// Returns the diagnostic for an accessor that doesn't provide what the record's kind requires.
  package static func refused(_ record: ExportedRecord, _ subject: String, _ what: String) -> Diagnostic {
    record.isUnavailable
      ? Diagnostic(
        severity: .warning, code: .unavailable, subject: subject, image: record.image,
        message: "the declaration is marked as unavailable on this system; the \(what) is ignored")
      : Diagnostic(
        severity: .error, code: .accessorRefused, subject: subject, image: record.image,
        message: "the accessor of the record does not provide exactly one \(what); rebuild the image with the version"
          + " of the library that it is loaded with")
  }

  package func with(message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: subject, image: image, message: message)
  }

  /// A string with the severity, subject, image, message, and code.
  ///
  /// For example: `warning: Cart.CartModule (Shop): … [unknown-after]`.
  public var description: String { "\(severity): \(textInMessage)" }

  /// The diagnostic without its severity, for use within a message.
  package var textInMessage: String {
    let location = image.map { " (\($0))" } ?? ""
    return "\(subject.escapedForDisplay())\(location): \(message) [\(code)]"
  }

  /// The default handler, which writes diagnostics to standard error.
  public static let toStandardError: @Sendable (Diagnostic) -> Void = { diagnostic in
    "swift-section-registry: \(diagnostic)".logLine()
  }
}

extension String {
  /// Writes the text and a line break to standard error, unless that fails.
  package func logLine() {
    var line = self + "\n"
    line.withUTF8 { $0.withMemoryRebound(to: CChar.self) { registry_log($0.baseAddress!, $0.count) } }
  }
}

// Documentation/DiagnosticCodes.txt describes the codes of all targets.
extension Diagnostic.Code {
  package static var noRecords: Self { "no-records" }
  package static var malformedRecord: Self { "malformed-record" }
  package static var unsupportedVersion: Self { "unsupported-version" }
  package static var unknownClass: Self { "unknown-class" }
  package static var unknownProtocol: Self { "unknown-protocol" }
  package static var notConforming: Self { "not-conforming" }
  package static var accessorRefused: Self { "accessor-refused" }
  package static var unavailable: Self { "unavailable" }
  package static var duplicate: Self { "duplicate" }
  package static var tie: Self { "tie" }
  package static var takeover: Self { "takeover" }
  package static var replacedInUse: Self { "replaced-in-use" }
  package static var replacesItself: Self { "replaces-itself" }
  package static var replacementCycle: Self { "replacement-cycle" }
  package static var twoTypes: Self { "two-types" }
  package static var optionalService: Self { "optional-service" }
  package static var twoCopies: Self { "two-copies" }
  package static var imageNotReady: Self { "image-not-ready" }
  package static var outOfMemory: Self { "out-of-memory" }
}
