/// A binary for one architecture, independent of the object file format.
///
/// Addresses are as in the file. The sections of an ELF object have no addresses, so their file
/// offsets are used instead.
package protocol ObjectFile: AnyObject {
  var view: BinaryView { get }
  var header: ImageHeader { get }
  /// The sections in the order of their headers.
  var sections: [Section] { get }
  /// The nonoverlapping sections that can contain records; in linked ELF images, note segments.
  var recordSections: [Section] { get }
  var linkage: Linkage { get }
  var map: AddressMap { get }

  /// Returns the value of the pointer at an address after the image is loaded.
  func pointer(at address: UInt64) throws(InspectionProblem) -> Pointer

  /// Calls a function with the address and the name of each symbol that can be a variable. The
  /// calls end, without an error, where the symbol table is damaged.
  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void)
}

extension ObjectFile {
  /// Returns the number at an address. It's as wide as a pointer unless a size is given.
  func number(
    at address: UInt64, size: UInt64? = nil, _ what: @autoclosure () -> String
  ) throws(InspectionProblem) -> UInt64 {
    try map.bytes(at: address, size ?? header.pointerSize, what()).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the target of a 32-bit relative pointer; nil for null or, in ELF, an unmapped target.
  func relativePointer(at address: UInt64) throws(InspectionProblem) -> UInt64? {
    let distance = Int32(truncatingIfNeeded: try number(at: address, size: 4, "a relative pointer"))
    let target = sum(address, Int64(distance))
    return distance == 0 || header.format == .elf && map.region(at: target) == nil ? nil : target
  }

  func error(at address: UInt64, _ message: String) -> InspectionProblem {
    for section in sections where address >= section.address && address - section.address < section.size {
      if let offset = section.offset { return view.error(offset &+ (address - section.address), message) }
    }
    return view.error(nil, "\(message) (at address \(address.hex))")
  }

  /// Returns the sum, truncated to the width of a pointer.
  func sum(_ address: UInt64, _ addend: Int64) -> UInt64 {
    let sum = address &+ UInt64(bitPattern: addend)
    return header.is64Bit ? sum : sum & 0xffff_ffff
  }
}

package struct ImageHeader: Sendable, Equatable {
  package enum Format: String, Sendable, Codable {
    case machO = "Mach-O"
    case elf = "ELF"
  }

  package enum FileType: String, Sendable, Codable {
    case executable
    /// A dylib, a shared object, or the binary of a framework.
    case library
    /// A Mach-O plug-in.
    case bundle
    case object
    /// Any other file, such as debug symbols, a core, or a kernel extension. It registers nothing.
    case other
  }

  package var format: Format
  package var type: FileType
  /// The name of the architecture, as the format's tools spell it, such as `"arm64e"`, `"x86_64"`,
  /// or `"aarch64"`.
  package var architecture: String
  package var is64Bit: Bool
  /// The number of the platform in Mach-O files, such as 2 for iOS; nil if it's unknown. Mac
  /// Catalyst has the number for macOS, because its processes load images for macOS.
  package var platform: UInt32?
  /// True if part of a Mach-O image is encrypted, such as the code of an App Store app.
  package var isEncrypted = false
  package var isStripped = false
  /// True if an ELF image has only empty note segments, which no linker writes.
  package var lacksNotes = false

  var pointerSize: UInt64 { is64Bit ? 8 : 4 }
  var isObject: Bool { type == .object }

  /// The format, the architecture, and the platform, which all images in a process share.
  var family: [String] { [format.rawValue, architecture, platform.map { "\($0)" } ?? ""] }

  /// True if the tool can read type metadata. In an object, distances in the metadata depend on
  /// relocations, which the tool doesn't interpret.
  var hasReadableMetadata: Bool { !isEncrypted && !isObject }
}

/// A section of an object file, a segment, or another named range.
package struct Section: Equatable {
  /// The name. A Mach-O section's name includes the segment, such as `"__DATA,__reg_modules"`.
  package var name: String
  var index = 0
  package var address: UInt64 = 0
  package var size: UInt64
  /// The offset of the bytes in the view; nil if the file doesn't contain the bytes.
  package var offset: UInt64?
  /// The number of trailing zeros that the file doesn't contain.
  var zeros: UInt64 = 0
  var isReadable = true
  package var isEncrypted = false
  /// The alignment of notes, 4 or 8; nil for a section without notes.
  package var noteAlignment: UInt32?

  var fileSize: UInt64 { offset == nil ? 0 : size - zeros }
}

extension BinaryView {
  /// Throws an error if two ranges overlap. Linkers don't write such ranges, and a hostile file
  /// could use them to make the tool read the same bytes many times. `kind` is the word for the
  /// ranges in errors, such as `"sections"`.
  func refuseOverlap(
    _ ranges: [Section], _ kind: String = "sections", inMemory: Bool = false
  ) throws(InspectionProblem) {
    func start(_ range: Section) -> UInt64 { inMemory ? range.address : range.offset ?? 0 }
    func size(_ range: Section) -> UInt64 { inMemory ? range.size : range.fileSize }
    let sorted = ranges.filter { size($0) > 0 }.sorted { start($0) < start($1) }
    for (range, next) in zip(sorted, sorted.dropFirst()) where start(next) - start(range) < size(range) {
      throw error(
        inMemory ? 0 : start(next),
        "the \(kind) '\(range.name)' and '\(next.name)' overlap in \(inMemory ? "memory" : "the file"), at"
          + " \(start(next).hex)")
    }
  }
}

/// The value of a pointer after its image is loaded.
package enum Pointer: Equatable {
  case null
  /// An address in the same image.
  case address(UInt64)
  /// The address of a symbol plus an addend. The symbol can be in another image.
  case symbol(String, Int64)
}
