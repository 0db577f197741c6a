// The names of the constants that contain records. A macro doesn't have to announce a name in the
// compiler's form for unique names, but announced names shorten builds. To find a unique name, each
// compiler process expands every attribute of the module. For an announced name, the process knows
// which attributes can create it.

/// Returns the name of the record for an attribute on a type.
///
/// The macro's declaration announces the name, unless the name of the type isn't a plain word, the
/// type has too many attributes, or a user declares the macro under another name. In these cases,
/// the name has the compiler's form for unique names.
func recordName(_ request: MacroRequest, _ type: String) -> String {
  // The compiler sends the name as the user spells it, such as `Registry.ExportService<P> `.
  let macro = Source(request.macroName)
  let isPlainWord = type.utf8.allSatisfy { $0.isWordByte && $0 < 0x80 && $0 != UInt8(ascii: "$") }
  if isPlainWord, let number = attributeNumber(request.discriminator),
    let name = macro.token(macro.afterPath(0) - 1), let (prefix, count) = announcedPrefixes[macro.name(name)],
    number < count
  {
    return "\(prefix)\(number == 0 ? "" : "\(number)")_\(type)"
  }
  return "\(request.discriminator)8RegistryfMu_"
}

/// Returns the number of later attributes with the same name on the declaration: 0 for `fMp_`, 1
/// for `fMp0_`, 2 for `fMp1_`, and so on. Returns nil if the discriminator ends in another way.
func attributeNumber(_ discriminator: String) -> Int? {
  guard discriminator.last == "_", let end = discriminator.dropLast().lastIndex(where: { !$0.isNumber }),
    discriminator[...end].hasSuffix("fMp")
  else { return nil }
  let digits = discriminator[discriminator.index(after: end)...].dropLast()
  if digits.isEmpty { return 0 }
  // No declaration has enough attributes to overflow the number.
  return UInt32(digits).map { Int($0) + 1 }
}

/// The prefix that each macro announces, and the number of variants, such as `__service1`.
///
/// The declarations are in ExportService.swift, ExportModule.swift, and ExportRoute.swift.
private let announcedPrefixes = [
  "ExportModule": (prefix: "__module", count: 1), "ExportRoute": ("__route", 4), "ExportService": ("__service", 4),
]
