/// Finds classes and protocols by the names in records and manifests.
package enum ClassLookup {
  /// More enclosing types than this are not tried: each doubles and triples the kinds to try.
  private static let nestingLimit = 5

  /// What is asked for names without a module: the system's run time, unless a test plays another.
  @TaskLocal package static var objectiveC: any ObjectiveCRuntime = SystemObjectiveC()

  /// The type with a name as records spell it: `Module.Class`, or `Module.Outer.Class`; or `Class`, as Objective-C knows it.
  ///
  /// About a microsecond; asks the Swift runtime, which knows every loaded image.
  package static func type(named name: String) -> Any.Type? {
    guard let parts = parts(of: name) else { return objectiveCClass(named: name)?.type }
    if parts.count == 2 { return _typeByName(name) }
    return type(of: parts, ending: "C")
  }

  /// The class that Objective-C knows by a name, which is one without a module.
  package static func objectiveCClass(named name: String) -> (any ObjectiveCClass)? {
    isObjectiveCName(name) ? objectiveC.classNamed(name) : nil
  }

  /// The protocol with a name as records spell it, as the type `any P`.
  package static func existential(named name: String) -> Any.Type? {
    if let parts = parts(of: name) { return type(of: parts, ending: "_p") }
    return isObjectiveCName(name) ? objectiveC.existential(named: name) : nil
  }

  /// Why there may be no class of a name, and what to do about it.
  package static func absence(of name: String) -> String {
    if name.contains(".") {
      return
        "no loaded image has a class of that name; it is spelt Module.Class, and the image with the class must be loaded"
    }
    return objectiveC.isAvailable
      ? "a name without a module is Objective-C's, and it has no class of that name; a class of Swift's is spelt Module.Class, and the"
        + " image with the class must be loaded"
      : "a name without a module is Objective-C's, which this system does not have; a class of Swift's is spelt Module.Class"
  }

  private static func parts(of name: String) -> [String]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    // Nothing but identifiers reaches the runtime: a name is never read as a mangling.
    return (2...nestingLimit).contains(parts.count) && parts.allSatisfy(isIdentifier) ? parts : nil
  }

  private static func type(of parts: [String], ending kind: String) -> Any.Type? {
    // A nested type's mangled name tells what each enclosing type is: class, struct or enum.
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

  /// In Objective-C names may have a dollar sign, which in Swift's manglings has a meaning.
  private static func isObjectiveCName(_ name: String) -> Bool {
    isIdentifier(name.utf8.contains(UInt8(ascii: "$")) ? String(name.map { $0 == "$" ? "_" : $0 }) : name)
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !(0x30...0x39).contains(first.value), text.utf8.count <= 1_000
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      // Most are ASCII, and need not be looked up in the tables of Unicode.
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": true
      default: scalar.properties.isXIDContinue
      }
    }
  }
}
