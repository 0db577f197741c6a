/// A binary of one architecture, independent of the object file format.
///
/// Addresses are those of the file. In a relocatable object, which has none, each section gets one.
package protocol ObjectFile: AnyObject {
  var view: BinaryView { get }
  var header: ImageHeader { get }
  /// In the order of the file.
  var sections: [Section] { get }
  /// The sections of records: sections on Mach-O, note segments and sections on ELF; never
  /// overlapping.
  var recordSections: [Section] { get }

  /// Returns the value of the pointer at an address after the image is loaded.
  func pointer(at address: UInt64) throws(InspectionError) -> Pointer

  /// Returns the target of the 32-bit relative pointer at an address; nil if it is zero or in
  /// another image.
  func relativePointer(at address: UInt64) throws(InspectionError) -> UInt64?

  /// Returns the pointer that the linker creates for an indirect relative pointer; nil if there is
  /// none.
  ///
  /// Only Mach-O objects have such relocations; compilers use them to refer to other images.
  func linkerPointer(at address: UInt64) throws(InspectionError) -> Pointer?

  /// The bytes at an address as they stand in the file; zeros where a section has none there.
  func bytes(at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> [UInt8]

  /// The text at an address up to its NUL.
  func cString(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> String
}

extension ObjectFile {
  func linkerPointer(at address: UInt64) throws(InspectionError) -> Pointer? { nil }

  /// The section of a name; on Mach-O with its segment, `"__DATA,__reg_modules"`.
  func sections(named name: String) -> [Section] { sections.filter { $0.name == name } }

  /// A number of four bytes at an address.
  func word(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionError) -> UInt32 {
    let bytes = try bytes(at: address, 4, what())
    return UInt32(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
  }
}

/// The kind of an image.
package struct ImageHeader: Sendable, Equatable {
  package enum Format: String, Sendable, Codable {
    case machO = "Mach-O"
    case elf = "ELF"
  }

  package enum FileType: String, Sendable, Codable {
    case executable
    /// A dylib, a shared object, a framework's binary.
    case library
    /// A plug-in of Mach-O.
    case bundle
    /// To be linked still.
    case object
    /// Debug symbols, cores, kernel extensions and the like: nothing is registered from them.
    case other
  }

  package var format: Format
  package var type: FileType
  /// The name in the format's tools: `"arm64e"`, `"x86_64"`, `"i386"`, or `"aarch64"`.
  package var architecture: String
  package var is64Bit: Bool
  /// Its code is encrypted, as of apps from Apple's store: what stands there cannot be read.
  package var isEncrypted = false
  /// It has no symbols.
  package var isStripped = false

  var pointerSize: UInt64 { is64Bit ? 8 : 4 }
}

/// A section of an object file, or a segment of notes.
package struct Section: Equatable {
  /// On Mach-O with its segment: `"__DATA,__reg_modules"`.
  package var name: String
  package var address: UInt64
  package var size: UInt64
  /// The offset of the bytes in the view; nil if the file has none.
  package var offset: UInt64?
  /// A power of two, in bytes.
  package var alignment: UInt64
  /// A Boolean value that indicates whether the bytes are encrypted.
  package var isEncrypted = false
  /// A Boolean value that indicates whether the section can contain other notes.
  package var isNotes = false
}

/// The value of a pointer after its image is loaded.
package enum Pointer: Equatable {
  case null
  /// An address in the same image.
  case address(UInt64)
  /// The address of a symbol plus an addend, in another image or chosen by the dynamic loader.
  case symbol(String, Int64)
}
