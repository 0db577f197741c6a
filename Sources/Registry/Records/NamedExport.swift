/// A class that a record written in C may name as the implementation of a service.
///
/// ```c
/// REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
/// ```
///
/// The class is found by its name at first use and made with this initializer, on the thread that asks; it must
/// conform to the record's protocol as well. Modules named by C records conform to `Module` instead. Objective-C's own classes
/// need not conform: they are made with `init`.
///
/// No compiler reads the record, so whoever writes `scope(shared)` or `scope(weak)` promises that instances may go to
/// every thread.
// SendableMetatype (SE-0470): it may not be an isolated conformance, which nothing would check where the class is found
// by its name.
public protocol NamedExport: AnyObject, SendableMetatype {
  init() throws
}

/// A class of the main actor that a record written in C may name as the implementation of a service.
///
/// As ``NamedExport``, but made on the main actor only: elsewhere `createService` throws
/// ``ServiceError/wrongIsolation(service:implementation:image:actor:)``, and `service(for:)` goes there.
@MainActor public protocol MainActorNamedExport: AnyObject, SendableMetatype {
  init() throws
}

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
    return objectiveC.isThere
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

/// What Swift calls the module of all that is imported from Objective-C, with the dot.
let importedModule = "__C."

/// Returns a type's name as records spell it: with its module and the types around it, and without
/// a module if it is a type of Objective-C.
///
/// A name is a label and no identity. Several private types of one module can have the same name,
/// and the macros cannot always spell a name as the runtime does: they see the source of one type,
/// and do not know which module declares the type that an extension around it extends.
package func recordName(of type: Any.Type) -> String {
  let name = _typeName(type)
  if name.hasPrefix(importedModule) { return String(name.dropFirst(importedModule.count)) }
  guard name.contains("(") else { return name }
  // A private type is "Cart.(unknown context at $0123).CartModule" to the runtime, or in optimized
  // code "Cart.(CartModule in _89AB)". A type in an extension of another module's type is
  // "(extension in Cart):Swift.String.CartModule".
  var parts = name.split(separator: ".")
  if parts[0].hasPrefix(extensionMark), let end = parts[0].firstIndex(of: ")") {
    parts[0] = parts[0][..<end].dropFirst(extensionMark.count)
  }
  return parts.compactMap { part -> Substring? in
    guard part.hasPrefix("(") else { return part }
    return part.hasPrefix("(unknown context at ") ? nil : part.dropFirst().split(separator: " ").first
  }.joined(separator: ".")
}

/// The beginning of the runtime's name for a type in an extension of another module's type.
private let extensionMark = "(extension in "

/// Returns whether two types are one, or copies of one in two images.
///
/// The runtime's name tells private types of one name apart: it holds the address of their context,
/// or in optimized code a hash of their file.
package func isSameType(_ type: Any.Type, _ other: Any.Type) -> Bool {
  type == other || _typeName(type) == _typeName(other)
}

/// Returns whether the name of a type does not identify it, because the type is private or local.
package func isPrivateType(_ type: Any.Type) -> Bool {
  _typeName(type).split(separator: ".").contains { $0.hasPrefix("(") && !$0.hasPrefix(extensionMark) }
}
