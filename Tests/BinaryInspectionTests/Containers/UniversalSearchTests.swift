import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Universal files that a search finds.
///
/// The slices are ELF files here, because the header of a universal file does not depend on their
/// format.
@Suite struct UniversalSearchTests {
  /// Returns a universal file with slices for x86_64 and arm64.
  ///
  /// - Parameter archive: A Boolean value that indicates whether the slice for arm64 is an archive.
  private func universal(archive: Bool = false) -> Data {
    let first = HandmadeELF().bytes
    var arm = HandmadeELF()
    arm.put(18, 183, 2)
    let name = "a.o/".padding(toLength: 48, withPad: " ", startingAt: 0)
    let second = archive ? Array("!<arch>\n\(name)768       `\n".utf8) + arm.bytes : arm.bytes
    func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - $0 * 8)) } }
    var bytes = big(0xcafe_babe) + big(2)
    bytes += big(0x0100_0007) + big(3) + big(64) + big(first.count) + big(3)
    bytes += big(0x0100_000c) + big(0) + big(1024) + big(second.count) + big(3)
    bytes += [UInt8](repeating: 0, count: 64 - bytes.count) + first
    bytes += [UInt8](repeating: 0, count: 1024 - bytes.count) + second
    return Data(bytes)
  }

  @Test("every slice or the selected one is listed, and none is dropped silently")
  func slices() throws {
    try BuiltELF.inFolder { folder in
      try universal().write(to: URL(fileURLWithPath: "\(folder)/a"))
      #expect(SearchResult("\(folder)/a", in: folder).architectures == ["x86_64", "aarch64"])
      #expect(SearchResult("\(folder)/a", in: folder, architecture: "arm64").architectures == ["aarch64"])
      let result = SearchResult("\(folder)/a", in: folder, architecture: "arm64e")
      #expect(result.found.isEmpty)
      #expect(
        result.errors.map(\.message) == ["does not contain the architecture 'arm64e', but only 'x86_64' and 'arm64'"])
    }
  }

  @Test("a slice can be an archive, as in a universal static framework")
  func archive() throws {
    try BuiltELF.inFolder { folder in
      try universal(archive: true).write(to: URL(fileURLWithPath: "\(folder)/a"))
      #expect(SearchResult(folder, in: folder).found == ["a", "a(a.o)"])
      #expect(SearchResult(folder, in: folder, architecture: "arm64").found == ["a(a.o)"])
    }
  }

  @Test("a slice that is not a binary is an error, and the other one is listed")
  func damaged() throws {
    try BuiltELF.inFolder { folder in
      var data = universal()
      data.replaceSubrange(64..<68, with: Data("text".utf8))
      try data.write(to: URL(fileURLWithPath: "\(folder)/a"))
      let result = SearchResult("\(folder)/a", in: folder)
      #expect(result.architectures == ["aarch64"])
      #expect(
        result.errors.map(\.message) == ["is not a binary; expected a Mach-O file, an ELF file, or an archive of them"])
      #expect(result.errors.map(\.file) == ["a (x86_64)"])
    }
  }

  @Test("a slice that is the whole file is not read as a universal file again")
  func wholeFile() throws {
    try BuiltELF.inFolder { folder in
      let words: [UInt32] = [0xcafe_babe, 1, 0x0100_000c, 0, 0, 28, 0]
      let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - $0 * 8)) } }
      try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/a"))
      let result = SearchResult("\(folder)/a", in: folder)
      #expect(result.found.isEmpty)
      #expect(
        result.errors.map(\.description) == [
          "a (arm64): error: is not a binary; expected a Mach-O file, an ELF file, or an archive of them [unsupported-file]"
        ])
    }
  }
}
