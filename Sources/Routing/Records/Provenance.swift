internal import Registry

/// The source of a handler, and its rank among the handlers of one route or action.
struct Provenance: Sendable {
  /// The source location of the handler, or the name of the exported type.
  let location: String
  /// The record of the handler, or nil for a registration at run time.
  let record: ExportedRecord?
  let rank: Rank

  /// The image that exports the handler, or nil for a registration at run time.
  var image: LoadedImage? { record?.image }

  /// The name of the handler in messages, such as `'Shop/Orders.swift:12:1' (Shop)`.
  var label: String { "'\(location.escapedForDisplay())'" + (image.map { " (\($0))" } ?? "") }

  /// Returns whether an image with one of the serials exports the handler.
  func isFrom(_ images: Set<UInt64>) -> Bool { image.map { images.contains($0.serial) } ?? false }

  var module: String { String(location.prefix { $0 != "/" && $0 != "." }) }

  func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: location, image: image, message: message)
  }
}
