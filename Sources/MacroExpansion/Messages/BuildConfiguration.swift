/// The properties of the build that the macros use.
struct BuildConfiguration: Decodable {
  /// The enabled features, including upcoming ones.
  var features: Set<String>?
  /// The object file formats of the target, such as ELF and Mach-O.
  var targetObjectFileFormats: Set<String>?

  /// A Boolean value that indicates whether `/…/` is a regex literal.
  ///
  /// A compiler that sends no features has a version in which `/` is an operator.
  var hasBareSlashRegex: Bool { features?.contains("BareSlashRegexLiterals") ?? false }

  /// The object file formats of the target if none of them can contain records, or nil.
  var unknownObjectFormats: String? {
    guard let formats = targetObjectFileFormats, !formats.isEmpty, formats.isDisjoint(with: ["ELF", "MachO"]) else {
      return nil
    }
    return formats.sorted().joined(separator: ", ")
  }
}
