// What the constants of records are called. The compiler has a form for names that no other declaration has, and a macro
// needs to announce none of those. But an announced one builds faster: to find out whether a declaration of the other
// form is the only one of its name, the compiler expands every attribute of the whole module, in every one of its
// processes. Of an announced name it knows which attributes could make it.

/// The name of the record of an attribute on a type.
///
/// It must be among those that the macro's declaration announces. Where it cannot be, because the type's name is
/// more than a plain word or too many attributes stand on the type, it has the compiler's form.
func recordName(_ request: HostMessage.AttachedMacro, _ type: String) -> String {
  let isPlain = type.utf8.allSatisfy(isWordByte)
  if isPlain, let place = attributeNumber(request.discriminator),
    let prefix = announcedPrefix(request.macro.baseName, place)
  {
    return prefix + type
  }
  return "\(request.discriminator)8RegistryfMu_"
}

/// How many attributes of its name stand before this one on the declaration; nil where the compiler does not tell.
///
/// It numbers them at the end of the discriminator: `fMp_`, `fMp0_`, `fMp1_`.
func attributeNumber(_ discriminator: String) -> Int? {
  guard discriminator.last == "_", let end = discriminator.dropLast().lastIndex(where: { !$0.isNumber }),
    discriminator[...end].hasSuffix("fMp")
  else { return nil }
  let digits = discriminator[discriminator.index(after: end)...].dropLast()
  if digits.isEmpty { return 0 }
  // Nobody writes so many that the number would not fit.
  return UInt32(digits).map { Int($0) + 1 }
}

/// What ExportService.swift, ExportModule.swift and ExportRoute.swift announce. A macro of a user's own that goes by another name
/// announces nothing.
private func announcedPrefix(_ macro: String, _ place: Int) -> String? {
  switch (macro, place) {
  case ("ExportModule", 0): "__module_"
  case ("ExportRoute", 0): "__route_"
  case ("ExportRoute", 1...3): "__route\(place)_"
  case ("ExportService", 0): "__service_"
  case ("ExportService", 1...3): "__service\(place)_"
  default: nil
  }
}

extension HostMessage.MacroReference {
  /// The macro's own name. The compiler sends what the user wrote, down to the white space and comments behind it:
  /// `Registry.ExportService<P> `.
  fileprivate var baseName: String {
    let path = name.prefix { $0 == "." || $0 == ":" || $0 == "`" || $0.utf8.allSatisfy(isWordByte) }
    let start = path.lastIndex { $0 == "." || $0 == ":" }.map(path.index(after:)) ?? path.startIndex
    return path[start...].filter { $0 != "`" }
  }
}

private func isWordByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
    true
  default: false
  }
}
