import Foundation
import TestSupport
import Testing

@testable import MacroExpansion

@Suite struct AvailabilityTests {
  private static func attributes(_ source: String) -> [Availability] {
    Declaration(Source(source + " struct A {}", isHeader: true)).availability
  }

  @Test func `An attribute names the platforms on which a declaration does not exist`() {
    let attributes = Self.attributes(
      """
      @available(macOS 14, iOS 17, *) @available(*, unavailable, message: "unavailable") @available(*, deprecated)
      @available(iOS, introduced: 13, obsoleted: 15.2, message: "a") @available(tvOS, message: "unavailable")
      """)
    #expect(attributes.map(\.isUnavailability) == [false, true, false, false, false])
    #expect(attributes.map(\.obsoleted) == [nil, nil, nil, "15.2", nil])
    #expect(attributes.map(\.platforms) == [["macOS", "iOS", "*"], ["*"], ["*"], ["iOS"], ["tvOS"]])
  }

  @Test(arguments: [
    ("@available(tvOS, unavailable)", ["os(tvOS)"]),
    ("@available(iOS, unavailable)", ["os(iOS)", "os(visionOS)"]),
    ("@available(macOS, unavailable) @available(OSX, unavailable)", ["os(macOS)"]),
    ("@available(macOS, obsoleted: 11)", []),
    ("#if os(macOS)\n@available(*, unavailable)\n#elseif os(iOS)\n@available(iOS, unavailable)\n#endif\n", []),
    ("#if os(macOS)\n@available(*, unavailable)\n#endif\n@available(tvOS, unavailable)", ["os(tvOS)"]),
    ("@available(swift, obsoleted: 5.1)", ["swift(>=5.1)"]),
    ("@available(iOSApplicationExtension, unavailable)", []), ("@available(macOS 14, *)", []),
    ("@available(swift, unavailable)", []), ("@available(Plan9, unavailable)", []),
  ])
  func `A record is excluded where its type does not exist`(source: String, conditions: [String]) {
    let absence = Self.attributes(source).absence
    #expect(Set(absence) == Set(conditions))
    let text = absence.excluded(from: "let x = 1")
    if conditions.isEmpty {
      #expect(text == "let x = 1")
    } else {
      #expect(text == "#if \(conditions.map { "!(\($0))" }.joined(separator: " && "))\nlet x = 1\n#endif")
    }
  }

  @Test func `A declaration that exists on no platform has no record, and neither have nested ones`() {
    for (own, outer) in [("@available(*, unavailable) ", ""), ("", "@available(*, unavailable) ")] {
      for (macro, arguments) in [("ExportService", "(P.self)"), ("ExportModule", ""), ("ExportRouteType", "(.a)")] {
        let (source, diagnostics) = expansion(
          request(macro, "@\(macro)\(arguments)", on: own + "final class A {}", in: ["\(outer)enum Outer {}"]))
        #expect(source == "" && diagnostics.isEmpty)
      }
    }
    let handler = expansion(
      request("OnEvent", "#onEvent(.a) { _ in }", in: ["@available(tvOS, unavailable) enum Outer {}"]))
    let topLevel = expansion(request("OnEvent", "@available(tvOS, unavailable) #onEvent(.a) { _ in }"))
    for source in [handler.source, topLevel.source] {
      #expect(source?.hasPrefix("#if !(os(tvOS))\n") == true && source?.hasSuffix("\n#endif") == true)
    }
  }

  private static let systems = [
    "x86_64-unknown-linux-gnu", "arm64-apple-macosx14", "arm64-apple-ios17", "arm64-apple-ios17-simulator",
    "arm64-apple-ios17-macabi", "arm64-apple-tvos17", "arm64_32-apple-watchos10", "arm64-apple-xros1",
    "x86_64-unknown-windows-msvc", "aarch64-unknown-linux-android28", "x86_64-unknown-freebsd14",
  ]

  /// Compares two results of the compiler: an error for the use of an unavailable type, and a
  /// warning in the condition around the type's record.
  @Test(arguments: systems)
  func `The compiler calls a type unavailable exactly where its record is excluded`(system: String) throws {
    let samples = [
      "@available(iOS, unavailable)", "@available(macOS, unavailable)", "@available(macCatalyst, unavailable)",
      "@available(visionOS, unavailable)", "@available(tvOS, unavailable)", "@available(watchOS, unavailable)",
      "@available(iOS, unavailable) @available(tvOS, unavailable) @available(macOS, unavailable)",
      "@available(iOS, unavailable) @available(macCatalyst 14, *)",
      "@available(iOS, unavailable) @available(visionOS 1, macCatalyst 14, *)",
      "@available(iOS, unavailable) @available(visionOS, introduced: 1)",
      "@available(macCatalyst, unavailable) @available(visionOS, unavailable)",
      "@available(anyAppleOS, unavailable)", "@available(anyAppleOS, unavailable) @available(iOS 14, *)",
      "@available(anyAppleOS, unavailable) @available(macCatalyst 14, macOS 12, *)",
      "@available(anyAppleOS, unavailable) @available(visionOS 1, tvOS 14, *)",
      "@available(macOSApplicationExtension, unavailable) @available(iOSApplicationExtension, unavailable)",
      "@available(Windows, unavailable) @available(Android, unavailable) @available(FreeBSD, unavailable)",
      "@available(swift, obsoleted: 5)", "@available(swift, obsoleted: 99)", "@available(*, unavailable)",
      "@available(*, deprecated)", "@available(macOS 11, iOS 14, *)",
    ]
    var source = ""
    for (number, sample) in samples.enumerated() {
      source += "\(sample) struct A\(number) {}\nfunc use(_: A\(number)) {}\n"
      source += Self.attributes(sample).absence.excluded(from: "#warning(\"record \(number).\")") + "\n"
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(source.utf8).write(to: folder.appendingPathComponent("snippet.swift"))
    // The machine does not need to have a standard library for the system.
    let output = try Command.run(
      "swiftc",
      [
        "-frontend", "-typecheck", "-parse-as-library", "-parse-stdlib", "-swift-version", "6", "-target", system,
        "-enable-experimental-feature", "AnyAppleOSAvailability", "-module-name", "Snippet", "snippet.swift",
      ], in: folder.path
    ).output
    for (number, sample) in samples.enumerated() {
      let isUnavailable = output.contains("error: 'A\(number)' is unavailable")
      #expect(output.contains("warning: record \(number).") == !isUnavailable, "\(sample)\n\(output)")
    }
  }
}
