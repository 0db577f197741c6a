import Foundation
import TestSupport
import Testing

/// A code block of a page or of another text in Markdown.
struct DocumentedBlock: Sendable {
  /// The information string of the code fence, such as swift, swift-body, swift-rejected,
  /// swift-UIKit, or objc.
  ///
  /// Tests/Harness/Documentation/pages.py lists the kinds.
  let kind: String
  let page: String
  /// The first line of the block on the page.
  let line: Int
  /// The name of the page and the line.
  ///
  /// For example, `MigratingFromBeeHive-0042`.
  let name: String
  /// The code of the block after a directive that makes compilers report the page and the line.
  let text: String

  /// The source file that contains the block, or nil if blocks of the kind need not compile.
  ///
  /// The file adds the imports that all blocks need, so that the blocks on a page can be short. A
  /// block of statements becomes the body of a function.
  var file: String? {
    switch kind {
    case "swift": return Self.imports + text
    case "swift-body":
      return Self.imports + """
        @MainActor private func block(
          modules: ModuleManager, services: ServiceManager, context: Context, router: Router
        ) async throws {
        \(text)
        #sourceLocation()
        }
        """
    default: return nil
    }
  }

  /// The source file of a block that must not compile, or nil for other kinds.
  ///
  /// The next block on the page contains the first error. The declarations become private, because
  /// blocks that must not compile repeat names.
  var rejectedFile: String? {
    guard kind == "swift-rejected" else { return nil }
    let declaration = #/(?m)^((?:@\w+ )*)(?=(?:final class|class|struct|enum|protocol|typealias|let|func|extension) )/#
    return Self.imports + text.replacing(declaration) { "\($0.1)private " }
  }

  /// The statements of a manifest that the block contains, or nil for other kinds.
  ///
  /// A block can import `PackageDescription`, which only a whole file can do.
  var manifest: String? {
    guard kind == "swift-manifest" else { return nil }
    return "do {\n\(text.replacing(/(?m)^import PackageDescription$/, with: ""))\n#sourceLocation()\n}\n"
  }

  /// The lines of the page that the block covers.
  var lines: ClosedRange<Int> { line...(line + text.count { $0 == "\n" }) }

  private static let imports = """
    import AppHost; import Foundation; import Lifecycle; import LifecycleTracing; import Manifests; import ProcessHost; \
    import Registry; import RegistryReports; import Routing

    """

  /// Returns the blocks of pages.
  ///
  /// - Parameter pages: The paths of the pages. A relative path starts at the root of the repository.
  static func all(in pages: [String]) throws -> [DocumentedBlock] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("blocks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let command = try Command.run(
      "python3", ["Tests/Harness/Documentation/pages.py", folder.path] + pages, in: Repository.root.path)
    guard command.succeeded else { throw CannotRead(reason: command.output) }
    let pagesByName = Dictionary(
      uniqueKeysWithValues: pages.map { (URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent, $0) })
    var blocks: [DocumentedBlock] = []
    for kind in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      for file in try FileManager.default.contentsOfDirectory(at: kind, includingPropertiesForKeys: nil) {
        let name = file.deletingPathExtension().lastPathComponent
        let page = try #require(pagesByName[String(name.dropLast(5))])
        blocks.append(
          DocumentedBlock(
            kind: kind.lastPathComponent, page: page, line: try #require(Int(name.suffix(4))), name: name,
            text: try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return blocks.sorted { $0.name < $1.name }
  }

  /// An error that a page cannot be divided into blocks.
  struct CannotRead: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }
}

/// The declarations that the code on a page uses but does not show.
enum Preludes {
  /// Returns the declarations for one page, or nil if the page needs none of its own.
  static func prelude(of page: String) throws -> String? {
    let name = URL(fileURLWithPath: page).deletingPathExtension().lastPathComponent
    let path = "Tests/Harness/Documentation/Preludes/\(name).swift"
    guard FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path) else { return nil }
    return "#sourceLocation(file: \"\(path)\", line: 1)\n" + (try Repository.text(of: path))
  }
}

/// The stand-ins for the packages of other projects that the code on the pages uses.
///
/// They declare what the code uses, so that the tests need no dependencies.
enum StandIns {
  private static let folder = Repository.root.appendingPathComponent("Tests/Harness/Documentation/StandIns")

  /// Returns the files of the modules that blocks import, and of those that these modules import.
  static func imported(by blocks: [DocumentedBlock]) throws -> [URL] {
    let files = ["Logging", "ServiceLifecycle"].map { folder.appendingPathComponent("\($0).swift") }
    let imports = blocks.contains { block in
      files.contains { block.text.contains("import \($0.deletingPathExtension().lastPathComponent)\n") }
    }
    return imports ? files : []
  }
}

/// The folder that contains this package.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  /// The pages that contain Swift, apart from the tutorial, whose steps Tests/Harness/Tutorial/run
  /// performs, and from pages in Chinese, whose code is on the pages that they follow.
  static let pagesWithSwift: [String] = {
    let folder = root.appendingPathComponent("Documentation").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let pages = files.filter { $0.hasSuffix(".md") && $0 != "Tutorial.md" }.sorted().map { "Documentation/\($0)" }
    return (["README.md"] + pages).filter { (try? text(of: $0).contains("```swift")) == true }
  }()

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
