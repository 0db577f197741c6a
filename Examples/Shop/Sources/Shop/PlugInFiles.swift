import Foundation

/// The files of plug-ins, which SwiftPM builds next to the executable.
enum PlugInFiles {
  #if canImport(Darwin)
  static let suffix = "dylib"
  #else
  static let suffix = "so"
  #endif

  #if DEBUG
  static let build = "swift build --package-path Examples/Shop"
  #else
  static let build = "swift build -c release --package-path Examples/Shop"
  #endif

  /// Returns the paths of plug-ins.
  ///
  /// - Parameter names: The names and paths of the plug-ins. `Name` stands for `libName.so` or
  ///   `libName.dylib` next to the executable, and a name with a slash is a path. If the array is
  ///   empty, the result contains every library next to the executable that this process hasn't
  ///   loaded, because the app doesn't know the plug-ins' names.
  static func find(_ names: [String]) throws(ArgumentError) -> [String] {
    let folder = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
      .deletingLastPathComponent()
    let files = FileManager.default
    if names.isEmpty {
      let all = (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      let found = all.filter { $0.lastPathComponent.hasPrefix("lib") && $0.pathExtension == suffix }
        .map(\.path).filter { !isLoaded($0) }.sorted()
      if found.isEmpty { throw missing("no plug-in in '\(folder.path)'") }
      return found
    }
    var found: [String] = []
    for name in names {
      let path = name.contains("/") ? name : folder.appendingPathComponent("lib\(name).\(suffix)").path
      guard files.fileExists(atPath: path) else { throw missing("no plug-in at '\(path)'") }
      found.append(path)
    }
    return found
  }

  private static func missing(_ what: String) -> ArgumentError {
    ArgumentError(
      description:
        "\(what)\n'swift run' builds only what the app links, which excludes plug-ins; build them with\n  \(build)")
  }

  private static func isLoaded(_ path: String) -> Bool {
    guard let handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD) else { return false }
    dlclose(handle)
    return true
  }
}
