import Foundation
import Registry

/// A shared object that is compiled from C while the tests run.
public final class SharedObject {
  public struct CompilerFailed: Error {
    public let output: String
  }

  public struct LoaderFailed: Error {
    public let message: String
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of the folder that contains the export header.
  public static let headers = root.appendingPathComponent("Sources/RegistryC/include").path

  /// The images that were compiled from C, by their code and flags.
  ///
  /// Starting the compiler and the linker takes longer than all that most tests do with an image.
  /// The values are arrays, because LeakSanitizer does not find the bytes of a `Data` in a
  /// dictionary.
  private static let compiled = Locked<[String: [UInt8]]>([:])

  private let folder: URL
  public let path: String
  private var handle: UnsafeMutableRawPointer?

  /// The paths of the library's C sources, which a test can compile into an image that contains a
  /// copy of the library.
  public static let librarySources = [
    "elf/images", "elf/pins", "elf/dynamic", "images_macho", "open", "snapshot", "walker", "table", "sync", "process",
    "thread",
  ].map { root.appendingPathComponent("Sources/RegistryC/\($0).c").path }

  /// Compiles C code that can include the export header.
  ///
  /// - Parameters:
  ///   - swift: Swift code to compile into the image.
  ///   - module: The name of the module of the Swift code; nil for a name of its own.
  ///   - sources: The paths of additional C files.
  ///   - flags: Additional flags for the compiler.
  public init(
    _ source: String, name: String = "plugin", swift: String? = nil, module: String? = nil, sources: [String] = [],
    flags: [String] = []
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("registry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("\(name).c")
    try source.write(to: file, atomically: true, encoding: .utf8)
    path = folder.appendingPathComponent("lib\(name).so").path
    noteCreatedImage(path)
    let compile = ["-fPIC", "-I", Self.headers] + flags
    guard let swift else {
      // On ELF, the name is not a part of the contents, so equal code has equal files. A Mach-O image
      // contains its path, which images that depend on it repeat.
      #if objectFormat(MachO)
      try Self.run("clang", ["-shared"] + compile + sources + [file.path, "-o", path])
      #else
      let contents = ([source] + sources + flags).joined(separator: "\0")
      if let known = Self.compiled.withLock({ $0[contents] }) {
        try Data(known).write(to: URL(fileURLWithPath: path))
        return
      }
      try Self.run("clang", ["-shared"] + compile + sources + [file.path, "-o", path])
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      Self.compiled.withLock { $0[contents] = bytes }
      #endif
      return
    }
    let (object, code) = (file.path + ".o", folder.appendingPathComponent("\(name).swift"))
    try swift.write(to: code, atomically: true, encoding: .utf8)
    try Self.run("clang", compile + ["-c", file.path, "-o", object])
    try Self.run("swiftc", ["-emit-library", "-module-name", module ?? "Swift_\(name)", code.path, object, "-o", path])
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let result = try Command.run(program, arguments)
    guard result.status == 0 else { throw CompilerFailed(output: result.output) }
  }

  /// A Boolean value that indicates whether the image is loaded.
  public var isMapped: Bool {
    guard let handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD) else { return false }
    dlclose(handle)
    return true
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
