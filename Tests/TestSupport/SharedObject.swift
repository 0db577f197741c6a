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
    let result = try Self.run(["clang", "-shared", "-fPIC", "-I", Self.headers, file.path, "-o", path])
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

  /// Runs a command found on the path and returns what it printed.
  public static func run(_ command: [String], input: String? = nil) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    let standardInput = Pipe()
    process.standardInput = standardInput
    try process.run()
    if let input { standardInput.fileHandleForWriting.write(Data(input.utf8)) }
    try standardInput.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
