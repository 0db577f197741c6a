import Foundation
import TestSupport
import Testing

/// A code block of a page in `Documentation`, or of another text in Markdown.
struct DocumentedBlock: Sendable {
  /// The words behind its fence: `swift`, `swift-body`, `swift-UIKit`, `objc`.
  let kind: String
  /// The page and the line, `MigratingFromBeeHive-0042`.
  let name: String
  /// Its text, and before it what makes compilers report it at its page and line.
  let text: String

  /// What stands in front of a block, and what its file ends with; nil if it is not for this test to compile.
  ///
  /// Blocks are short, as a reader wants them: what all of them need is in here. One of statements is the body of a function.
  var file: String? {
    let imports =
      "import AppHost; import Foundation; import Lifecycle; import LifecycleTracing; import Manifests; import ProcessHost;"
      + " import Registry; import Routing\n"
    switch kind {
    case "swift": return imports + text
    case "swift-body":
      return imports + """
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

  /// The blocks of a page.
  ///
  /// - Parameter page: Its path from the root of the repository, or any other.
  static func all(in page: String) throws -> [DocumentedBlock] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("blocks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let command = try Command.run(
      "bash", ["Tests/Harness/Documentation/blocks", folder.path, page], in: Repository.root.path)
    guard command.succeeded else { throw CannotRead(reason: command.output) }
    var blocks: [DocumentedBlock] = []
    for kind in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      for file in try FileManager.default.contentsOfDirectory(at: kind, includingPropertiesForKeys: nil) {
        blocks.append(
          DocumentedBlock(
            kind: kind.lastPathComponent, name: file.deletingPathExtension().lastPathComponent,
            text: try String(contentsOf: file, encoding: .utf8)))
      }
    }
    return blocks.sorted { $0.name < $1.name }
  }

  /// A page is not as it should be.
  struct CannotRead: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }
}

/// The folder that this package is in.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
