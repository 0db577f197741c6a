import Foundation

/// The folder that this test was built into; with the modules and the plugin, in any configuration and under
/// any scratch path.
struct BuildDirectory {
  let url: URL

  /// Looks upwards from the test's own binary: it is the process's, or one that the test helper was given.
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

  /// The compiler plugin.
  var plugin: String { url.appendingPathComponent("RegistryMacros-tool").path }

  /// What lets a snippet import the package's modules and use its macros.
  var arguments: [String] {
    [
      "-load-plugin-executable", "\(plugin)#RegistryMacros",
      "-I", url.appendingPathComponent("Modules").path,
      "-Xcc", "-fmodule-map-file=\(url.appendingPathComponent("RegistryC.build/module.modulemap").path)",
    ]
  }

  /// The object files of targets, to link a snippet with. What a source left behind that is no longer there is not
  /// among them, as builds do not clear it away.
  func objects(of targets: [String]) -> [String] {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources").standardizedFileURL
    return targets.flatMap { target in
      let known = Set(Self.files(in: sources.appendingPathComponent(target)).map { "\($0.lastPathComponent).o" })
      // A release build has one object for the whole module.
      return Self.files(in: url.appendingPathComponent("\(target).build")).filter {
        known.contains($0.lastPathComponent) || $0.lastPathComponent == "\(target).o"
      }.map(\.path).sorted()
    }
  }

  private static func files(in folder: URL) -> [URL] {
    FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
  }
}
