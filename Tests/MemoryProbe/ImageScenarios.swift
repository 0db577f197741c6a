import Foundation
import Lifecycle
import Registry
import RegistryReports
import TestSupport

/// The protocol of the service that the images of the scenarios export.
protocol Late { var answer: Int { get } }

final class LateAnswer: Late, NamedExport {
  init() {}
  var answer: Int { 42 }
}

final class LateModule: Module {
  static func subscribe(_ events: Subscriptions<LateModule>) { events.on(.late) { _, _ in 1 } }
}

extension Event where Payload == Void, Outcome == Int {
  fileprivate static var late: Self { .init("probe.late", combining: .init(initial: 0) { $0 += $1 }) }
}

/// An image that has other names in its records and another path in every round.
private final class Template {
  private static let mark = "Round00000000"
  private let object: SharedObject
  private let folder: String
  private var path: String
  private let file: Int32
  /// The offsets in the file of the numbers of eight digits.
  private let places: [Int]

  init(_ source: String, name: String) throws {
    object = try SharedObject("#include \"registry_export.h\"\n" + source, name: name)
    path = object.path
    folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw Probe.Wrong(message: "\(path) cannot be written") }
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let mark = Array(Self.mark.utf8)
    places = (0...(bytes.count - mark.count)).filter {
      bytes[$0] == mark[0] && Array(bytes[$0..<($0 + mark.count)]) == mark
    }.map { $0 + "Round".utf8.count }
  }

  deinit { close(file) }

  /// Returns the path of the image after replacing its names and its path with those of a round.
  ///
  /// The image must not be open.
  func image(of round: Int) throws -> String {
    let digits = Array(String(format: "%08d", round).utf8)
    for place in places where pwrite(file, digits, digits.count, off_t(place)) != digits.count {
      throw Probe.Wrong(message: "\(path) cannot be written")
    }
    let new = "\(folder)/libround\(round).so"
    guard rename(path, new) == 0 else { throw Probe.Wrong(message: "\(path) cannot be renamed") }
    path = new
    return new
  }
}

/// Returns C code for a record that is malformed, or whose JSON is, with the round's number in a
/// name.
private func broken(_ id: Int) -> String {
  """
  __attribute__((used, aligned(8), section(".note.registry"))) static const struct {
    uint32_t a, b, c; char n[12]; uint64_t f; char t[48];
  } broken\(id) = {9, \(id % 2 == 0 ? 56 : 4_000_000_000)u, 0x73657276, "Registry", 0, "{\\"protocol\\":\\"Round00000000.\(id)"};

  """
}

extension Probe {
  private static func templates() throws -> [Template] {
    let services = """
      REGISTRY_EXPORT_SERVICE(MemoryProbe.Late, MemoryProbe.LateAnswer)
      REGISTRY_EXPORT_SERVICE(Round00000000.Unknown, Round00000000.Nobody)
      REGISTRY_EXPORT_SERVICE(MemoryProbe.Late, Round00000000.Nobody, named(Round00000000))

      """
    let modules = """
      REGISTRY_EXPORT_MODULE(MemoryProbe.LateModule)
      REGISTRY_EXPORT_MODULE(Round00000000.Module)

      """
    // A malformed record can hide the records that follow it, so these records are last.
    return [
      try Template(services, name: "services"), try Template(services + modules, name: "modules"),
      try Template(services + modules + (0..<32).map(broken).joined(), name: "broken"),
    ]
  }

  /// The images of the scenarios, without the program.
  ///
  /// The program contains C records of other tests. Managers would look up the classes that these
  /// records name again for every new image.
  private static let plugIns = RecordSource.images { $0.name.hasPrefix("lib") }

  private static func isMapped(_ path: String) -> Bool {
    guard let handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD) else { return false }
    dlclose(handle)
    return true
  }

  @MainActor static let images: [String: Scenario] = [
    "images": {
      let all = try templates()
      let services = ServiceManager(records: plugIns, onDiagnostic: { _ in })
      return { round in
        let path = try all[round % all.count].image(of: round)
        let opened = try services.openImage(at: path)
        try check(try services.createService(for: (any Late).self).answer == 42, "not the image's service")
        _ = services.report()
        opened.close()
        try check(!services.contains((any Late).self) && !isMapped(path), "it stays")
      }
    },
    "plug-ins": {
      let all = try templates()
      let services = ServiceManager(records: plugIns, onDiagnostic: { _ in })
      let modules = ModuleManager(services: services, records: plugIns, onDiagnostic: { _ in })
      try modules.start()
      // Fill the diagnostic log up to its limit.
      for number in 0..<1_000 {
        modules.register(LateModule.self, after: ["nobody \(number)"])
        _ = modules.trigger(.late)
        modules.unregister(LateModule.self)
      }
      await modules.waitUntilIdle()
      return { round in
        let path = try all[round % all.count].image(of: round)
        let plugIn = try modules.openPlugIn(at: path)
        try check(modules.trigger(.late) == (round % all.count == 0 ? 0 : 1), "not the image's module")
        try check(try services.createService(for: (any Late).self).answer == 42, "not the image's service")
        plugIn.close()
        try check(modules.trigger(.late) == 0 && !services.contains((any Late).self) && !isMapped(path), "it stays")
        await modules.waitUntilIdle()
      }
    },
    "reopened": {
      let objects = try (0..<3).map {
        try SharedObject(
          "#include \"registry_export.h\"\nREGISTRY_EXPORT_SERVICE(MemoryProbe.Late, MemoryProbe.LateAnswer)",
          name: "again\($0)")
      }
      let services = ServiceManager(records: plugIns, onDiagnostic: { _ in })
      return { round in
        let opened = try services.openImage(at: objects[round % 3].path)
        let other = try services.openImage(at: objects[(round + 1) % 3].path)
        opened.close()
        try check(services.contains((any Late).self), "it was closed too early")
        other.close()
        try check(!services.contains((any Late).self) && !objects.contains(where: \.isMapped), "it stays")
      }
    },
  ]
}
