import Foundation

/// A shared object compiled from C while the tests run.
public final class SharedObject {
  public struct CompilerFailed: Error {
    public let output: String
  }

  public struct LoaderFailed: Error {
    public let message: String
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the export header.
  public static let headers = root.appendingPathComponent("Sources/RegistryC/include").path

  private let folder: URL
  public let path: String
  private var handle: UnsafeMutableRawPointer?

  /// Compiles C code that may include the export header.
  public init(_ source: String, name: String = "plugin") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("registry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("\(name).c")
    try source.write(to: file, atomically: true, encoding: .utf8)
    path = folder.appendingPathComponent("lib\(name).so").path
    let result = try Command.run("clang", ["-shared", "-fPIC", "-I", Self.headers, file.path, "-o", path])
    guard result.status == 0 else { throw CompilerFailed(output: result.output) }
  }

  deinit {
    close()
    try? FileManager.default.removeItem(at: folder)
  }

  public func open() throws {
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)
    guard handle != nil else { throw LoaderFailed(message: String(cString: dlerror())) }
  }

  public func close() {
    if let handle { dlclose(handle) }
    handle = nil
  }
}
