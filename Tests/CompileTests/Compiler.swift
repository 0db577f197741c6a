import Foundation
import TestSupport
import Testing

/// The result of a compilation.
struct Compilation: Sendable {
  let succeeded: Bool
  /// The complete output of the compiler.
  let output: String
  /// The errors and warnings in the output.
  let diagnostics: [Diagnostic]
  /// The contents of the object file, if the compiler emitted one.
  let object: Data?
}

/// A runner of the compiler.
enum Compiler {
  /// The phases of the compiler. Each case includes the ones before it.
  enum Checks {
    /// The types, in a job of its own for each file.
    case typesOfEachFile
    case types
    /// The compiler also checks isolation and that the constant of a record can be laid out
    /// statically.
    case constants
    case object

    fileprivate var flags: [String] {
      switch self {
      case .typesOfEachFile: ["-typecheck"]
      case .types: ["-typecheck", "-wmo"]
      case .constants: ["-emit-sil", "-wmo", "-o", "/dev/null"]
      case .object: ["-c", "-wmo", "-o", "snippet.o"]
      }
    }
  }

  /// Compiles files with the given names and contents into one module, in a separate folder.
  ///
  /// - Parameter standIns: The files of modules that the files import. The modules are compiled
  ///   first, in this order.
  static func run(
    _ files: [String: String], _ flags: [String] = [], standIns: [URL] = [], checks: Checks = .types
  ) throws -> Compilation {
    try inFolder(files) { folder in
      for file in standIns {
        let module = try Command.run(
          "swiftc",
          [
            "-parse-as-library", "-swift-version", "6", "-emit-module", "-I", ".", "-module-name",
            file.deletingPathExtension().lastPathComponent, file.path,
          ], in: folder.path)
        try #require(module.succeeded, "\(module.output)")
      }
      let compiled = try compile(files, checks.flags + flags, in: folder)
      return Compilation(
        succeeded: compiled.succeeded, output: compiled.output, diagnostics: Diagnostic.all(in: compiled.output),
        object: try? Data(contentsOf: folder.appendingPathComponent("snippet.o")))
    }
  }

  /// A module of one file.
  struct Module {
    var name: String
    var source: String
    var flags: [String] = []
  }

  /// Compiles modules in their order, links them with the library, runs the program, and returns its
  /// output.
  static func runProgram(_ modules: [Module]) throws -> String {
    let library = try BuildDirectory.required().objects(of: ["Registry", "RegistryC"])
    let files = Dictionary(uniqueKeysWithValues: modules.map { ("\($0.name).swift", $0.source) })
    return try inFolder(files) { folder in
      for module in modules {
        let name = module.name
        let names = ["-module-name", name, "-emit-module-path", "\(name).swiftmodule", "-o", "\(name).o"]
        let object = try compile(["\(name).swift": module.source], ["-c", "-wmo"] + names + module.flags, in: folder)
        try #require(object.succeeded, "\(object.output)")
      }
      let program = try Command.run(
        "swiftc", ["-o", "program"] + modules.map { "\($0.name).o" } + library, in: folder.path)
      try #require(program.succeeded, "\(program.output)")
      return try Command.run(folder.appendingPathComponent("program").path, in: folder.path).output
    }
  }

  /// Calls a closure with a temporary folder that contains the given files.
  private static func inFolder<Result>(
    _ files: [String: String], _ body: (URL) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    return try body(folder)
  }

  private static func compile(
    _ files: [String: String], _ flags: [String], in folder: URL
  ) throws -> Command {
    try Command.run(
      "swiftc",
      ["-module-name", "Snippet", "-diagnostic-style", "llvm", "-module-cache-path", moduleCache]
        + (files.keys.contains("main.swift") ? [] : ["-parse-as-library"])
        + BuildDirectory.required().arguments + ["-I", "."] + flags + files.keys.sorted(), in: folder.path)
  }

  /// The path of the cache of Clang modules, which all snippets share.
  private static let moduleCache = FileManager.default.temporaryDirectory
    .appendingPathComponent("swift-section-registry-snippets").path
}
