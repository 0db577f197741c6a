package enum ClassLookup {
  /// The maximum number of components in a name. Each one triples the number of names to try.
  private static let nestingLimit = 5

  @TaskLocal package static var objectiveC: any ObjectiveCRuntime = SystemObjectiveC()

  /// Returns the class with the given name, as records spell it.
  ///
  /// The name is `Module.Class`, `Module.Outer.Class`, or the Objective-C name of a class. The
  /// spelling of `String(reflecting:)` works, too. The call queries the Swift runtime, which knows
  /// every loaded image, and takes about a microsecond. It doesn't find private, local, or generic
  /// classes, classes in extensions of another module's types, raw identifiers with a period, or
  /// names with over five components.
  package static func type(named name: String) -> Any.Type? {
    let name = name.recordForm
    guard let parts = parts(of: name) else { return objectiveCClass(named: name)?.type }
    if parts.count == 2, isIdentifier(parts[1]) { return _typeByName(name) }
    return type(in: mangled(parts[0]), parts.dropFirst(), ending: "C")
  }

  /// Returns the class with the given Objective-C name, which has no module prefix.
  package static func objectiveCClass(named name: String) -> (any ObjectiveCClass)? {
    isObjectiveCName(name) ? objectiveC.classNamed(name) : nil
  }

  /// Returns the Swift type with the given name and kind, the ending of the mangled name.
  package static func type(named name: String, ending kind: String) -> Any.Type? {
    parts(of: name).flatMap { type(in: mangled($0[0]), $0.dropFirst(), ending: kind) }
  }

  /// Returns the type `any P` of the protocol with the given name, as records spell it.
  package static func existential(named name: String) -> Any.Type? {
    isObjectiveCName(name) ? objectiveC.existential(named: name) : type(named: name, ending: "_p")
  }

  /// Returns the likely reason why no class with the given name was found, and the fix.
  package static func absence(of name: String) -> String {
    if name.contains(".") {
      #if DEBUG
      for (kind, noun) in [("V", "a structure"), ("O", "an enumeration")] where type(named: name, ending: kind) != nil {
        return "\(name.quotedForDisplay()) is \(noun) and not a class; make it a class, or export it with the Swift"
          + " attribute"
      }
      #endif
      return "no loaded image contains a class with this name; write the name as 'Module.Class', and load the image"
        + " that contains the class; a private or generic class, or one in an extension of another module's type, cannot"
        + " be found by name"
    }
    return objectiveC.isAvailable
      ? "no loaded image contains an Objective-C class with this name; write the name of a Swift class as"
        + " 'Module.Class', and load the image that contains the class"
      : "a name without a module is the name of an Objective-C class, which this system does not support; write the"
        + " name of a Swift class as 'Module.Class'"
  }

  /// Returns whether a failed lookup of a name with periods shows that the name is unusable. False
  /// for compositions, raw identifiers, and types that are nested too deeply.
  package static func isFindable(_ name: String) -> Bool { parts(of: name)?.allSatisfy(isIdentifier) == true }

  private static func parts(of name: String) -> [String]? {
    let parts = name.recordForm.parts(separatedBy: ".")
    // Begin with an identifier, so that the runtime never interprets the name as a mangled name.
    return (2...nestingLimit).contains(parts.count) && isIdentifier(parts[0]) ? parts : nil
  }

  /// Returns the type whose mangled name begins with a prefix.
  ///
  /// A mangled name contains the kind of each enclosing type. A record doesn't, so try classes,
  /// structures, and enumerations.
  private static func type(in prefix: String, _ parts: ArraySlice<String>, ending kind: String) -> Any.Type? {
    guard let name = parts.first, isIdentifier(name) || isRawIdentifier(name) else { return nil }
    let mangled = prefix + mangled(name)
    if parts.count == 1 { return _typeByName(mangled + kind) }
    for outer in ["C", "V", "O"] {
      if let type = type(in: mangled + outer, parts.dropFirst(), ending: kind) { return type }
    }
    return nil
  }

  private static func mangled(_ identifier: String) -> String {
    // The runtime's name for a raw identifier has backticks and nonbreaking spaces.
    let name =
      isIdentifier(identifier)
      ? identifier : "`\(identifier.parts(separatedBy: " ").joined(separator: "\u{a0}"))`"
    return "\(name.utf8.count)\(name)"
  }

  /// Returns whether a name can be an Objective-C name, which may contain dollar signs.
  private static func isObjectiveCName(_ name: String) -> Bool {
    isIdentifier(name.parts(separatedBy: "$").joined(separator: "_"))
  }

  private static func isRawIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 1_000
      && text.utf8.allSatisfy { $0 != UInt8(ascii: "`") && $0 != UInt8(ascii: "\\") && $0 >= 0x20 && $0 != 0x7f }
  }
}
