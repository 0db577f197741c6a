import AppHost
import Foundation
import Lifecycle
import Registry
import RegistryReports
import TestSupport
import Testing

/// The declarations that the code on several pages uses but does not show.
///
/// Those for one page are in Tests/Harness/Documentation/Preludes.
private let prelude = """
  import Foundation
  import Lifecycle
  import Registry
  struct User: Sendable { var name: String }
  protocol CartService: Sendable { func add(_ item: String) async -> Int }
  @MainActor protocol HomeScreen: Sendable {}
  func report(_ name: String) async {}
  @MainActor protocol Screen: Sendable {}
  @MainActor final class Navigator { func push(_ screen: any Screen) {} }
  @MainActor let navigator = Navigator()
  extension Event where Payload == User, Outcome == Void {
    static var userDidLogIn: Self { .init("account.userDidLogIn") }
  }
  """

private final class ReportedModule: Module {}

private final class ReportedSubscriber: Module {
  static func subscribe(_ events: Subscriptions<ReportedSubscriber>) {
    events.on(Event<String, Void>("account.userDidLogIn")) { _, _, _ in }
  }
}

@Suite struct DocumentationTests {
  static let pages = Repository.pagesWithSwift
  static let pagesWithC = ["Contributions", "Diagnostics", "Needs", "ObjectiveC", "RecordFormat"].map {
    "Documentation/\($0).md"
  }

  /// The blocks of all pages.
  private static let blocks = Result {
    Dictionary(grouping: try DocumentedBlock.all(in: Array(Set(pages + pagesWithC)))) { $0.page }
  }

  private static func blocks(of page: String) throws -> [DocumentedBlock] { try blocks.get()[page] ?? [] }

  @Test func `The pages with Swift are found`() {
    let pages = ["README.md", "Documentation/Lifecycle.md", "Documentation/PlugIns.md", "Documentation/Testing.md"]
    #expect(Self.pages.count >= 17)
    #expect(Set(Self.pages).isSuperset(of: pages))
  }

  @Test(arguments: pages)
  func `Each block of Swift on a page compiles without a warning`(page: String) throws {
    let problems = try Self.problems(in: try Self.blocks(of: page), of: page)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test func `Each rejected block on a page causes the error that the page shows`() throws {
    let blocks = try Self.pages.flatMap { try Self.blocks(of: $0) }
    #expect(blocks.contains { $0.rejectedFile != nil })
    let problems = try Self.problems(inRejected: blocks)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(arguments: pages)
  func `Each block of a page is of a known kind`(page: String) throws {
    let compiled = [
      "swift", "swift-body", "swift-manifest", "swift-rejected", "swift-UIKit", "swift-SwiftUI", "swift-AppKit",
      "swift-WatchKit",
      "swift-os", "objc", "objc-body", "c",
    ]
    // Tests/Harness/Consumers/run builds files, which belong to several modules of a package.
    let known = compiled + ["json", "sh", "swift-file", "text", "cmake", "starlark"]
    let blocks = try Self.blocks(of: page)
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(known.contains(block.kind), "\(block.name) is of kind \(block.kind)")
    }
  }

  @Test @MainActor func `The page about modules shows the report of a manager`() throws {
    let modules = ModuleManager()
    let file: StaticString = "Shop/App.swift"
    modules.register(named: "Account.AccountModule", level: .basic, fileID: file, line: 8) { ReportedModule() }
    modules.register(
      named: "Cart.CartModule", priority: 10, after: ["Account.AccountModule"], fileID: file, line: 9
    ) { ReportedSubscriber() }
    modules.register(named: "Offers.OffersModule", activation: .onFirstEvent, fileID: file, line: 10) {
      ReportedSubscriber()
    }
    try modules.start()
    defer { modules.stop() }
    // The handlers that this test target exports are not part of the page's app.
    let report = modules.report().description.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("handlers of '#onEvent'") }.joined(separator: "\n")
    let shown = try #require(report.range(of: "Services:\n").map { report[..<$0.lowerBound] })
    let page = Repository.root.appendingPathComponent("Documentation/Lifecycle.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("```text\n\(shown)```\n"), "\(shown)")
  }

  @Test(arguments: pagesWithC)
  func `Each block of C on a page compiles without a warning`(page: String) throws {
    let blocks = try Self.blocks(of: page).filter { $0.kind == "c" }
    #expect(!blocks.isEmpty)
    for block in blocks {
      let output = try problems(inC: block)
      #expect(output.isEmpty, "\(output)")
    }
  }

  @Test func `Every page with C is one of those whose C is compiled`() throws {
    for page in Self.pages where try Self.blocks(of: page).contains(where: { $0.kind == "c" }) {
      #expect(Self.pagesWithC.contains(page))
    }
  }

  @Test func `A block of C that does not compile is reported with its page and line`() throws {
    try withPage("# A page\n```c\nint right(void);\nREGISTRY_EXPORT_MODULE(Shop.A, order(1))\n```") { page in
      let block = try #require(try DocumentedBlock.all(in: [page]).first)
      #expect(try problems(inC: block).contains("\(page):4:"))
    }
  }

  @Test func `A block that does not compile is reported with its page and line`() throws {
    try withPage(
      """
      # A page
      ```swift
      struct Right {}
      ```
      ```swift
      struct Left {}
      let wrong: Int = "text"
      ```
      ```swift body
      modules.trigger(.userDidLogIn, 17)
      ```
      ```swift manifest
      let package = Package(name: 17)
      ```
      """
    ) { page in
      let problems = try Self.problems(in: try DocumentedBlock.all(in: [page]), of: page)
      #expect(
        problems == [
          "\(page):7:18: error: cannot convert value of type 'String' to specified type 'Int'",
          "\(page):10:32: error: cannot convert value of type 'Int' to expected argument type 'User'",
          "\(page):13:29: error: cannot convert value of type 'Int' to expected argument type 'String'",
        ])
    }
  }

  @Test func `A rejected block that does not cause the error after it is reported`() throws {
    try withPage(
      """
      # A page
      ```swift rejected
      let right: Int = "text"
      ```
      ```text
      error: cannot convert value of type 'String' to specified type 'Int'
      ```
      ```swift rejected
      let other: Int = "text"
      ```
      ```text
      error: cannot convert value of type 'String'
      ```
      ```swift rejected
      let valid = 1
      ```
      ```text
      error: cannot convert value of type 'String' to specified type 'Int'
      ```
      ```swift rejected
      let alone: Int = "text"
      ```
      """
    ) { page in
      let blocks = try DocumentedBlock.all(in: [page])
      let problems = try Self.problems(inRejected: blocks)
      let error = "error: cannot convert value of type 'String' to specified type 'Int'"
      #expect(
        problems == [
          "\(blocks[2].name): the compiler reports '\(error)', but the page shows 'error: cannot convert value of type "
            + "'String''",
          "\(blocks[4].name): the compiler reports no error, but the page shows '\(error)'",
          "\(blocks[6].name): the compiler reports '\(error)', but the page shows no error",
        ])
    }
  }

  @Test(arguments: [
    ("# A\n```\nx\n```", "2: error: the code block has no language; write it after the fence"),
    ("# A\n```swift\nlet x = 1", "3: error: the last code block has no end"),
    (
      "# A\n\n- b\n  ```swift\n  let x = 1\n  ```",
      "4: error: an indented code block is not checked; begin it at the margin"
    ),
  ])
  func `A page that cannot be divided into blocks is an error`(text: String, reason: String) throws {
    try withPage(text) { page in
      let error = #expect(throws: DocumentedBlock.CannotRead.self) { try DocumentedBlock.all(in: [page]) }
      #expect(error?.reason.hasPrefix("\(page):\(reason)") == true, "\(String(describing: error))")
    }
  }

  /// Pages in Chinese are not compiled, because all their code is on the pages that they follow.
  @Test func `Each code block of a translated page is on the page that it follows`() throws {
    func compare(_ pages: [String] = []) throws -> Command {
      try Command.run("python3", ["Tests/Harness/Documentation/translations"] + pages, in: Repository.root.path)
    }
    let all = try compare()
    #expect(all.succeeded, "\(all.output)")
    let text = "<!-- follows README.md 0000000 -->\n```swift\nlet other = 1\n```"
    try withPage(text) { page in
      let wrong = try compare([page])
      #expect(!wrong.succeeded)
      #expect(wrong.output.hasPrefix("\(page):1: note: README.md has changed, see 'git diff 0000000 HEAD:README.md'; "))
      #expect(
        wrong.output.hasSuffix(
          """
          \(page):3: error: README.md does not contain this code block
          1 translated pages

          """))
    }
  }

  @Test func `Each public name of the other framework is on the page`() throws {
    let lists = PublicNames.all(in: try Repository.text(of: "Tests/Harness/Documentation/replaced-names"))
    #expect(lists.count == 4)
    for list in lists {
      #expect(list.lines.count > 100)
      var documented = DocumentedNames()
      for page in list.pages { documented.add(try Repository.text(of: page)) }
      for (owner, name) in list.lines where !documented.mentions(name, of: owner) {
        Issue.record("\(list.pages[0]) says nothing of \(owner)'s \(name)")
      }
    }
  }

  @Test(arguments: ["BHModuleProtocol", "BHModuleEventType"])
  func `Each event that replaces one of BeeHive's exists`(table: String) throws {
    var documented = DocumentedNames()
    documented.add(try Repository.text(of: "Documentation/MigratingFromBeeHive.md"))
    let events = documented.events(about: table)
    #expect(events.count >= 20)
    // The event userDidLogIn is an example of the events that an app declares.
    let known = Set(SystemEvent.all.map(\.name)).union(["userDidLogIn"])
    #expect(events.subtracting(known).isEmpty)
  }

  @Test func `A name that is missing on a page, or only part of another name, is not found`() {
    var documented = DocumentedNames()
    documented.add("# Page\n### `A`\n| `make:with:` | x |\n`other(x)`\n### `B`\n`make:`\n```objc\n`take`\n```\n")
    #expect(documented.mentions("make:with:", of: "A"))
    #expect(documented.mentions("other", of: "A"))
    #expect(documented.mentions("make:", of: "B"))
    #expect(!documented.mentions("make:", of: "A"))
    #expect(!documented.mentions("make:with:", of: "B"))
    #expect(!documented.mentions("take", of: "B"))
    #expect(!documented.mentions("make:", of: "Page"))
  }

  @MainActor @Test func `Handlers with the priorities for Rhea run before and after the handlers without one`() throws {
    let page = try Repository.text(of: "Documentation/MigratingFromOthers.md")
    let row = try #require(page.split(separator: "\n").first { $0.contains("`.veryLow`, `.low`") })
    let names = ["veryLow", "low", "normal", "high", "veryHigh"]
    let list = try #require(row.components(separatedBy: "an integer: ").last?.components(separatedBy: ". ").first)
    let values = list.replacingOccurrences(of: "and ", with: "").components(separatedBy: ", ").compactMap { Int($0) }
    try #require(values.count == names.count)
    let (modules, ping) = (ModuleManager(), Event<Void, Void>("test.rhea"))
    var order: [String] = []
    modules.on(ping) { _ in order.append("first without") }
    for (name, value) in zip(names, values) { modules.on(ping, priority: value) { _ in order.append(name) } }
    modules.on(ping) { _ in order.append("last without") }
    try modules.start()
    modules.trigger(ping)
    // The priority of a handler without one is that of `.normal`.
    #expect(order == ["veryHigh", "high", "first without", "normal", "last without", "low", "veryLow"])
    modules.stop()
  }

  /// Calls a closure with the path of a temporary page.
  private func withPage(_ text: String, _ body: (String) throws -> Void) throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).md")
    try Data("\(text)\n".utf8).write(to: page)
    defer { try? FileManager.default.removeItem(at: page) }
    try body(page.path)
  }

  /// Compiles the rejected blocks into one module, and compares the first error of each with the text
  /// of the next block on its page.
  ///
  /// If there is no error, the first warning is compared. Returns a problem for each difference.
  private static func problems(inRejected blocks: [DocumentedBlock]) throws -> [String] {
    var files = try preludes(of: blocks[0].page)
    for block in blocks { files["\(block.name).swift"] = block.rejectedFile }
    let compilation = try Compiler.run(files, ["-swift-version", "6", "-module-name", "Shop"])
    var problems: [String] = []
    for (index, block) in blocks.enumerated() where block.rejectedFile != nil {
      let next = blocks.dropFirst(index + 1).first.flatMap { $0.kind == "text" ? $0 : nil }
      let shown = next?.text.trimmingCharacters(in: .newlines)
      // An expansion states positions in the file and not on the page.
      let diagnostics = compilation.diagnostics.filter {
        $0.file == block.page && block.lines.contains($0.line) || $0.file == "\(block.name).swift"
      }
      let first = diagnostics.first { $0.severity == "error" } ?? diagnostics.first
      let reported = first.map { "\($0.severity): \($0.message)\($0.origin)" }
      if reported == nil || reported != shown {
        let (reported, shown) = (reported.map { "'\($0)'" }, shown.map { "'\($0)'" })
        problems.append(
          "\(block.name): the compiler reports \(reported ?? "no error"), but the page shows \(shown ?? "no error")")
      }
    }
    return problems
  }

  /// Returns the compiler's diagnostics of the Swift blocks.
  ///
  /// The blocks are compiled into one module, and the manifests into another one.
  private static func problems(in blocks: [DocumentedBlock], of page: String) throws -> [String] {
    let manifests = blocks.compactMap(\.manifest)
    var problems: [String] = []
    if blocks.contains(where: { $0.file != nil }) {
      var files = try preludes(of: page)
      for block in blocks { files["\(block.name).swift"] = block.file }
      problems += self.problems(
        of: try Compiler.run(
          files, ["-swift-version", "6"], standIns: try StandIns.imported(by: blocks), checks: .constants))
    }
    if !manifests.isEmpty {
      let file = "import PackageDescription\n" + manifests.joined()
      problems += self.problems(
        of: try Compiler.run(["main.swift": file], ["-swift-version", "6"] + (try ManifestAPI.arguments())))
    }
    return problems
  }

  /// Returns the errors and warnings of clang for a block of C, which can use the types of the
  /// standard headers and the macros for exports.
  ///
  /// The blocks show the sections of ELF files, so the target is not the host.
  private func problems(inC block: DocumentedBlock) throws -> String {
    let includes = ["stdbool.h", "stddef.h", "stdint.h", "registry_export.h"].flatMap { ["-include", $0] }
    return try Command.run(
      "clang",
      [
        "-x", "c", "-std=c17", "-fsyntax-only", "-ffreestanding", "-target", "x86_64-unknown-linux-gnu", "-Wall",
        "-Wextra",
      ]
        + ["-Wno-unused-function", "-I", Repository.root.appendingPathComponent("Sources/RegistryC/include").path]
        + includes + ["-"], input: block.text
    ).output
  }

  /// Returns the files with the declarations that the blocks on a page use.
  private static func preludes(of page: String) throws -> [String: String] {
    var files = ["prelude.swift": prelude]
    files["page-prelude.swift"] = try Preludes.prelude(of: page)
    return files
  }

  private static func problems(of compilation: Compilation) -> [String] {
    // Code that shows a call does not use its result.
    let diagnostics = compilation.diagnostics.filter { !$0.message.contains("was never used") }
    // A failure without a diagnostic, such as a crash or a missing module, is a problem too.
    return diagnostics.isEmpty && !compilation.succeeded ? [compilation.output] : diagnostics.map(\.description)
  }
}
