import Foundation

/// Programs that were built beside the tests, which run them in processes of their own.
public enum BuiltProgram {
  public struct NotBuilt: Error, CustomStringConvertible {
    let name: String
    public var description: String { "\(name) was not built: `swift build --build-tests` builds it" }
  }

  /// Where a program is. The tests' binary is the process's, or one that the test helper was given.
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
