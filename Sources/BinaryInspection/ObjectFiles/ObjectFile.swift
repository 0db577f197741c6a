/// One binary of one architecture: what the rest of this library asks of any object file format.
///
/// Addresses are those that the file's sections say. In relocatable objects, whose sections have none, every section gets one of its own.
package protocol ObjectFile: AnyObject {
  var view: BinaryView { get }
  var header: ImageHeader { get }
  /// In the order of the file.
  var sections: [Section] { get }
  /// Where records of this library may be: sections on Mach-O, note segments and sections on ELF. None of them overlap.
  var recordSections: [Section] { get }

  /// What the pointer at an address is once the image is loaded: by relocation, by fixup, or as it stands in the file.
  func pointer(at address: UInt64) throws(InspectionError) -> Pointer

  /// Where the 32-bit offset at an address leads that is relative to its own place, as Swift's metadata has them; nil if it is zero,
  /// or leads into another image.
  func relativePointer(at address: UInt64) throws(InspectionError) -> UInt64?

  /// The pointer that the linker makes in between, where the 32-bit offset at an address is one to such; nil if it is none.
  ///
  /// In Mach-O objects alone, where it is a kind of relocation: compilers refer so to the metadata of other images.
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

/// What kind of binary an image is.
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
  /// As the format's tools call it: `"arm64e"`, `"x86_64"`, `"i386"`, `"aarch64"`.
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
  /// Where its bytes stand in the view; nil if it has none in the file.
  package var offset: UInt64?
  /// A power of two, in bytes.
  package var alignment: UInt64
  /// Whether its bytes are encrypted and cannot be read.
  package var isEncrypted = false
  /// Whether notes of others may stand among the records.
  package var isNotes = false
}

/// What a pointer in an image is once the image is loaded.
package enum Pointer: Equatable {
  case null
  /// To a place in the same image.
  case address(UInt64)
  /// To what has this name, plus an offset: in another image, or one of the dynamic loader's choice.
  case symbol(String, Int64)
}
