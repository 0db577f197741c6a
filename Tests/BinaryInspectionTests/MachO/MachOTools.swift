import Foundation
import TestSupport

/// The tools that create and dump real Mach-O files on any system.
enum MachOTools {
  static let clang = find(["clang-19", "/usr/lib/llvm-19/bin/clang", "clang"])
  static let linker = find(["ld64.lld-19", "/usr/lib/llvm-19/bin/ld64.lld", "ld64.lld"])
  static let readobj = find(["llvm-readobj-19", "llvm-readobj", "llvm-readobj-14"])
  static let nm = find(["llvm-nm-19", "llvm-nm", "llvm-nm-14"])
  static let strip = find(["llvm-strip-19", "llvm-strip", "llvm-strip-14"])
  static let lipo = find(["llvm-lipo-19", "llvm-lipo", "llvm-lipo-14"])
  static let all = [clang, linker, readobj, nm, strip, lipo]
  static var areThere: Bool { !all.contains(nil) }
  static let missing =
    "needs clang, ld64.lld (Debian's package lld-19), llvm-readobj, llvm-nm, llvm-strip and llvm-lipo (package llvm)"

  private static func find(_ names: [String]) -> String? {
    names.first { (try? Command.run($0, ["--version"]))?.succeeded ?? false }
  }
}

/// Mach-O files that are built from C code, in a folder that is removed with the instance.
final class MachOImages {
  struct ToolFailed: Error {
    let command: [String]
    let output: String
  }

  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("macho-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.source.write(to: folder.appendingPathComponent("image.c"), atomically: true, encoding: .utf8)
    try Self.system.write(to: folder.appendingPathComponent("libSystem.tbd"), atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Runs a tool in the folder and returns its output.
  @discardableResult
  func run(_ tool: String?, _ arguments: [String]) throws -> String {
    let result = try Command.run(tool ?? "missing", arguments, in: folder.path)
    guard result.succeeded else { throw ToolFailed(command: [tool ?? "missing"] + arguments, output: result.output) }
    return result.output
  }

  /// Compiles the source code for a target and returns the path of the object.
  ///
  /// - Parameter target: A target triple such as `"arm64-apple-macos13"`.
  func object(_ target: String, _ flags: [String] = []) throws -> String {
    let name = "\(target).o"
    try run(
      MachOTools.clang,
      ["-target", target, "-O1", "-g0", "-nostdlibinc", "-ffreestanding", "-c", "image.c", "-o", name] + flags)
    return path(name)
  }

  /// Links the source code and returns the path of the image.
  ///
  /// - Parameters:
  ///   - version: The version of macOS. Version 11 uses opcodes, and version 13 uses chained
  ///     fixups.
  ///   - kind: `"-dylib"`, `"-bundle"`, or `"-execute"`.
  func image(_ architecture: String, version: Int, _ kind: String, _ flags: [String] = []) throws -> String {
    let object = try object("\(architecture)-apple-macos\(version)", kind == "-execute" ? ["-DMAIN"] : [])
    let name = "image-\(architecture)-\(version)\(kind)"
    try run(
      MachOTools.linker,
      ["-arch", architecture, "-platform_version", "macos", "\(version).0", "\(version).0", kind, "-o", name, object]
        + ["libSystem.tbd"] + flags)
    return path(name)
  }

  /// The symbols of the system library that the source code needs.
  private static let system = """
    --- !tapi-tbd
    tbd-version: 4
    targets: [ x86_64-macos, arm64-macos, arm64e-macos ]
    install-name: '/usr/lib/libSystem.B.dylib'
    exports:
      - targets: [ x86_64-macos, arm64-macos, arm64e-macos ]
        symbols: [ _outside, _outside_data, dyld_stub_binder ]
    ...

    """

  /// Source code with every kind of pointer and relative pointer, in sections that are named after
  /// the kinds.
  private static let source = #"""
    extern int outside(void);
    extern char outside_data[];
    static int local_value = 5;
    int exported_value = 7;
    __attribute__((weak)) int weak_value = 9;
    int common_value;
    __attribute__((section("__DATA,pointers"), used)) const void *pointers[] = {
        &local_value, &exported_value, outside_data + 16, 0, "text", &weak_value, (char *)&exported_value + 4, outside_data - 8};
    __attribute__((section("__DATA,__reg_modules"), used)) char modules[32] = "modules";
    __attribute__((section("__DATA,__reg_exports"), used)) char exports[8] = "exports";
    __attribute__((section("__DATA_CONST,__reg_services"), used)) const char misplaced[8] = "no";
    int (*const functions[])(void) = {outside};
    int call(void) { return outside() + local_value++ + common_value + outside_data[0]; }
    __asm__(
        ".section __DATA,relative\n.p2align 2\n_relative:\n"
        ".long _exported_value - _relative\n"
        ".long 0\n"
        ".long _local - (_relative + 8)\n"
        ".section __DATA,other\n.p2align 3\n.long 1\n_local: .long 2\n");
    #ifdef MAIN
    int main(void) { return call(); }
    #endif
    """#
}
