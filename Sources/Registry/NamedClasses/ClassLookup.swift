/// A namespace for finding classes and protocols by their names in records and manifests.
package enum ClassLookup {
  /// The maximum number of components in a name.
  ///
  /// Each enclosing type triples the number of mangled names to try.
  private static let nestingLimit = 5

  /// The Objective-C runtime that resolves names without a module. Tests replace it.
  @TaskLocal package static var objectiveC: any ObjectiveCRuntime = SystemObjectiveC()

  /// Returns the type with a name, as records spell it.
  ///
  /// The name is `Module.Class` or `Module.Outer.Class`, or `Class` for a class that has this name
  /// in Objective-C. The call queries the Swift runtime, which knows every loaded image, and takes
  /// about a microsecond.
  package static func type(named name: String) -> Any.Type? {
    guard let parts = parts(of: name) else { return objectiveCClass(named: name)?.type }
    if parts.count == 2 { return _typeByName(name) }
    return type(of: parts, ending: "C")
  }

  /// Returns the class with a name in Objective-C, which contains no module.
  package static func objectiveCClass(named name: String) -> (any ObjectiveCClass)? {
    isObjectiveCName(name) ? objectiveC.classNamed(name) : nil
  }

  /// Returns the protocol with a name, as records spell it.
  ///
  /// The result is the type `any P`.
  package static func existential(named name: String) -> Any.Type? {
    if let parts = parts(of: name) { return type(of: parts, ending: "_p") }
    return isObjectiveCName(name) ? objectiveC.existential(named: name) : nil
  }

  /// Returns the likely reason why no class with a name was found, and the fix.
  package static func absence(of name: String) -> String {
    if name.contains(".") {
      return "no loaded image contains a class with this name; write the name as 'Module.Class', and load the image"
        + " that contains the class"
    }
    return objectiveC.isAvailable
      ? "no loaded image contains an Objective-C class with this name; write the name of a Swift class as"
        + " 'Module.Class', and load the image that contains the class"
      : "a name without a module is the name of an Objective-C class, which this system does not support; write the"
        + " name of a Swift class as 'Module.Class'"
  }

  /// Returns the reason why no lookup can find a service with a name, and the fix.
  ///
  /// Private protocols have no names that can be looked up.
  ///
  /// - Returns: Nil if there is a protocol or a class with the name, or if this cannot be
  ///   determined.
  package static func absenceOfService(_ name: String) -> String? {
    guard name.contains(".") else {
      // The Objective-C runtime lacks protocols that no code uses.
      return objectiveC.isAvailable
        ? nil
        : "a name without a module is the name of an Objective-C protocol, which this system does not support; write the"
          + " name of a Swift protocol as 'Module.Protocol'"
    }
    // The lookup below finds neither compositions nor types that are nested more deeply.
    guard parts(of: name) != nil else { return nil }
    if existential(named: name) != nil || type(named: name) != nil { return nil }
    return
      "no loaded image declares a protocol or a class with this name, so no lookup finds the implementation; write the"
      + " name as 'Module.Protocol', and load the image that declares the protocol"
  }

  private static func parts(of name: String) -> [String]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    // Pass only identifiers to the runtime, so that it never interprets a name as a mangled one.
    return (2...nestingLimit).contains(parts.count) && parts.allSatisfy(isIdentifier) ? parts : nil
  }

  private static func type(of parts: [String], ending kind: String) -> Any.Type? {
    // The mangled name of a nested type contains the kind of each enclosing type, which a record
    // does not. So try each kind: class, structure, and enumeration.
    var prefixes = [mangled(parts[0])]
    for part in parts[1..<(parts.count - 1)] {
      prefixes = prefixes.flatMap { prefix in ["C", "V", "O"].map { prefix + mangled(part) + $0 } }
    }
    for prefix in prefixes {
      if let type = _typeByName(prefix + mangled(parts[parts.count - 1]) + kind) { return type }
    }
    return nil
  }

  private static func mangled(_ identifier: String) -> String { "\(identifier.utf8.count)\(identifier)" }

  /// Returns whether a name is valid in Objective-C.
  ///
  /// Such a name can contain dollar signs, which have a meaning in mangled names of Swift.
  private static func isObjectiveCName(_ name: String) -> Bool {
    isIdentifier(name.utf8.contains(UInt8(ascii: "$")) ? String(name.map { $0 == "$" ? "_" : $0 }) : name)
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !(0x30...0x39).contains(first.value), text.utf8.count <= 1_000
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      // Most characters are ASCII, and need no slow lookup of their Unicode properties.
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: scalar.properties.isXIDContinue
      }
    }
  }
}
