import Registry
import RegistryAnalysis

extension Inspection {
  /// The version of the JSON formats of lists and reports; see `Documentation/RegistryTool.md`. It
  /// increases if a reader of the previous version would misread the JSON, but not for new members.
  static let formatVersion = 1

  package var recordCount: Int { images.reduce(0) { $0 + $1.records.count } }

  /// Writes JSON in pieces, with each image and each record on its own line.
  package func writeList(_ write: (String) -> Void) {
    write("{\"version\":\(Self.formatVersion),\n\"images\":[")
    Self.write(images.lazy.map(Self.line), write)
    write("\n],\n\"records\":[")
    Self.write(images.lazy.flatMap { image in image.records.lazy.map { Self.line($0, image) } }, write)
    write("\n]}\n")
  }

  /// Writes the results of a check as JSON in pieces, with each problem on its own line.
  package static func writeReport(
    _ problems: [InspectionProblem], images: Int, records: Int, _ write: (String) -> Void
  ) {
    write("{\"version\":\(formatVersion),\"images\":\(images),\"records\":\(records),\n\"problems\":[")
    Self.write(problems.lazy.map(line), write)
    write("\n]}\n")
  }

  private static func write(_ lines: some Sequence<String>, _ write: (String) -> Void) {
    var separator = "\n"
    for line in lines {
      write(separator + line)
      separator = ",\n"
    }
  }

  private static func line(_ problem: InspectionProblem) -> String {
    func text(_ text: String?) -> String { text.map(JSONLine.text) ?? "null" }
    return
      "{\"severity\":\(text(problem.severity.word)),\"code\":\(text(problem.code.description)),\"file\":\(text(problem.file))"
      + ",\"subject\":\(text(problem.subject)),\"location\":\(text(problem.location))"
      + ",\"offset\":\(problem.offset.map(String.init) ?? "null"),\"message\":\(text(problem.message))}"
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
    // Version 1 of the format has the member `source`, which now always has this value.
    let start =
      "{\"kind\":\(JSONLine.text(record.kind.description)),\"known\":\(record.isOfKnownKind),\"source\":\"registry\",\(location(image))"
      + (record.group.map { ",\"group\":\(JSONLine.text($0))" } ?? "")
      + ",\"offset\":\(record.offset),\"accessor\":\(record.hasAccessor),\"malformed\":\(record.isMalformed)"
      + (record.isMalformed ? ",\"code\":\(JSONLine.text(Diagnostic.Code.malformedRecord.description))" : "")
    // The JSON of a malformed record can be valid, because the record may lack only an accessor or
    // a member.
    guard let attributes = try? JSONLine.normalized(record.attributes), attributes.hasPrefix("{") else {
      return start + ",\"attributes\":null,\"text\":\(JSONLine.text(record.attributes))}"
    }
    return start + ",\"attributes\":\(attributes)}"
  }
}
