import AppHost
import Foundation
import TestSupport
import Testing

/// The declarations that the code on the pages about migration uses but does not show.
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
    "Documentation/MigratingRouters.md",
  ]

  @Test(arguments: pages)
  func `Each block of Swift on a page compiles without a warning`(page: String) throws {
    let blocks = try DocumentedBlock.all(in: page)
    #expect(blocks.count { $0.file != nil } >= 5)
    let problems = try problems(in: blocks)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(arguments: pages)
  func `No block of a page is of a kind that nobody compiles`(page: String) throws {
    // Tests/Harness/Consumers/run builds files, which belong to several modules of a package.
    let known = ["swift", "swift-body", "swift-file", "swift-UIKit", "swift-SwiftUI", "swift-AppKit", "objc", "sh"]
    let blocks = try DocumentedBlock.all(in: page)
    #expect(!blocks.isEmpty)
    for block in blocks {
      #expect(known.contains(block.kind), "\(block.name) is of kind \(block.kind)")
    }
  }

  @Test func `A block that does not compile is reported with its page and line`() throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).md")
    try Data(
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
      """.utf8
    ).write(to: page)
    defer { try? FileManager.default.removeItem(at: page) }
    let problems = try problems(in: try DocumentedBlock.all(in: page.path))
    #expect(problems.count == 2)
    #expect(problems.first?.hasPrefix("\(page.path):7:18: error: ") == true, "\(problems)")
    #expect(problems.last?.hasPrefix("\(page.path):10:") == true, "\(problems)")
  }

  @Test(arguments: [
    ("# A\n```\nx\n```", "2: error: a code block without a language"),
    ("# A\n```swift\nlet x = 1", "3: error: the last code block has no end"),
    ("# A\n\n- b\n  ```swift\n  let x = 1\n  ```", "4: error: a code block that is indented"),
  ])
  func `A page with blocks that cannot be told apart is refused`(text: String, reason: String) throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).md")
    try Data("\(text)\n".utf8).write(to: page)
    defer { try? FileManager.default.removeItem(at: page) }
    let error = #expect(throws: DocumentedBlock.CannotRead.self) { try DocumentedBlock.all(in: page.path) }
    #expect(error?.reason.hasPrefix("\(page.path):\(reason)") == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    (
      "Tests/Harness/Documentation/beehive-api",
      ["Documentation/MigratingFromBeeHive.md", "Documentation/Context.md", "Documentation/MigratingRouters.md"], 160
    ),
    ("Tests/Harness/Documentation/others-api", ["Documentation/MigratingFromOthers.md"], 110),
    ("Tests/Harness/Documentation/routers-api", ["Documentation/MigratingRouters.md"], 110),
  ])
  func `Each public name of the other framework stands on the page`(
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
  func `Each event that stands for one of BeeHive's is there`(table: String) throws {
    var documented = DocumentedNames()
    documented.add(try Repository.text(of: "Documentation/MigratingFromBeeHive.md"))
    let events = documented.events(about: table)
    #expect(events.count >= 20)
    // The event userDidLogIn is an example of the events that an app declares.
    let known = Set(SystemEvent.all.map(\.name)).union(["userDidLogIn"])
    #expect(events.subtracting(known).isEmpty)
  }

  @Test func `A name that is missing on a page, or only part of another one, is missed`() {
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
