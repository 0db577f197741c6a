import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// ELF files that compilers and linkers create while the tests run.
enum BuiltELF {
  /// The path of a compiler that supports every processor.
  ///
  /// The compiler and the linker are LLVM's own, or those in `PATH`.
  static let clang = tool("clang")
  static let linker = tool("ld.lld")
  static let gold = tool("ld.gold")
  static let readelf = tool("readelf")
  static let ar = tool("ar")
  static let llvmAr = tool("llvm-ar")
  static let objcopy = tool("objcopy") ?? tool("llvm-objcopy")

  /// The names of the processors that the compiler supports.
  static let compilers: Set<String> = {
    guard let clang, let run = try? Command.run(clang, ["--print-targets"]) else { return [] }
    return Set(run.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
  }()

  static func tool(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = ["/usr/lib/llvm-19/bin"] + path.split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Calls a closure with a temporary folder.
  static func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("elf-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.resolvingSymlinksInPath().path)
  }

  static func write(_ text: String, _ path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// Runs a tool, requires that it succeeds, and returns its output.
  @discardableResult
  static func run(_ tool: String?, _ arguments: [String], in folder: String? = nil) throws -> String {
    let run = try Command.run(try #require(tool), arguments, in: folder)
    try #require(run.succeeded, "\(tool ?? "") \(arguments): \(run.output)")
    return run.output
  }

  static func file(_ path: String) throws -> ELFFile { try ELFFile(BinaryView(try FileBytes(path: path))) }

  /// Source code with three records, a table of pointers, and a table of distances, for every
  /// processor.
  ///
  /// The accessors of the records are in the image, in another image, and absent.
  static let source = """
    extern int elsewhere(void);
    __attribute__((visibility("hidden"))) int here(void) { return 1; }
    int shown(void) { return 2; }
    __attribute__((visibility("hidden"))) const char text[] = "hello";
    __attribute__((used, section(".note.registry"), aligned(8)))
    static const struct {
      unsigned name_size, payload_size, kind; char name[12];
      union { void *function; unsigned long long slot; } accessor; char json[8];
    } records[3] = {
      {9, 16, 1, "Registry", {(void *)here}, "{}"}, {9, 16, 1, "Registry", {(void *)elsewhere}, "{}"},
      {9, 16, 1, "Registry", {0}, "{}"},
    };
    __attribute__((visibility("hidden"))) void *const table[] = {
      (void *)here, (void *)elsewhere, (void *)shown, (void *)(text + 1), 0,
    };
    __attribute__((visibility("hidden"))) extern const int distances[3];
    const int *use(void) { return distances; }
    void *const *use2(void) { return table; }
    __asm__(".section .distances,\\"a\\",%progbits\\n.balign 4\\n.globl distances\\n.hidden distances\\n"
            "distances:\\n.4byte text+1-.\\n.4byte 0\\n.4byte here-.\\n.previous\\n");
    """
}
