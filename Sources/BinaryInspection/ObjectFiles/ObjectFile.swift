/// A binary of one architecture, independent of the object file format.
///
/// Addresses are those in the file. The sections of a relocatable object, which have no addresses,
/// get one each.
package protocol ObjectFile: AnyObject {
  var view: BinaryView { get }
  var header: ImageHeader { get }
  /// The sections in file order.
  var sections: [Section] { get }
  /// The sections that contain records, without overlaps.
  ///
  /// On Mach-O these are sections, and on ELF note segments or, in an object, sections.
  var recordSections: [Section] { get }
  var linkage: Linkage { get }
  /// The bytes by their addresses.
  var map: AddressMap { get }

  /// Returns the value of the pointer at an address after the image is loaded.
  func pointer(at address: UInt64) throws(InspectionProblem) -> Pointer

  /// Returns the target of the 32-bit relative pointer at an address; nil if it is zero or in
  /// another image.
  func relativePointer(at address: UInt64) throws(InspectionProblem) -> UInt64?

  /// Calls a function with the address and the name of each symbol that can be a variable.
  ///
  /// A stripped file has no symbols, and the symbols of a damaged file are ignored.
  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void)
}

extension ObjectFile {
  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {}

  /// Returns the number at an address in the file, which is as wide as a pointer or has another
  /// size.
  func number(
    at address: UInt64, size: UInt64? = nil, _ what: @autoclosure () -> String
  ) throws(InspectionProblem) -> UInt64 {
    try map.bytes(at: address, size ?? header.pointerSize, what()).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the 32-bit distance in a relative pointer.
  func distance(at address: UInt64) throws(InspectionProblem) -> Int64 {
    Int64(Int32(truncatingIfNeeded: try number(at: address, size: 4, "a relative pointer")))
  }

  /// Creates an error about the bytes at an address.
  func error(at address: UInt64, _ message: String) -> InspectionProblem {
    for section in sections where address >= section.address && address - section.address < section.size {
      if let offset = section.offset { return view.error(offset &+ (address - section.address), message) }
    }
    return view.error(nil, "\(message) (at address \(address.hex))")
  }

  /// Returns the sum of an address and an addend, truncated to the width of a pointer.
  func sum(_ address: UInt64, _ addend: Int64) -> UInt64 {
    let sum = address &+ UInt64(bitPattern: addend)
    return header.is64Bit ? sum : sum & 0xffff_ffff
  }
}

/// The properties of an image that its header states.
package struct ImageHeader: Sendable, Equatable {
  package enum Format: String, Sendable, Codable {
    case machO = "Mach-O"
    case elf = "ELF"
  }

  /// The kind of an image.
  package enum FileType: String, Sendable, Codable {
    case executable
    /// A dylib, a shared object, or the binary of a framework.
    case library
    /// A Mach-O plug-in.
    case bundle
    /// A relocatable object.
    case object
    /// Any other file, such as debug symbols, a core, or a kernel extension, which registers
    /// nothing.
    case other
  }

  package var format: Format
  package var type: FileType
  /// The name of the architecture in the tools of the format.
  ///
  /// Examples are `"arm64e"`, `"x86_64"`, `"i386"`, and `"aarch64"`.
  package var architecture: String
  package var is64Bit: Bool
  /// The number of the platform in Mach-O files, such as 2 for iOS; nil if the image states none.
  ///
  /// Mac Catalyst has the number of macOS, because processes of Catalyst load images for macOS.
  package var platform: UInt32?
  /// A Boolean value that indicates whether a part of the image is encrypted and cannot be read.
  ///
  /// Apple encrypts the code of apps from its store.
  package var isEncrypted = false
  /// A Boolean value that indicates whether the symbols were removed.
  package var isStripped = false

  var pointerSize: UInt64 { is64Bit ? 8 : 4 }

  /// The format, the architecture, and the platform, which images of one process share.
  var family: [String] { [format.rawValue, architecture, platform.map { "\($0)" } ?? ""] }

  /// A Boolean value that indicates whether the tool reads the metadata of types.
  ///
  /// In a Mach-O object, every distance in the metadata depends on several relocations, which the
  /// tool does not interpret.
  var hasReadableMetadata: Bool { !isEncrypted && (format == .elf || type != .object) }
}

/// A section of an object file, or a segment.
package struct Section: Equatable {
  /// The name, which on Mach-O includes the segment.
  ///
  /// An example of a name on Mach-O is `"__DATA,__reg_modules"`.
  package var name: String
  /// The index among the sections or the segments.
  var index = 0
  package var address: UInt64
  package var size: UInt64
  /// The offset of the bytes in the view; nil if the file has none.
  package var offset: UInt64?
  /// The number of zeros at the end that the file does not contain.
  var zeros: UInt64 = 0
  var isReadable = true
  var isCompressed = false
  /// A Boolean value that indicates whether the bytes are encrypted.
  package var isEncrypted = false
  /// The alignment of the notes of all owners, 4 or 8; nil if there are only records.
  package var noteAlignment: UInt32?

  /// The number of bytes that the file contains.
  var fileSize: UInt64 { offset == nil ? 0 : size - zeros }
  /// The range of the bytes in the file.
  var bytes: Span { Span(start: offset ?? 0, size: fileSize, name: name) }
  var addresses: Span { Span(start: address, size: size, name: name) }
}

extension BinaryView {
  /// Returns sections, or throws an error if two of them overlap in the file.
  func withoutOverlap(_ sections: [Section]) throws(InspectionProblem) -> [Section] {
    try refuseOverlap(sections.map(\.bytes))
    return sections
  }
}

/// The value of a pointer after its image is loaded.
package enum Pointer: Equatable {
  case null
  /// An address in the same image.
  case address(UInt64)
  /// The address of a symbol plus an addend, in another image or chosen by the dynamic loader.
  case symbol(String, Int64)
}
