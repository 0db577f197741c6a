import Registry

struct ImageRecord {
  // An array and an index take less memory than a copy of the image.
  private let images: [InspectedImage]
  let imageIndex: Int
  let record: InspectedRecord

  var image: InspectedImage { images[imageIndex] }

  /// The contents, read on each access because storing them takes more memory than the JSON.
  var contents: RecordContents { record.contents }

  /// Returns a lazy sequence of the records that aren't malformed.
  static func all(in images: [InspectedImage]) -> some Sequence<ImageRecord> {
    images.indices.lazy.flatMap { index in
      images[index].records.lazy.filter { !$0.isMalformed }.map { Self(images: images, imageIndex: index, record: $0) }
    }
  }

  var label: String {
    let subject = contents.subject ?? ""
    let location = record.location.flatMap { $0 == subject ? nil : ", \($0.escapedForDisplay())" } ?? ""
    return "'\(subject.escapedForDisplay())' (\(image.name.escapedForDisplay(limit: 1_000))\(location))"
  }

  /// The Swift module that contains the record's code, or else the file name of the image.
  var feature: String {
    // In C, the subject of a contribution is an expression.
    let subject = record.kind == .contribution ? record.location : contents.subject
    if let subject, let end = subject.firstIndex(where: { $0 == "." || $0 == "/" }) {
      return String(subject[..<end])
    }
    if let location = record.location, let end = location.firstIndex(of: "/") { return String(location[..<end]) }
    return image.path.lastPathComponent
  }

  /// Returns true if this record was already found in an archive member with the same name. If two
  /// targets depend on a third target, the archives of both can contain the third target's objects.
  func isRepeated(_ found: inout Set<[String?]>) -> Bool {
    guard let member = image.member else { return false }
    return !found.insert([member, "\(record.offset &- image.start)", record.attributes]).inserted
  }
}
