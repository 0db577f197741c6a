import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// The services of one file, as the app that opens it and the tool see them.
@Suite struct ServiceAgreementTests {
  /// Returns the ties that an app reports after it has opened an image and has looked up a service.
  private func app(_ path: String) throws -> [String] {
    let collector = DiagnosticCollector()
    let manager = ServiceManager(records: .images { $0.path == path }, onDiagnostic: collector.handler)
    let image = try manager.openImage(at: path)
    defer { image.close() }
    _ = try manager.createService(for: AgreedService.self)
    return collector[.tie].map { text($0.subject, $0.message, path) }
  }

  /// Returns the ties that the tool reports for the image.
  @MainActor private func tool(_ path: String) -> [String] {
    Inspection(of: [path]).check().filter { $0.code == .tie }.map { text($0.subject ?? "", $0.message, path) }
  }

  /// Returns a tie, with the name of the image in place of its path.
  private func text(_ subject: String, _ message: String, _ path: String) -> String {
    "\(subject): " + message.split(separator: path).joined(separator: path.split(separator: "/").last ?? "")
  }

  @Test(
    "the app and the tool find the same ties of services, in the same words",
    arguments: [
      ([0, 0], 1), ([1, 0, 0], 0), ([0, 2, 2, 1, 2], 2), ([-1, -1, -3], 1), ([4], 0),
    ] as [([Int], Int)])
  @MainActor func ties(priorities: [Int], count: Int) throws {
    var records = RecordBytes()
    for (index, priority) in priorities.enumerated() {
      let type = "BinaryInspectionTests.Agreed\(index)"
      records.record(
        #"{"protocol":"BinaryInspectionTests.AgreedService","class":"\#(type)","priority":\#(priority)}"#)
    }
    let image = try SharedObject(records: records, name: "agreed")
    let (app, tool) = try (app(image.path), tool(image.path))
    #expect(app == tool && tool.count == count, "\(app) and \(tool)")
  }
}

protocol AgreedService: AnyObject {}

class Agreed: AgreedService, NamedExport { required init() {} }
final class Agreed0: Agreed {}
final class Agreed1: Agreed {}
final class Agreed2: Agreed {}
final class Agreed3: Agreed {}
final class Agreed4: Agreed {}
