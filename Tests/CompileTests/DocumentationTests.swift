import AppHost
import Foundation
import TestSupport
import Testing

/// The declarations that the code on the pages uses but does not show.
private let prelude = """
  import Foundation
  import Lifecycle
  import Registry
  struct User: Sendable { var name: String }
  protocol CartService: Sendable { func add(_ item: String) async -> Int }
  @MainActor protocol HomeScreen: Sendable {}
  final class LateModule: Module { init() {} }
  func report(_ name: String) async {}
  @MainActor protocol Screen: Sendable {}
  struct OrderListScreen: Screen {}
  @MainActor final class Navigator { func push(_ screen: any Screen) {} }
  @MainActor let navigator = Navigator()
  extension Event where Payload == User, Outcome == Void {
    static var userDidLogIn: Self { .init("account.userDidLogIn") }
  }
  """

@Suite struct DocumentationTests {
  static let pages = [
    "README.md", "Documentation/Services.md",
    "Documentation/MigratingFromBeeHive.md", "Documentation/MigratingFromOthers.md", "Documentation/Routing.md",
    "Documentation/MigratingRouters.md", "Documentation/Diagnostics.md",
  ]

  @Test(arguments: pages)
  func `Each block of Swift on a page compiles without a warning`(page: String) throws {
    let blocks = try DocumentedBlock.all(in: page)
    #expect(blocks.count { $0.file != nil || $0.rejectedFile != nil } >= 5)
    let problems = try problems(in: blocks)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(arguments: pages)
  func `Each rejected block on a page causes the error that the page shows`(page: String) throws {
    let problems = try problems(inRejected: try DocumentedBlock.all(in: page))
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(arguments: pages)
  func `Each block of a page is of a known kind`(page: String) throws {
    let compiled = ["swift", "swift-body", "swift-rejected", "swift-UIKit", "swift-SwiftUI", "swift-AppKit", "objc"]
    // Tests/Harness/Consumers/run builds files, which belong to several modules of a package.
    let known = compiled + ["c", "json", "sh", "swift-file", "text"]
    let blocks = try DocumentedBlock.all(in: page)
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(known.contains(block.kind), "\(block.name) is of kind \(block.kind)")
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
      """
    ) { page in
      let problems = try problems(in: try DocumentedBlock.all(in: page))
      #expect(
        problems == [
          "\(page):7:18: error: cannot convert value of type 'String' to specified type 'Int'",
          "\(page):10:32: error: cannot convert value of type 'Int' to expected argument type 'User'",
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
      let blocks = try DocumentedBlock.all(in: page)
      let problems = try problems(inRejected: blocks)
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
      let error = #expect(throws: DocumentedBlock.CannotRead.self) { try DocumentedBlock.all(in: page) }
      #expect(error?.reason.hasPrefix("\(page):\(reason)") == true, "\(String(describing: error))")
    }
  }

  @Test(arguments: [
    (
      "Tests/Harness/Documentation/beehive-api",
      ["Documentation/MigratingFromBeeHive.md", "Documentation/Context.md", "Documentation/MigratingRouters.md"], 160
    ),
    ("Tests/Harness/Documentation/others-api", ["Documentation/MigratingFromOthers.md"], 110),
    ("Tests/Harness/Documentation/routers-api", ["Documentation/MigratingRouters.md"], 110),
  ])
  func `Each public name of the other framework is on the page`(
    list: String, pages: [String], atLeast count: Int
  ) throws {
    var documented = DocumentedNames()
    for page in pages { documented.add(try Repository.text(of: page)) }
    let names = PublicNames(try Repository.text(of: list)).lines
    #expect(names.count >= count)
    for (owner, name) in names where !documented.mentions(name, of: owner) {
      Issue.record("\(pages[0]) says nothing of \(owner)'s \(name)")
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

  /// Calls a closure with the path of a temporary page.
  private func withPage(_ text: String, _ body: (String) throws -> Void) throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).md")
    try Data("\(text)\n".utf8).write(to: page)
    defer { try? FileManager.default.removeItem(at: page) }
    try body(page.path)
  }

  /// Compiles each rejected block alone, and compares its first error with the text of the next
  /// block.
  ///
  /// If there is no error, the first warning is compared. Returns a problem for each difference.
  private func problems(inRejected blocks: [DocumentedBlock]) throws -> [String] {
    var problems: [String] = []
    for (index, block) in blocks.enumerated() {
      guard let file = block.rejectedFile else { continue }
      let compilation = try Compiler.run(
        ["prelude.swift": prelude, "\(block.name).swift": file], ["-swift-version", "6", "-module-name", "Shop"])
      let next = blocks.dropFirst(index + 1).first.flatMap { $0.kind == "text" ? $0 : nil }
      let shown = next?.text.trimmingCharacters(in: .newlines)
      let reported =
        compilation.messages().first.map { "error: \($0)" }
        ?? compilation.messages("warning").first.map { "warning: \($0)" }
      if reported == nil || reported != shown {
        let (reported, shown) = (reported.map { "'\($0)'" }, shown.map { "'\($0)'" })
        problems.append(
          "\(block.name): the compiler reports \(reported ?? "no error"), but the page shows \(shown ?? "no error")")
      }
    }
    return problems
  }

  /// Returns the compiler's diagnostics of the Swift blocks, which are compiled into one module.
  private func problems(in blocks: [DocumentedBlock]) throws -> [String] {
    var files = ["prelude.swift": prelude]
    for block in blocks { files["\(block.name).swift"] = block.file }
    let compilation = try Compiler.run(files, ["-swift-version", "6"], emitsObject: true)
    // Code that shows a call does not use its result.
    let diagnostics = compilation.diagnostics.filter { !$0.contains("was never used") }
    // A failure without a diagnostic, such as a crash or a missing module, is a problem too.
    return diagnostics.isEmpty && !compilation.succeeded ? [compilation.output] : diagnostics
  }
}
