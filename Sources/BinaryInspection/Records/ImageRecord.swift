import Registry

/// A record with its image.
struct ImageRecord {
  let image: InspectedImage
  let record: InspectedRecord

  /// The contents of the record.
  ///
  /// They are read again on each access, because they take more memory than the JSON.
  var contents: RecordContents { record.contents }

  /// Returns whether this record and another one of its name can be two modules at run time.
  ///
  /// The accessors of Swift records return types, and the compiler refuses a second record for a
  /// type. Two such records in one image are therefore for two private types with the same name.
  /// Objects are compared like one image, because they can be linked into one.
  func canBeAnotherType(than other: ImageRecord) -> Bool {
    guard record.hasAccessor, other.record.hasAccessor else { return false }
    if image.isObject, other.image.isObject { return true }
    return image.path == other.image.path && image.member == other.image.member && image.start == other.image.start
  }

  /// Returns the records that are not malformed, one at a time.
  static func all(in images: [InspectedImage]) -> some Sequence<ImageRecord> {
    images.lazy.flatMap { image in
      image.records.lazy.filter { !$0.isMalformed }.map { ImageRecord(image: image, record: $0) }
    }
  }

  /// The name in messages: the class with its source location, or the handler, and the image.
  var label: String {
    let subject = contents.subject ?? ""
    let location = record.location.flatMap { $0 == subject ? nil : ", \($0.escapedForDisplay())" } ?? ""
    return "'\(subject.escapedForDisplay())' (\(image.name.escapedForDisplay(limit: 1_000))\(location))"
  }

  /// Creates a problem of the record.
  func problem(
    _ code: Diagnostic.Code, subject: String? = nil, _ message: String, hint: String = ""
  ) -> InspectionProblem {
    InspectionProblem(
      file: image.name, code: code, subject: subject ?? contents.subject ?? "\(record.kind)",
      location: record.location, message: message, hint: hint)
  }
}
