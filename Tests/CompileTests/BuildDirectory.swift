import Foundation
import TestSupport
import Testing

/// The folder of the build that produced the tests, which contains the modules and the plugin.
///
/// The folder is found in any configuration and under any scratch path.
struct BuildDirectory {
  let url: URL

  /// The folder that contains the plugin, in or above the folder of the tests' binary.
  ///
  /// The binary is either the executable of the process or an argument of the test helper.
  static let current: BuildDirectory? = {
    var candidates = CommandLine.arguments.filter { $0.contains("/") }
    if let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
      candidates.insert(executable, at: 0)
    }
    for candidate in candidates {
      var url = URL(fileURLWithPath: candidate).standardizedFileURL
      while url.pathComponents.count > 1 {
        url.deleteLastPathComponent()
        let directory = BuildDirectory(url: url)
        if FileManager.default.isExecutableFile(atPath: directory.plugin) { return directory }
      }
    }
    return nil
  }()

  /// Returns the current folder, or throws an error if the plugin is not built.
  static func required() throws -> BuildDirectory {
    try #require(current, "no RegistryMacros-tool above the test's binary")
  }

  /// The path of the compiler plugin.
  var plugin: String { url.appendingPathComponent("RegistryMacros-tool").path }

  /// The compiler arguments that let a snippet import the package's modules and use its macros.
  var arguments: [String] {
    [
      "-load-plugin-executable", "\(plugin)#RegistryMacros",
      "-load-plugin-executable", url.appendingPathComponent("RoutingMacros-tool").path + "#RoutingMacros",
      "-I", url.appendingPathComponent("Modules").path,
    ]
      + ["RegistryC", "AnalysisPage"].flatMap { target in
        ["-Xcc", "-fmodule-map-file=\(url.appendingPathComponent("\(target).build/module.modulemap").path)"]
      }
  }

  /// Returns the object files of targets, so that a snippet can be linked with them.
  ///
  /// Builds do not remove the object files of deleted sources, so the function leaves those out.
  func objects(of targets: [String]) -> [String] {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources").standardizedFileURL
    return targets.flatMap { target in
      let known = Set(Self.files(in: sources.appendingPathComponent(target)).map { "\($0.lastPathComponent).o" })
      // A release build has one object file for the whole module.
      return Self.files(in: url.appendingPathComponent("\(target).build")).filter {
        known.contains($0.lastPathComponent) || $0.lastPathComponent == "\(target).o"
      }.map(\.path).sorted()
    }
  }

  private static func files(in folder: URL) -> [URL] {
    FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
  }
}

/// The module of package manifests, which is a part of the compiler's toolchain.
enum ManifestAPI {
  /// Returns the compiler arguments that let a manifest import `PackageDescription`.
  static func arguments() throws -> [String] {
    struct Information: Decodable {
      struct Paths: Decodable { let runtimeResourcePath: String }
      let paths: Paths
    }
    let command = try Command.run("swiftc", ["-print-target-info"], in: Repository.root.path)
    let information = try JSONDecoder().decode(Information.self, from: Data(command.output.utf8))
    return ["-I", "\(information.paths.runtimeResourcePath)/pm/ManifestAPI", "-package-description-version", "6.3.0"]
  }
}
