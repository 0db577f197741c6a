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
    guard let type = ClassLookup.type(named: name) else {
      throw Problem(isUnknown: true, message: ClassLookup.absence(of: name))
    }
    return try find(name, type)
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
