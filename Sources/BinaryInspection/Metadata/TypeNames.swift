/// A namespace for functions that read the names of the types that a binary declares.
///
/// The names are in the Swift and Objective-C metadata. They show whether a name in a record is
/// valid without running code, because a type that no file declares does not exist at run time
/// either.
package enum TypeNames {
  /// Returns the full names of the Swift classes, structures, and enumerations.
  ///
  /// Examples are `"Cart.DefaultCart"` and `"Cart.Outer.Inner"`. A generic type has its plain name.
  /// The name of a type in an extension starts with the name of the extended type. The names of
  /// private and local types omit the contexts that make them private or local. The sections are
  /// arrays of relative pointers to descriptors, which `swift/ABI/Metadata.h` and `SwiftTargetInfo`
  /// define.
  ///
  /// - Returns: The names; nil if the file is a Mach-O object, has no section headers, or is
  ///   encrypted, or if a name is in another image.
  package static func swiftTypes(in object: any ObjectFile) throws(InspectionProblem) -> Set<String>? {
    try names(
      in: object, ["__swift5_types", "__swift5_types2", "swift5_type_metadata", "swift5_type_metadata_2"], of: .type)
  }

  /// Returns the full names of the Swift protocols.
  ///
  /// They have the same form as those of ``swiftTypes(in:)``.
  package static func swiftProtocols(in object: any ObjectFile) throws(InspectionProblem) -> Set<String>? {
    try names(in: object, ["__swift5_protos", "swift5_protocols"], of: .protocol)
  }

  /// Returns the names of the Objective-C classes, as in the file.
  ///
  /// The name of a Swift class is mangled, such as `"_TtC4Cart11DefaultCart"`. The classes are
  /// those of `__objc_classlist`, with `class_t` and `class_ro_t` as in Apple's objc4. An ELF
  /// file has no classes.
  ///
  /// - Returns: The names; nil if the file is a Mach-O object or is encrypted, or if a name is in
  ///   another image.
  package static func objectiveCClasses(in object: any ObjectFile) throws(InspectionProblem) -> Set<String>? {
    try names(in: object, ["__objc_classlist"], of: .objectiveCClass)
  }

  /// Returns the full names of the Swift protocols that are marked as `@objc`.
  ///
  /// They have no descriptors of Swift. The protocols are those of `__objc_protolist`, with
  /// `protocol_t` as in Apple's objc4, and with mangled names such as `"_TtP4Cart5Clock_"`.
  ///
  /// - Returns: The names; nil if the file is a Mach-O object or is encrypted, or if a name is in
  ///   another image or cannot be parsed.
  package static func objectiveCSwiftProtocols(in object: any ObjectFile) throws(InspectionProblem) -> Set<String>? {
    guard let names = try names(in: object, ["__objc_protolist"], of: .objectiveCProtocol) else { return nil }
    let paths = names.filter { $0.hasPrefix("_Tt") }.map { name in
      name.hasPrefix("_TtP") && name.hasSuffix("_") ? MangledTypeName.path(name.dropFirst(4).dropLast() + "P") : nil
    }
    return paths.contains(nil) ? nil : Set(paths.compactMap(\.self))
  }

  private static func names(
    in object: any ObjectFile, _ sections: Set<String>, of kind: MetadataReader.Kind
  ) throws(InspectionProblem) -> Set<String>? {
    if !kind.isSwift, object.header.format == .elf { return [] }
    guard !object.sections.isEmpty, object.header.hasReadableMetadata else { return nil }
    var reader = MetadataReader(object)
    for section in try metadata(in: object, sections) { try reader.add(section, kind) }
    return reader.names
  }

  /// Returns the sections with one of the names, or none for debug symbols and similar files.
  ///
  /// On Mach-O the sections can be in any segment, because linkers move them.
  ///
  /// - Throws: An ``InspectionProblem`` if the sections overlap. No linker writes such a file, and
  ///   reading many sections with the same bytes would take too long.
  private static func metadata(
    in object: any ObjectFile, _ names: Set<String>
  ) throws(InspectionProblem) -> [Section] {
    guard object.header.type != .other else { return [] }
    return try object.view.withoutOverlap(
      object.sections.filter { section in
        section.fileSize > 0 && names.contains(section.name.split(separator: ",").last.map(String.init) ?? "")
      })
  }
}

extension ObjectFile {
  /// Creates an error about the bytes at an address.
  func error(at address: UInt64, _ message: String) -> InspectionProblem {
    for section in sections where address >= section.address && address - section.address < section.size {
      if let offset = section.offset { return view.error(offset &+ (address - section.address), message) }
    }
    return view.error(nil, "\(message) (at address \(address.hex))")
  }
}
