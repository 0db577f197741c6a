internal import RegistryC

/// Something that is wrong without being an error of the call at hand.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable, Hashable {
    /// Something is not served as it was written.
    case warning
    /// Something is not served at all.
    case error
  }

  /// What is wrong, for code to tell apart.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public var description: String { rawValue }
  }

  public let severity: Severity
  public let code: Code
  /// The service, module, event or record that it is about, by name.
  public let subject: String
  /// The image that the subject comes from, where one is known.
  public let image: LoadedImage?
  /// What is wrong and what to do about it.
  public let message: String

  package init(severity: Severity, code: Code, subject: String, image: LoadedImage?, message: String) {
    self.severity = severity
    self.code = code
    self.subject = subject
    self.image = image
    self.message = message
  }

  /// One line: `warning: Cart.CartModule (Shop): … [unknown-after]`.
  public var description: String {
    let location = image.map { " (\($0))" } ?? ""
    return "\(severity): \(subject.escapedForDisplay())\(location): \(message) [\(code)]"
  }

  /// Writes the diagnostic to standard error: what managers do unless they are told otherwise.
  public static let toStandardError: @Sendable (Diagnostic) -> Void = { diagnostic in
    var line = "swift-section-registry: \(diagnostic)\n"
    line.withUTF8 { $0.withMemoryRebound(to: CChar.self) { registry_log($0.baseAddress!, $0.count) } }
  }
}

extension Diagnostic.Code {
  /// Bytes that should be a record and are none, or a record whose JSON cannot be used.
  public static let malformedRecord = Self(rawValue: "malformed-record")
  /// A record of a layout that this version of the library does not read.
  public static let unsupportedVersion = Self(rawValue: "unsupported-version")
  /// A record names a class that no loaded image has.
  public static let unknownClass = Self(rawValue: "unknown-class")
  /// A class or its instance is not what the record says it is.
  public static let notConforming = Self(rawValue: "not-conforming")
  /// A record's accessor does not serve the type that it said it serves.
  public static let accessorRefused = Self(rawValue: "accessor-refused")
  /// A type is exported that is marked as not available on this system.
  public static let unavailable = Self(rawValue: "unavailable")
  /// The same thing exported twice; the first is used.
  public static let duplicate = Self(rawValue: "duplicate")
  /// Two implementations with equal claims; load order decided.
  public static let tie = Self(rawValue: "tie")
  /// A later image or registration claims what an earlier one has; the earlier one keeps it.
  public static let takeover = Self(rawValue: "takeover")
  /// Two images have a copy of one protocol each, and services exported for one are not found for the other.
  public static let twoTypes = Self(rawValue: "two-types")
  /// Two images of the process have a copy of this library each, which know nothing of each other.
  public static let twoCopies = Self(rawValue: "two-copies")
  /// An image has records and cannot be read yet, because the loader is still running its
  /// initializers.
  public static let imageNotReady = Self(rawValue: "image-not-ready")
  /// Memory ran out during a scan of the loaded images.
  public static let outOfMemory = Self(rawValue: "out-of-memory")
}

/// What a manager has found, and what is wrong with it.
public struct RegistryReport: Sendable, CustomStringConvertible {
  /// Every record in the manager's images, in load order.
  public let records: [ExportedRecord]
  /// Every problem so far, the oldest first. At most 1,000 different ones are kept.
  public let diagnostics: [Diagnostic]

  package init(records: [ExportedRecord], diagnostics: [Diagnostic]) {
    self.records = records
    self.diagnostics = diagnostics
  }

  /// A line for every record and every problem.
  public var description: String {
    (records.map(\.description) + diagnostics.map(\.description)).joined(separator: "\n")
  }
}
