import Foundation

/// The programs that the build produces beside the tests, which run them as separate processes.
public enum BuiltProgram {
  public struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    public var description: String { "\(name) was not built: `swift build --build-tests` builds it" }
  }

  /// Returns the path of a program.
  ///
  /// The search starts at the tests' binary, which is either the executable of the process or an
  /// argument of the test helper.
  public static func path(_ name: String) throws -> String {
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for candidate in [executable].compactMap({ $0 }) + CommandLine.arguments where candidate.contains("/") {
      var folder = URL(fileURLWithPath: candidate).standardizedFileURL
      while folder.pathComponents.count > 1 {
        folder.deleteLastPathComponent()
        let path = folder.appendingPathComponent(name).path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue { return path }
      }
    }
    throw NotBuilt(name: name)
  }
}
