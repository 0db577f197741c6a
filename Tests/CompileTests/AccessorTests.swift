#if os(Linux)
import Foundation
import Testing

// These tests run the expansions of attributes. The program finds its own records, queries each
// accessor for its type and for a provider, and prints the isolation of the initializer.

private let program = """
  import API
  import Registry

  typealias Accessor = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, UInt) -> Bool
  typealias Maker = @isolated(any) () throws -> any S

  @_silgen_name("dl_iterate_phdr") nonisolated func dl_iterate_phdr(
    _ body: @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer?) -> CInt, _ data: UnsafeRawPointer?
  ) -> CInt

  nonisolated func show(_ record: UnsafeRawPointer, _ json: String) {
    let accessor = record.load(fromByteOffset: 24, as: Accessor.self)
    let out = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
    var other = 0
    guard accessor(out, nil, 0), !accessor(out, &other, 0) else { return print("refused") }
    let type = out.load(as: UnsafeRawPointer.self)
    guard type == unsafeBitCast((any S).self as Any.Type, to: UnsafeRawPointer.self), accessor(out, type, 0) else {
      return print("refused")
    }
    let make = out.assumingMemoryBound(to: Maker.self).pointee
    print(json.split(separator: "\\"")[7], make.isolation.map { "\\(Swift.type(of: $0))" } ?? "nonisolated")
  }

  @main struct Main {
    static func main() {
      // The first image is the program. Its dl_phdr_info consists of an address, a name, a pointer
      // to headers, and their number. The code reads the type, address, and size of each header.
      _ = dl_iterate_phdr(
        { info, _, _ in
          let address = info.load(as: UInt.self)
          let headers = info.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
          for index in 0..<Int(info.load(fromByteOffset: 24, as: UInt16.self)) {
            let header = headers + index * 56
            guard header.load(as: UInt32.self) == 4 else { continue }
            let start = UnsafeRawPointer(bitPattern: address + header.load(fromByteOffset: 16, as: UInt.self))!
            var offset = 0
            while offset + 32 <= header.load(fromByteOffset: 40, as: Int.self) {
              let note = start + offset
              let name = Int(note.load(as: UInt32.self)), payload = Int(note.load(fromByteOffset: 4, as: UInt32.self))
              if note.load(fromByteOffset: 8, as: UInt32.self) == 0x7365_7276 {
                show(note, String(cString: (note + 32).assumingMemoryBound(to: CChar.self)))
              }
              offset += (12 + name + 7) / 8 * 8 + (payload + 7) / 8 * 8
            }
          }
          return 1
        }, nil)
    }
  }
  """

private let services = """
  import API
  import Registry

  @ExportService((any S).self) @MainActor final class Written: S { init() {} }
  @ExportService((any S).self) final class Inferred: S { init() throws {} }
  @ExportService((any S).self) final class Implied: S {}
  @ExportService((any S).self) struct Value: S { init() {} }
  @ExportService((any S).self) nonisolated final class Free: S { init() {} }
  @ExportService((any S).self) nonisolated struct FreeValue: S { init() {} }
  @ExportService((any S).self) actor Actor: S { init() throws {} }
  @ExportService((any S).self) actor Implicit: S {}
  @ExportService((any S).self) actor OnMain: S { @MainActor init() {} }
  """

@Suite struct AccessorTests {
  @Test func `An accessor provides the initializer with its isolation`() throws {
    let modes: [(module: String, version: String, mainByDefault: Bool)] = [
      ("Swift5", "5", false), ("Swift5Main", "5", true), ("Swift6", "6", false), ("Swift6Main", "6", true),
    ]
    let modules = modes.map { mode in
      let isolation = mode.mainByDefault ? ["-default-isolation", "MainActor"] : []
      return Compiler.Module(name: mode.module, source: services, flags: ["-swift-version", mode.version] + isolation)
    }
    let output = try Compiler.runProgram(
      [Compiler.Module(name: "API", source: "public protocol S {}")] + modules
        + [Compiler.Module(name: "Program", source: program)])
    let expected = modes.flatMap { mode in
      let inferred = mode.mainByDefault ? "MainActor" : "nonisolated"
      // In Swift 6 mode, an implicit initializer without properties to set is not isolated.
      let implied = mode.mainByDefault && mode.version == "5" ? "MainActor" : "nonisolated"
      return [
        "Actor nonisolated", "Free nonisolated", "FreeValue nonisolated", "Implicit nonisolated", "Implied \(implied)",
        "Inferred \(inferred)", "OnMain MainActor", "Value \(inferred)", "Written MainActor",
      ].map { "\(mode.module).\($0)" }
    }
    #expect(output.split(separator: "\n").map(String.init).sorted() == expected.sorted())
  }
}
#endif
