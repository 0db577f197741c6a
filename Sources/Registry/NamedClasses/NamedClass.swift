internal import RegistryC

/// A class that a record or manifest names.
package struct NamedClass {
  package let type: Any.Type
  /// A function that creates an instance; isolated to the main actor if the class is.
  let make: @isolated(any) () throws -> AnyObject
  /// The class if it is written in Objective-C; otherwise nil.
  var objectiveC: (any ObjectiveCClass)?

  /// The reason why no class with a given name can be instantiated, with the fix.
  package struct Problem: Error {
    /// A Boolean value that indicates whether no loaded image contains the class.
    let isUnknown: Bool
    let message: String
  }

  static func find(_ name: String) throws(Problem) -> NamedClass {
    if let type = conformingClass(named: name) { return NamedClass(type: type, make: { try type.init() }) }
    guard let type = ClassLookup.type(named: name) else {
      throw Problem(isUnknown: true, message: ClassLookup.absence(of: name))
    }
    return try find(name, type)
  }

  /// Returns the top-level class with a name if it conforms to `NamedExport`; otherwise nil.
  ///
  /// Asking the Swift runtime for the class, and then for the conformance, takes more than twice as
  /// long.
  private static func conformingClass(named name: String) -> (any NamedExport.Type)? {
    let type = unsafeBitCast((any NamedExport).self as Any.Type, to: UnsafeRawPointer.self)
    // A C string ends at the first zero byte.
    guard let descriptor = registry_protocol(type), !name.utf8.contains(0) else { return nil }
    var found: registry_conformance?
    withUnsafeMutablePointer(to: &found) { found in
      registry_classes_conforming(descriptor, name, found) { context, _, conformance in
        let found = context.assumingMemoryBound(to: registry_conformance?.self)
        // Keep the class of the first image.
        found.pointee = found.pointee ?? conformance
      }
    }
    // An existential metatype consists of pointers to the class's metadata and its witness table.
    return found.map {
      unsafeBitCast((registry_class_metadata($0.descriptor), $0.witness_table), to: (any NamedExport.Type).self)
    }
  }

  package static func find(_ name: String, _ type: Any.Type) throws(Problem) -> NamedClass {
    if let type = type as? any NamedExport.Type { return NamedClass(type: type, make: { try type.init() }) }
    if let type = type as? any MainActorNamedExport.Type {
      return NamedClass(type: type, make: { @MainActor in try type.init() })
    }
    if let own = ClassLookup.objectiveCClass(named: name), !own.isSwift {
      func make() throws -> AnyObject {
        guard let object = own.make() else { throw NoInstance(name: name) }
        return object
      }
      return NamedClass(type: own.type, make: make, objectiveC: own)
    }
    throw Problem(
      isUnknown: false,
      message: "a class that is exported or registered by name must conform to 'Registry.NamedExport', or to"
        + " 'Registry.MainActorNamedExport' if it is isolated to the main actor")
  }
}

package struct NoInstance: Error, CustomStringConvertible {
  let name: String

  package init(name: String) {
    self.name = name
  }

  package var description: String { "'-init' of the Objective-C class \(name.quotedForDisplay()) returned nil" }
}
