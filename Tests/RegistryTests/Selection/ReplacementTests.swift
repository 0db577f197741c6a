import Registry
import RegistryReports
import TestSupport
import Testing

private protocol Till: Sendable { var name: String { get } }

@ExportService(Till.self, scope: .shared, priority: 10)
private struct CashTill: Till { let name = "cash" }

@ExportService(Till.self, scope: .shared, replaces: "RegistryTests.CashTill")
private struct CardTill: Till { let name = "card" }

/// The implementation replaces a type, whose name the source does not qualify.
@ExportService(Till.self, scope: .shared, priority: -1, replaces: CardTill.self)
private struct CodeTill: Till { let name = "code" }

@ExportService(Till.self, scope: .shared, priority: 5)
private struct CoinTill: Till { let name = "coin" }

@ExportService(Till.self, scope: .shared, priority: 5, replaces: "RegistryTests.CoinTil")
private struct SlipTill: Till { let name = "slip" }

/// The implementation has another name, so it precedes no other one.
@ExportService(Till.self, named: "other", replaces: "RegistryTests.CashTill")
private struct OtherTill: Till { let name = "other" }

protocol Diary: Sendable { var name: String { get } }

class PaperDiary: Diary, NamedExport, @unchecked Sendable {
  required init() {}
  var name: String { "paper" }
}
final class BookDiary: PaperDiary, @unchecked Sendable { override var name: String { "book" } }
final class DiskDiary: PaperDiary, @unchecked Sendable { override var name: String { "disk" } }
final class CloudDiary: PaperDiary, @unchecked Sendable { override var name: String { "cloud" } }

/// Implementations that replace others, independently of their priorities and of the order of
/// loading.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ReplacementTests {
  let problems = DiagnosticCollector()

  /// Returns a manager of the tills with the given names.
  private func tills(_ names: String...) -> ServiceManager {
    let types = names.map { "RegistryTests.\($0)Till" }
    return ServiceManager(
      records: .records { $0.name == "Till" && types.contains($0.typeName ?? "") },
      onDiagnostic: problems.handler)
  }

  /// Returns images with C records of `Diary`, each with the options of several classes.
  private func diarys(_ images: [String]..., name: String) throws -> [SharedObject] {
    try images.enumerated().map { number, records in
      try SharedObject(
        "#include \"registry_export.h\"\n"
          + records.map { "REGISTRY_EXPORT_SERVICE(RegistryTests.Diary, RegistryTests.\($0))\n" }.joined(),
        name: "\(name)\(number)")
    }
  }

  private func manager(of images: [SharedObject]) -> ServiceManager {
    let paths = images.map(\.path)
    return ServiceManager(records: .images { paths.contains($0.path) }, onDiagnostic: problems.handler)
  }

  private func names(_ services: ServiceManager) throws -> [String] {
    try services.createServices(for: Diary.self).map(\.name)
  }

  @Test func `a replacement precedes the named implementation, also one of a higher priority, and chains work`() throws
  {
    let services = tills("Cash", "Card", "Code", "Coin", "Other")
    #expect(try services.createService(for: Till.self).name == "code")
    let all = try services.createServices(for: Till.self).map(\.name)
    #expect(all.filter { $0 != "other" } == ["code", "card", "cash", "coin"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `without the implementation between them, two implementations are ordered by priority`() throws {
    #expect(try tills("Cash", "Code").createServices(for: Till.self).map(\.name) == ["cash", "code"])
  }

  @Test func `a report states which implementation replaces another one`() throws {
    let report = tills("Cash", "Card", "Code", "Coin").report()
    let image = try #require(report.records.first?.image)
    let start = "'RegistryTests."
    let lines = report.description.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(
      lines[2..<6] == [
        "selected: \(start)CodeTill' (\(image)), shared, priority -1",
        "not selected: \(start)CardTill' (\(image)), shared, priority 0: \(start)CodeTill' replaces it",
        "not selected: \(start)CashTill' (\(image)), shared, priority 10: \(start)CardTill' replaces it",
        "not selected: \(start)CoinTill' (\(image)), shared, priority 5: its priority is lower",
      ])
    #expect(report.diagnostics.isEmpty)
  }

  #if DEBUG
  @Test func `a tie states that a replacement misspells the implementation`() throws {
    _ = try tills("Cash", "Card", "Coin", "Slip").createService(for: Till.self)
    #expect(problems.codes.isEmpty, "a tie of implementations that no lookup finds")
    _ = try tills("Coin", "Slip").createService(for: Till.self)
    #expect(problems.codes == [.tie])
    let image = try #require(problems.diagnostics.first?.image)
    #expect(
      problems.diagnostics[0].message.hasSuffix(
        "; 'RegistryTests.SlipTill' (\(image)) replaces 'RegistryTests.CoinTil'; did you mean"
          + " 'RegistryTests.CoinTill'?"))
  }
  #endif

  @Test func `code that registers an implementation with replacing precedes a replacement`() throws {
    let services = tills("Cash", "Card")
    services.register(Till.self, replacing: true) { OtherTill() }
    #expect(try services.createServices(for: Till.self).map(\.name) == ["other", "card", "cash"])
  }

  @Test func `a test scope has the same order, and an override precedes it`() throws {
    let services = tills("Cash", "Card", "Coin")
    try services.withTestScope { () throws in
      #expect(try services.createServices(for: Till.self).map(\.name) == ["card", "cash", "coin"])
      try services.withOverrides {
        $0.override(Till.self) { OtherTill() }
      } operation: { () throws in
        #expect(try services.createService(for: Till.self).name == "other")
      }
    }
  }

  @Test func `an implementation of a later image replaces one whose instance is in use, which is reported`() throws {
    let images = try diarys(
      ["PaperDiary, scope(shared), priority(5)"], ["BookDiary, replaces(RegistryTests.PaperDiary)"], name: "diary")
    let services = manager(of: images)
    try images[0].open()
    #expect(try services.createService(for: Diary.self).name == "paper")
    try images[1].open()
    #expect(try names(services) == ["book", "paper"])
    #expect(try services.createService(for: Diary.self).name == "book")
    #expect(problems.codes == [.replacedInUse])
    #expect(
      problems.diagnostics.first?.message
        == "'RegistryTests.BookDiary' (libdiary1.so) replaces 'RegistryTests.PaperDiary' (libdiary0.so), whose"
        + " instance lookups have already returned, and code that holds the instance keeps it; open its image before the"
        + " first lookup")
    images[1].close()
    #expect(try names(services) == ["paper"])
    images[0].close()
  }

  @Test func `a replacement before the first lookup is not reported, and stays when another image is closed`() throws {
    let images = try diarys(
      ["PaperDiary, scope(shared)", "DiskDiary, priority(9)"],
      ["BookDiary, scope(shared), replaces(RegistryTests.PaperDiary)"],
      ["CloudDiary, scope(shared), replaces(RegistryTests.BookDiary)"], name: "early")
    let services = manager(of: images)
    for image in images { try image.open() }
    #expect(try names(services) == ["disk", "cloud", "book", "paper"])
    images[2].close()
    #expect(try names(services) == ["disk", "book", "paper"])
    #expect(problems.diagnostics.isEmpty)
    for image in images[..<2] { image.close() }
  }

  @Test func `removing the implementation in the middle of a chain separates its ends`() throws {
    let images = try diarys(
      ["PaperDiary, priority(5)", "CloudDiary, replaces(RegistryTests.BookDiary)"],
      ["BookDiary, replaces(RegistryTests.PaperDiary)"], name: "middle")
    let services = manager(of: images)
    for image in images { try image.open() }
    #expect(try names(services) == ["cloud", "book", "paper"])
    images[1].close()
    #expect(try names(services) == ["paper", "cloud"])
    images[0].close()
  }

  @Test func `two replacements of one implementation are ordered by priority, and a tie is reported`() throws {
    let images = try diarys(
      [
        "PaperDiary, priority(5)", "BookDiary, replaces(RegistryTests.PaperDiary)",
        "DiskDiary, priority(1), replaces(RegistryTests.PaperDiary)",
      ],
      [
        "PaperDiary, named(tie)", "BookDiary, named(tie), replaces(RegistryTests.PaperDiary)",
        "DiskDiary, named(tie), replaces(RegistryTests.PaperDiary)",
      ], name: "two")
    let services = manager(of: images)
    for image in images { try image.open() }
    #expect(try services.createService(for: Diary.self).name == "disk")
    let tie = try #require(problems[.tie].first)
    #expect(problems.codes == [.tie])
    #expect(tie.message.contains("BookDiary") && tie.message.contains("DiskDiary"))
    for image in images { image.close() }
  }

  @Test func `implementations that replace each other or themselves are reported, and ordered by priority`() throws {
    let images = try diarys(
      [
        "PaperDiary, replaces(RegistryTests.BookDiary)",
        "DiskDiary, priority(2), replaces(RegistryTests.DiskDiary)",
        "BookDiary, priority(1), replaces(RegistryTests.PaperDiary)",
        "CloudDiary, replaces(RegistryTests.PaperDiary)",
      ], name: "cycle")
    let services = manager(of: images)
    try images[0].open()
    #expect(try names(services) == ["disk", "book", "cloud", "paper"])
    #expect(Set(problems.codes) == [.replacementCycle, .replacesItself] && problems.codes.count == 2)
    #expect(
      problems[.replacementCycle].first?.message
        == "implementations replace each other: 'RegistryTests.BookDiary' (libcycle0.so) → 'RegistryTests.PaperDiary'"
        + " (libcycle0.so) → 'RegistryTests.BookDiary' (libcycle0.so); their 'replaces' has no effect, so remove one of"
        + " them")
    #expect(
      problems[.replacesItself].first?.message
        == "'RegistryTests.DiskDiary' (libcycle0.so) replaces itself, which has no effect; remove it from 'replaces'")
    images[0].close()
  }

  @Test func `of several records of a class, the first one that replaces another decides`() throws {
    let images = try diarys(
      [
        "PaperDiary", "PaperDiary, replaces(RegistryTests.BookDiary)",
        "BookDiary, replaces(RegistryTests.PaperDiary)", "DiskDiary", "DiskDiary, replaces(RegistryTests.DiskDiary)",
      ], name: "repeated")
    let services = manager(of: images)
    try images[0].open()
    #expect(try names(services) == ["paper", "paper", "book", "disk", "disk"])
    #expect(problems[.replacementCycle].count == 1 && problems[.replacesItself].count == 1)
    images[0].close()
  }

  @Test func `only a report states that a replaced implementation is unknown, with the nearest name`() throws {
    let images = try diarys(
      [
        "PaperDiary, priority(1)", "BookDiary, replaces(RegistryTests.PaperDairy)",
        "DiskDiary, named(disk), replaces(RegistryTests.PaperDiary)",
      ], name: "unknown")
    let services = manager(of: images)
    try images[0].open()
    #expect(try services.createService(for: Diary.self).name == "paper")
    #expect(problems.diagnostics.isEmpty)
    let start = "but no loaded image exports it as an implementation of 'RegistryTests.Diary'"
    #expect(
      services.report().diagnostics.map(\.description).sorted() == [
        "warning: RegistryTests.BookDiary (libunknown0.so): 'replaces' names 'RegistryTests.PaperDairy', \(start) without a"
          + " name; did you mean 'RegistryTests.PaperDiary'? [unknown-replaced]",
        "warning: RegistryTests.DiskDiary (libunknown0.so): 'replaces' names 'RegistryTests.PaperDiary', \(start) with the"
          + " name 'disk'; give both implementations the same name [unknown-replaced]",
      ])
    images[0].close()
  }

  @Test func `an implementation of a child can replace one of the parent`() throws {
    let images = try diarys(["PaperDiary", "BookDiary, replaces(RegistryTests.PaperDiary)"], name: "inherited")
    try images[0].open()
    func source(_ type: String) -> RecordSource {
      .records { $0.image.name == "libinherited0.so" && $0.typeName == type }
    }
    let parent = ServiceManager(records: source("RegistryTests.PaperDiary"), onDiagnostic: problems.handler)
    let child = ServiceManager(parent: parent, records: source("RegistryTests.BookDiary"))
    let alone = ServiceManager(records: source("RegistryTests.BookDiary"), onDiagnostic: problems.handler)
    #expect(try child.createService(for: Diary.self).name == "book")
    #expect(child.report().diagnostics.isEmpty)
    #expect(alone.report().diagnostics.map(\.code) == [.unknownReplaced])
    images[0].close()
  }

  @Test func `an unusable replacement is skipped`() throws {
    let images = try diarys(
      ["PaperDiary", "NoDiary, replaces(RegistryTests.PaperDiary)"], name: "unusable")
    let services = manager(of: images)
    try images[0].open()
    #expect(try services.createService(for: Diary.self).name == "paper")
    #expect(problems.codes == [.unknownClass])
    images[0].close()
  }
}
