import Foundation
import RegistryReports
import TestSupport
import Testing

@testable import Registry

protocol LoadService {}

final class LoadedService: NamedExport, LoadService {
  init() {}
}

/// Tests with many images and records, in sizes that a debug build handles quickly.
///
/// `Tests/Harness/Load/run` uses the large sizes and measures how time and memory grow.
@Suite struct LoadTests {
  private let usable = #"{"protocol":"RegistryTests.LoadService","class":"RegistryTests.LoadedService"}"#

  /// Creates a manager of only the records of the given images.
  private func manager(_ images: NumberedImages, _ problems: DiagnosticCollector) -> ServiceManager {
    let paths = Set(images.paths)
    return ServiceManager(records: .images { paths.contains($0.path) }, onDiagnostic: problems.handler)
  }

  @Test func `each of many images that are opened and closed one by one serves while it is open`() throws {
    var records = RecordBytes()
    records.record(#"{"protocol":"Plugin\#(NumberedImages.placeholder).Service","class":"Nobody.Class"}"#)
    records.record(usable)
    let images = try NumberedImages(120, records: records)
    let services = manager(images, DiagnosticCollector())
    var opened: [OpenedImage] = []
    for (index, path) in images.paths.enumerated() {
      opened.append(try services.openImage(at: path))
      #expect(opened[index].image?.path == path)
      let names = opened[index].records.compactMap(\.name).sorted()
      #expect(names == ["Plugin\(String(100_000 + index).dropFirst()).Service", "RegistryTests.LoadService"])
    }
    #expect(try services.createServices(for: LoadService.self).count == images.paths.count)
    // The images are closed neither in the order in which they were opened nor in reverse order.
    for (closed, index) in opened.indices.sorted(by: { $0 * 37 % 120 < $1 * 37 % 120 }).enumerated() {
      opened[index].close()
      let left = images.paths.count - closed - 1
      #expect(services.contains(LoadService.self) == (left > 0))
      #expect(services.core.state.withLock { $0.unclaimed.count } == left)
    }
    #expect(services.report().records.isEmpty)
    #expect(services.core.state.withLock { $0.unclaimed.isEmpty }, "nothing is left of those that went")
  }

  @Test func `many records of one protocol in one image are all served, and each tie with the first is reported`()
    throws
  {
    var records = RecordBytes()
    for _ in 0..<2_000 { records.record(usable) }
    let images = try NumberedImages(1, records: records)
    let problems = DiagnosticCollector()
    let services = manager(images, problems)
    let opened = try services.openImage(at: images.paths[0])
    #expect(try services.createServices(for: LoadService.self).count == 2_000)
    // All implementations have the same name.
    #expect(problems[.tie].count == 1)
    opened.close()
    #expect(!services.contains(LoadService.self))
  }

  @Test func `many implementations with missing classes are reported once each, and a usable one serves`()
    throws
  {
    var records = RecordBytes()
    for index in 0..<1_000 {
      records.record(#"{"protocol":"RegistryTests.LoadService","class":"Nobody.Class\#(index)","priority":1}"#)
    }
    records.record(usable)
    let images = try NumberedImages(1, records: records)
    let problems = DiagnosticCollector()
    let services = manager(images, problems)
    let opened = try services.openImage(at: images.paths[0])
    _ = try services.createService(for: LoadService.self)
    _ = try services.createService(for: LoadService.self)
    #expect(problems[.unknownClass].count == 1_000)
    #expect(try services.createServices(for: LoadService.self).count == 1)
    opened.close()
  }

  @Test(.timeLimit(.minutes(20)))
  func `implementations are tried again after an image is loaded, also without a lookup`() throws {
    var records = RecordBytes()
    records.record(#"{"protocol":"RegistryTests.LoadService","class":"Nobody.Class"}"#)
    let images = try NumberedImages(2, records: records)
    let services = manager(images, DiagnosticCollector())
    let first = try services.openImage(at: images.paths[0])
    func problems() -> [Diagnostic] {
      services.core.state.withLock { $0.unclaimed.values.joined().compactMap(\.problem) }
    }
    // Another test can load an image at any time, and then the manager tries the implementation
    // again. Repeat the steps until none did.
    var wasCopied = false
    while !wasCopied {
      // No code has looked the service up, so the report looks up the class.
      repeat { _ = services.report() } while problems().isEmpty
      // The copy in an isolated scope contains the implementation and looks up its class again.
      try services.withTestScope {
        let copy = services.core.current
        #expect(copy !== services.core)
        _ = services.report()
        let entry = copy.state.withLock { state in state.unclaimedServices.created.first { $0.problem != nil } }
        guard let entry else { return }
        wasCopied = true
        let inScope = try services.openImage(at: images.paths[1])
        _ = services.contains(Int.self)
        #expect(entry.problem == nil)
        inScope.close()
      }
    }
    let second = try services.openImage(at: images.paths[1])
    #expect(problems().isEmpty)
    #expect(throws: ServiceError.self) { try services.createService(for: LoadService.self) }
    let unusable = services.core.state.withLock { state in
      state.groups.all.flatMap(\.entries).count { $0.problem?.code == .unknownClass }
    }
    #expect(unusable >= 2)
    first.close()
    second.close()
  }

  @Test func `registrations that change in any order are served by precedence`() throws {
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    let services = ServiceManager { _ in }
    var expected: [(priority: Int, order: Int, registration: RegistrationToken)] = []
    for order in 0..<500 {
      if generator.one(in: 3), let index = expected.indices.randomElement(using: &generator) {
        #expect(expected.remove(at: index).registration.cancel())
        continue
      }
      let priority = generator.below(5)
      let name = generator.one(in: 2) ? "other" : nil
      let registration = services.register(Int.self, named: name, priority: priority) { order }
      expected.append((priority, order, registration))
    }
    expected.sort { ($1.priority, $0.order) < ($0.priority, $1.order) }
    #expect(try services.createServices(for: Int.self) == expected.map(\.order), "REGISTRY_SEED=\(seed)")
  }

  @Test func `a tie is reported for each addition, and again when another implementation is first`() {
    let problems = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: problems.handler)
    let first = services.register(Int.self, line: 1) { 1 }
    services.register(Int.self, line: 2) { 2 }
    services.register(Int.self, line: 3) { 3 }
    #expect(problems[.tie].count == 2)
    services.register(Int.self, line: 4) { 4 }
    #expect(problems[.tie].count == 3)
    first.cancel()
    services.register(Int.self, line: 5) { 5 }
    #expect(problems[.tie].count == 6, "3, 4 and 5 beside 2")
  }

  // MARK: - Hints

  /// Returns the Levenshtein distance in the textbook algorithm.
  private func plainDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substituted = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }

  @Test func `the nearest name is the one with the smallest edit distance`() {
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    func name() -> String {
      String((0..<generator.below(13)).map { _ in "abcÄ".randomElement(using: &generator)! })
    }
    for _ in 0..<1_000 {
      let (own, names) = (name(), (0..<4).map { _ in name() })
      let text = Array(own.lowercased().utf8)
      let distances = names.filter { $0 != own && $0.utf8.count <= text.count + max(1, text.count / 3) }
        .map { plainDistance(text, Array($0.lowercased().utf8)) }
      let nearest = distances.min().flatMap { $0 <= max(1, text.count / 3) ? $0 : nil }
      let found = own.nearest(in: names).map { plainDistance(text, Array($0.lowercased().utf8)) }
      #expect(found == nearest, "REGISTRY_SEED=\(seed): \(own) in \(names)")
    }
  }

  @Test func `the number of compared names is limited`() {
    var asked = 0
    let names = (0..<100_000).lazy.map { number -> String in
      asked += 1
      return "Plugin.Service\(number)"
    }
    #expect("Plugin.Servise".nearest(in: names) != nil)
    #expect(asked <= String.comparedNames + 1)
  }

  @Test func `thousands of streams of changes end in linear time`() {
    let services = ServiceManager()
    let key = ContributionPoint<[Int]>("load.changes").key
    var changes = Array((0..<6_000).map { _ in services.core.changes(of: key) }.reversed())
    // It takes several seconds if each end visits all listeners.
    #expect(processorSeconds { while !changes.isEmpty { changes.removeLast() } } < 1)
    #expect(services.core.state.withLock { $0.contributions.listeners.isEmpty })
  }

  @Test func `an error for a missing service has the nearest name of a C record`() {
    let services = ServiceManager { _ in }
    services.register(
      service: "RegistryTests.LoadService", class: "RegistryTests.Loaded", scope: .transient, named: nil, priority: 0,
      location: "load.json")
    for services in [services, ServiceManager(parent: services)] {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: LoadServise.self) }
      #expect(error?.description.contains("; did you mean 'RegistryTests.LoadService'?") == true)
    }
  }
}

/// A service whose name is a misspelling of `LoadService`.
private protocol LoadServise {}
