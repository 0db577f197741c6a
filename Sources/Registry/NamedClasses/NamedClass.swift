/// A class that a record or manifest names, classified by how it is created.
package enum NamedClass {
  /// A Swift class that is created on the thread of the lookup.
  case anywhere(any NamedExport.Type)
  /// A Swift class that is created on the main actor.
  case onMainActor(any MainActorNamedExport.Type)
  /// A class written in Objective-C that is created on the thread of the lookup.
  case objectiveC(any ObjectiveCClass)

  package var type: Any.Type {
    switch self {
    case .anywhere(let type): type
    case .onMainActor(let type): type
    case .objectiveC(let type): type.type
    }
  }

  /// The reason why a name identifies no class that can be created, with the fix.
  package enum Problem: Error {
    /// No loaded image contains the class.
    case unknown(String)
    /// The class exists, but cannot be created by name.
    case notNameable(String)
  }

  package static func find(_ name: String) throws(Problem) -> NamedClass {
    guard let type = ClassLookup.type(named: name) else { throw .unknown(ClassLookup.absence(of: name)) }
    return try find(name, type)
  }

  package static func find(_ name: String, _ type: Any.Type) throws(Problem) -> NamedClass {
    if let exported = type as? any NamedExport.Type { return .anywhere(exported) }
    if let exported = type as? any MainActorNamedExport.Type { return .onMainActor(exported) }
    if let own = ClassLookup.objectiveCClass(named: name), !own.isSwift { return .objectiveC(own) }
    throw .notNameable(
      "a class that is exported or registered by name must conform to 'Registry.NamedExport', or to"
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
