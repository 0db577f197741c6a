import Registry

/// The JSON format of lists of records, which other programs can read.
///
/// `Documentation/RegistryTool.md` describes the format.
enum RecordList {
  /// The version of the format.
  ///
  /// It increases when a reader of the previous version would misread a list. New members do not
  /// change it.
  static let version = 1
}

extension Inspection {
  /// Writes all images and records as JSON, one on each line.
  ///
  /// - Parameter write: A function that receives the text in pieces.
  package func writeList(_ write: (String) -> Void) {
    write("{\"version\":\(RecordList.version),\n\"images\":[")
    var separator = "\n"
    for image in images {
      write(separator + Self.line(image))
      separator = ",\n"
    }
    write("\n],\n\"records\":[")
    separator = "\n"
    for image in images {
      for record in image.records {
        write(separator + Self.line(record, image))
        separator = ",\n"
      }
    }
    write("\n]}\n")
  }

  private static func location(_ image: InspectedImage) -> String {
    "\"path\":\(JSONLine.text(image.path)),\"member\":\(image.member.map(JSONLine.text) ?? "null")"
      + ",\"architecture\":\(JSONLine.text(image.header.architecture))"
  }

  private static func line(_ image: InspectedImage) -> String {
    let header = image.header
    // Version 1 of the format has the member `bigEndian`, but big-endian files are never read.
    return
      "{\(location(image)),\"format\":\(JSONLine.text(header.format.rawValue)),\"type\":\(JSONLine.text(header.type.rawValue))"
      + ",\"bits\":\(header.is64Bit ? 64 : 32),\"bigEndian\":false"
      + ",\"encrypted\":\(header.isEncrypted),\"stripped\":\(header.isStripped),\"records\":\(image.records.count)}"
  }

  private static func line(_ record: InspectedRecord, _ image: InspectedImage) -> String {
    // Version 1 of the format has the member `source`, which no longer has another value.
    let start =
      "{\"kind\":\(JSONLine.text(record.kind.description)),\"known\":\(record.isOfKnownKind),\"source\":\"registry\",\(location(image))"
      + ",\"offset\":\(record.offset),\"accessor\":\(record.hasAccessor),\"malformed\":\(record.isMalformed)"
      + (record.isMalformed ? ",\"code\":\(JSONLine.text(Diagnostic.Code.malformedRecord.description))" : "")
    // The JSON of a malformed record can be valid, because the record may only lack an accessor or
    // a member.
    guard let attributes = try? JSONLine.normalized(record.attributes), attributes.hasPrefix("{") else {
      return start + ",\"attributes\":null,\"text\":\(JSONLine.text(record.attributes))}"
    }
    return start + ",\"attributes\":\(attributes)}"
  }
}
