import Registry
import RegistryReports
import TestSupport
import Testing

/// Names that no program would use, as they are written in the JSON of a record, and as texts.
private let hostile: [(json: String, text: String)] = [
  (#"\u0007\u001b[2Jbell"#, "\u{7}\u{1b}[2Jbell"),
  (#"line\r\nswift-section-registry: error: forged"#, "line\r\nswift-section-registry: error: forged"),
  (#"\u202eevil\u2066\u200f"#, "\u{202e}evil\u{2066}\u{200f}"),
  (#"\u2028\u2029\u0085\u00ad\ufeff"#, "\u{2028}\u{2029}\u{85}\u{ad}\u{feff}"),
  (#"\u0000after"#, "\u{0}after"),
  (#"%s%n%@%p"#, "%s%n%@%p"),
  (#"../../../../etc/passwd"#, "../../../../etc/passwd"),
  (#"$(reboot);`reboot`"#, "$(reboot);`reboot`"),
  // These are manglings of existing types, and names that resemble manglings.
  (#"13RegistryTests11SystemClockC"#, "13RegistryTests11SystemClockC"),
  (#"$s13RegistryTests11SystemClockC"#, "$s13RegistryTests11SystemClockC"),
  (#"Swift.Int"#, "Swift.Int"),
  (#"So8NSObjectC"#, "So8NSObjectC"),
  (#"Si.Si"#, "Si.Si"),
  (#"\u0001\u0002\u0003\u0004\u0005"#, "\u{1}\u{2}\u{3}\u{4}\u{5}"),
  (#"RegistryTests.Outer..Inner"#, "RegistryTests.Outer..Inner"),
  (#"RegistryTests.SystemClock "#, "RegistryTests.SystemClock "),
  (#"Swift.Array<Swift.Int>"#, "Swift.Array<Swift.Int>"),
]

/// Returns the characters that control a terminal or a log, or that are invisible.
private func unseen(_ text: String) -> [Unicode.Scalar] {
  text.unicodeScalars.filter { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

@Suite struct `Hostile names` {
  /// Returns a C literal for the JSON of a record.
  private func record(_ kind: String, _ json: String) -> String {
    let literal = json.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("`", with: "\\x60")
    return "REGISTRY_RECORD_(\(kind), \"__reg_exports\", \"\(literal)\")"
  }

  private func source() -> String {
    var lines = ["#include \"registry_record.h\"", "#include \"registry_export.h\""]
    for (json, _) in hostile {
      lines.append(record("REGISTRY_KIND_SERVICE", #"{"protocol":"RegistryTests.NamedClock","class":"\#(json)"}"#))
      lines.append(record("REGISTRY_KIND_SERVICE", #"{"protocol":"\#(json)","class":"\#(json)","name":"\#(json)"}"#))
      lines.append(
        record("REGISTRY_KIND_SERVICE", #"{"protocol":"RegistryTests.NamedClock","class":"A.B","name":"\#(json)"}"#))
      lines.append(record("REGISTRY_KIND_SERVICE", #"{"protocol":"P","class":"A.B","scope":"\#(json)"}"#))
      lines.append(record("REGISTRY_KIND_SERVICE", #"{"protocol":"P","class":"A.B","scope":"cached(\#(json))"}"#))
      let members = #""name":"\#(json)","when":"flag(\#(json))""#
      lines.append(
        record("REGISTRY_KIND_SERVICE", #"{"protocol":"RegistryTests.Greeter","class":"A.B",\#(members)}"#))
      lines.append(record("REGISTRY_KIND_SERVICE", #"{"protocol":"P","class":"A.B","\#(json)":1,"\#(json)":2}"#))
      lines.append(record("REGISTRY_KIND_SERVICE", #"\#(json)"#))
      lines.append(record("0x07080a1bu", #"{"\#(json)":"\#(json)"}"#))
    }
    return lines.joined(separator: "\n")
  }

  @Test func `Text in a record is only a name: it is never opened, formatted, or called, and is printed escaped`()
    throws
  {
    let object = try SharedObject(source(), name: "hostile_names")
    let path = object.path
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    defer { image.close() }

    let report = services.report()
    #expect(report.records.count == hostile.count * 9)
    var texts = report.records.map(\.description) + report.diagnostics.map(\.description)
    texts += problems.diagnostics.map(\.description) + report.records.map { "\($0.kind)" }
    for (_, text) in hostile {
      // A class is found only by its name in the spelling of records.
      #expect(
        problems.diagnostics.contains { $0.subject == text && [.unknownClass, .notConforming].contains($0.code) })
      for name in [nil, text] {
        do {
          let clock = try services.createService(for: NamedClock.self, named: name)
          Issue.record("\(text.escapedForDisplay()) gave \(clock)")
        } catch {
          texts.append("\(error)")
        }
      }
      let excluded = #expect(throws: ServiceError.self) { try services.createService(for: Greeter.self, named: text) }
      texts.append(excluded!.description)
    }
    services.conditions = Set(hostile.map { .flag($0.text) })
    #expect(problems[.lateCondition].count == hostile.count)
    texts += problems[.lateCondition].map(\.description)
    #expect(unseen(report.description.replacing("\n", with: "")).isEmpty)
    // At least three of the records with each name have JSON that is not usable.
    #expect(problems[.malformedRecord].count >= hostile.count * 3)
    for text in texts {
      #expect(unseen(text).isEmpty, "\(text.escapedForDisplay(limit: 2_000))")
      #expect(text.utf8.count < 10_000)
    }
    // The records still provide the original names.
    #expect(report.records.contains { $0.typeName == hostile[0].text && $0.name == hostile[0].text })
  }

  @Test func `The name of an image is printed escaped`() throws {
    let object = try SharedObject(
      "#include \"registry_export.h\"\nREGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, No.Such)",
      name: "odd\u{7}\u{202e}name")
    let path = object.path
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    let image = try services.openImage(at: path)
    defer { image.close() }
    let error = #expect(throws: ServiceError.self) { try services.createService(for: NamedClock.self) }
    let shown = [
      error!.description, problems.diagnostics[0].description, services.report().description, "\(image.image!)",
    ]
    #expect(image.image?.path == path && problems.diagnostics.count == 1)
    for text in shown { #expect(unseen(text.replacing("\n", with: "")).isEmpty && text.contains("\\u{202e}name")) }
    let refused = #expect(throws: ImageLoadError.self) { try services.openImage(at: "/no/such\u{1b}[2J/lib.so") }
    #expect(unseen(refused!.description).isEmpty)
  }
}
