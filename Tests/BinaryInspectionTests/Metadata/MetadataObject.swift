@testable import BinaryInspection

/// A binary with handwritten metadata of Swift.
///
/// It contains the section with the list of descriptors, and the descriptors.
final class MetadataObject: ObjectFile {
  let view: BinaryView
  let header: ImageHeader
  let sections: [Section]
  var recordSections: [Section] { [] }
  var linkage: Linkage { Linkage() }
  let map: AddressMap
  var pointers: [UInt64: Pointer] = [:]

  private static let base: UInt64 = 0x4000

  /// Creates a binary from the bytes of a builder.
  ///
  /// - Parameters:
  ///   - section: The name of the section that contains the list.
  ///   - list: The number of bytes at the beginning that belong to the list.
  init(_ builder: MetadataBuilder, section: String, list: Int, isEncrypted: Bool = false) {
    view = BinaryView(FileBytes(builder.bytes, path: "Metadata"))
    map = .at(Self.base, view)
    let format: ImageHeader.Format = section.hasPrefix("__") ? .machO : .elf
    header = ImageHeader(
      format: format, type: .library, architecture: "arm64", is64Bit: true, isEncrypted: isEncrypted
    )
    sections = [
      Section(name: section, address: Self.base, size: UInt64(list), offset: 0),
      Section(
        name: "rest", address: Self.base + UInt64(list), size: UInt64(builder.bytes.count - list), offset: UInt64(list)),
    ]
    for (place, pointer) in builder.pointers {
      pointers[Self.base + UInt64(place)] =
        if case .address(let address) = pointer { .address(Self.base + address) } else { pointer }
    }
  }

  func visitVariables(_ body: (_ address: UInt64, _ name: () -> String?) -> Void) {}

  func pointer(at address: UInt64) throws(InspectionProblem) -> Pointer { pointers[address] ?? .null }
}

extension MetadataReader {
  static func names(of kind: Kind, in object: any ObjectFile) throws(InspectionProblem) -> Set<String>? {
    var reader = MetadataReader(object)
    return try reader.names(of: kind)
  }

  static func conformances(in object: any ObjectFile) throws(InspectionProblem) -> [(type: String, protocol: String)] {
    var reader = MetadataReader(object)
    return try reader.conformances()
  }
}

/// A builder of context descriptors, which follow a list of relative pointers.
struct MetadataBuilder {
  private(set) var bytes: [UInt8]
  /// The pointers by their offsets.
  private(set) var pointers: [Int: Pointer] = [:]

  /// Creates a builder.
  ///
  /// - Parameter count: The number of relative pointers in the list.
  init(list count: Int) { bytes = [UInt8](repeating: 0, count: 4 * count) }

  mutating func put(_ target: Int, at place: Int) {
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: (target - place) >> (8 * index)) }
  }

  mutating func text(_ text: String) -> Int {
    bytes += Array(text.utf8) + [0]
    return bytes.count - text.utf8.count - 1
  }

  mutating func align() { bytes += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8) }

  /// Appends a pointer of eight bytes and returns its offset.
  mutating func pointer(_ pointer: Pointer) -> Int {
    align()
    pointers[bytes.count] = pointer
    bytes += [UInt8](repeating: 0, count: 8)
    return bytes.count - 8
  }

  /// Appends a descriptor with flags, a parent, and a name, and returns its offset.
  ///
  /// - Parameters:
  ///   - parent: The offset of the parent, or the offset of a pointer to the parent plus one.
  ///   - name: The name; nil if the descriptor has none.
  mutating func context(_ kind: UInt8, parent: Int? = nil, name: String? = nil) -> Int {
    let name = name.map { text($0) }
    align()
    let place = bytes.count
    // The reader ignores the flag of a generic type and the version, and uses only the kind.
    bytes += [kind | 0x80, 1, 0, 0] + [UInt8](repeating: 0, count: 8)
    if let parent { put(parent, at: place + 4) }
    if let name { put(name, at: place + 8) }
    return place
  }

  mutating func module(_ name: String) -> Int { context(0, name: name) }
}
