import Foundation
import TestSupport
import Testing

/// A code block of a page or of another text in Markdown.
struct DocumentedBlock: Sendable {
  /// The information string of the code fence, such as swift, swift-body, swift-rejected,
  /// swift-UIKit, or objc.
  let kind: String
  /// The page and the line of the block.
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
  /// The next block on the page contains the first error.
  var rejectedFile: String? { kind == "swift-rejected" ? Self.imports + text : nil }

  private static let imports = """
    import AppHost; import Foundation; import Lifecycle; import LifecycleTracing; import Manifests; import ProcessHost; \
    import Registry; import Routing

    """

  /// Returns the blocks of a page.
  ///
  /// - Parameter page: The path of the page. A relative path starts at the root of the repository.
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

  /// An error that a page cannot be divided into blocks.
  struct CannotRead: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }
}

/// The folder that contains this package.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
