import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// Files of the system, for which the reader must agree with GNU's readelf.
@Suite(.enabled(if: BuiltELF.readelf != nil, "needs readelf"))
struct ReadelfTests {
  /// The paths of some programs, shared objects, and objects of this machine, in a fixed order.
  static let files: [String] = {
    let folders = ["/usr/bin", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/lib64"]
    var files: [String] = []
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      var count = 0
      for name in names.sorted() where count < 20 {
        let path = "\(folder)/\(name)"
        guard let bytes = try? FileBytes(path: path), (try? BinaryView(bytes).starts(with: ELF.magic)) == true else {
          continue
        }
        files.append(path)
        count += 1
      }
    }
    return files
  }()

  /// Without files, the tests below would have no cases and pass.
  @Test("this machine has files to read")
  func some() { #expect(Self.files.count >= 12) }

  @Test("the sections of this machine's files are those that readelf prints", arguments: files)
  func sections(path: String) throws {
    let file = try BuiltELF.file(path)
    #expect(file.sectionProblem == nil)
    let output = try BuiltELF.run(BuiltELF.readelf, ["-SW", path])
    let printed = output.split(separator: "\n").compactMap(SectionLine.init)
    #expect(!printed.isEmpty && printed.count == file.sections.count)
    for (section, line) in zip(file.sections, printed) where !section.name.isEmpty {
      #expect(section.name == line.name)
      #expect(section.size == line.size)
      if !file.header.isObject { #expect(section.address == line.address) }
      #expect(section.offset == (line.type == "NOBITS" || line.size == 0 ? nil : line.offset))
    }
  }

  @Test("the words that dynamic relocations change are those that readelf prints", arguments: files.prefix(12))
  func relocations(path: String) throws {
    let file = try BuiltELF.file(path)
    let output = try BuiltELF.run(BuiltELF.readelf, ["-rW", path])
    // An undefined symbol of a program can have a value, which is the address of a stub.
    let undefined = Set(
      try BuiltELF.run(BuiltELF.readelf, ["-W", "--dyn-syms", path]).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count > 7 && words[6] == "UND" ? words[7].prefix { $0 != "@" } : nil
      })
    var (relative, named) = (0, 0)
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 4, let place = UInt64(words[0], radix: 16), words[2].hasPrefix("R_X86_64_") else { continue }
      if words[2] == "R_X86_64_RELATIVE", relative < 2_000 {
        #expect(try file.pointer(at: place) == .address(UInt64(words[3], radix: 16)!))
        relative += 1
      } else if words[2] == "R_X86_64_GLOB_DAT" || words[2] == "R_X86_64_64", words.count >= 5, named < 2_000 {
        let name = words[4].prefix { $0 != "@" }
        let value = UInt64(words[3], radix: 16)!
        let addend = words.count >= 7 ? Int64(words[6], radix: 16)! : 0
        let pointer = try file.pointer(at: place)
        if undefined.contains(name) {
          #expect(pointer == .symbol(String(name), addend))
        } else {
          #expect(pointer == .address(value &+ UInt64(bitPattern: addend)))
        }
        named += 1
      }
    }
    #expect(relative > 0 || !output.contains("R_X86_64_RELATIVE "))
    #expect(named > 0 || !output.contains("R_X86_64_GLOB_DAT "))
  }

  @Test("the segments of notes are those that readelf prints, without one twice", arguments: files)
  func notes(path: String) throws {
    let file = try BuiltELF.file(path)
    let output = try BuiltELF.run(BuiltELF.readelf, ["-lW", path])
    var ranges: [(start: UInt64, end: UInt64)] = []
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.first == "NOTE", words.count >= 6, let start = number(words[2]), let size = number(words[5]) else {
        continue
      }
      ranges.append((start, start + size))
    }
    guard file.header.type != .other else { return }
    for range in ranges where range.start < range.end {
      let holders = file.recordSections.filter { $0.address <= range.start && range.end <= $0.address + $0.size }
      #expect(holders.count == 1, "\(range)")
    }
    #expect(file.recordSections.isEmpty == ranges.isEmpty)
    for (one, other) in zip(file.recordSections, file.recordSections.dropFirst()) {
      #expect(one.address + one.size <= other.address)
    }
  }

  private func number(_ text: Substring) -> UInt64? { UInt64(text.dropFirst(2), radix: 16) }

  /// A line of the section table that readelf prints.
  ///
  /// For example, `[ 1] .interp PROGBITS 0000000000000318 000318 00001c 00   A  0   0  1`.
  private struct SectionLine {
    var name: String
    var type: String
    var address: UInt64
    var offset: UInt64
    var size: UInt64

    init?(_ line: Substring) {
      guard line.contains("["), let close = line.firstIndex(of: "]"),
        line[..<close].dropFirst(3).contains(where: \.isNumber)
      else { return nil }
      let words = line[line.index(after: close)...].split(separator: " ").map(String.init)
      // Section zero has no name.
      let first = words.first == "NULL" ? -1 : 0
      guard words.count > first + 5, let address = UInt64(words[first + 2], radix: 16),
        let offset = UInt64(words[first + 3], radix: 16), let size = UInt64(words[first + 4], radix: 16)
      else { return nil }
      name = first < 0 ? "" : words[0]
      type = words[first + 1]
      (self.address, self.offset, self.size) = (address, offset, size)
    }
  }
}
