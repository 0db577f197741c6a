import Foundation
import Measuring

/// An image of generated Swift code with modules, and services that each have their own protocol.
enum SwiftImage {
  /// Creates the image.
  ///
  /// The compiler takes half a minute for a thousand services and modules.
  ///
  /// - Parameter exports: A Boolean value that indicates whether attributes export the types.
  ///   Otherwise, C records name them.
  static func make(_ count: Int, exports: Bool) throws -> String {
    try Images.file("swift-\(exports ? "exports" : "classes")-\(count).so") { file, scratch in
      let source = scratch.appendingPathComponent("StartUp.swift")
      try Data(text(count, exports).utf8).write(to: source)
      let object = scratch.appendingPathComponent("StartUp.o").path
      try Program.run(
        "swiftc", try flags() + ["-O", "-wmo", "-c", source.path, "-o", object])
      try Program.run(
        "swiftc",
        ["-emit-library", "-o", file.path, try bound("begin", scratch), object, try bound("end", scratch)])
    }
  }

  private static func bound(_ name: String, _ scratch: URL) throws -> String {
    let object = scratch.appendingPathComponent(name + ".o")
    try Images.compile([Images.source(name + ".s")], to: object, flags: ["-c"])
    return object.path
  }

  /// Returns the flags for compiling code as in the package's targets.
  private static func flags() throws -> [String] {
    let products = Program.own.deletingLastPathComponent().path
    let root = URL(fileURLWithPath: Images.source("")).deletingLastPathComponent().deletingLastPathComponent().path
    return [
      "-module-name", "StartUp", "-swift-version", "6", "-parse-as-library", "-I", products + "/Modules",
      "-Xcc", "-fmodule-map-file=" + products + "/RegistryC.build/module.modulemap",
      "-Xcc", "-I" + root + "/Sources/RegistryC/include",
      "-load-plugin-executable", products + "/RegistryMacros-tool#RegistryMacros",
    ]
  }

  private static func text(_ count: Int, _ exports: Bool) -> String {
    var text = "import Lifecycle\nimport Registry\n"
    for index in 0..<count {
      let number = index * 7_919 % count
      let module = RecordImage.module(number, .named).dropFirst("StartUp.".count)
      text += """
        public protocol Service\(number): AnyObject, Sendable {}
        \(exports ? "@ExportService((any Service\(number)).self, scope: .shared)" : "")
        public final class Class\(number): Service\(number) { public init() {} }
        \(exports ? "@ExportModule" : "")
        public final class \(module): Module { public init() {} }

        """
    }
    // The function counts the services that a program finds. It calls a function that isn't
    // specialized for each service, because compiling already takes long enough.
    text += """
      @inline(never) @_semantics("optimize.sil.specialize.generic.never")
      func find<Service>(_ type: Service.Type) -> Int {
        (try? ServiceManager.shared.createService(for: type)) == nil ? 0 : 1
      }
      @_cdecl("benchmark_find_all") public func findAll() -> Int {
        var found = 0

      """
    for number in 0..<count { text += "  found += find((any Service\(number)).self)\n" }
    return text + "  return found\n}\n"
  }
}
