/// A class that a record or a manifest names as a service's, by how it is made.
package enum NamedClass {
  case anywhere(any NamedExport.Type)
  case onMainActor(any MainActorNamedExport.Type)
  /// A class of Objective-C's own, on the thread that asks.
  case objectiveC(any ObjectiveCClass)

  /// Why a name stands for no class that a service can be made of: what is wrong and what to do about it.
  package enum Problem: Error {
    case unknown(String)
    /// There is such a class, and it cannot be made by its name.
    case notNameable(String)
  }

  /// The class of a name.
  package static func find(_ name: String) throws(Problem) -> NamedClass {
    guard let type = ClassLookup.type(named: name) else { throw .unknown(ClassLookup.absence(of: name)) }
    return try find(name, type)
  }

  /// The class of a name, which was found to be of a type.
  package static func find(_ name: String, _ type: Any.Type) throws(Problem) -> NamedClass {
    if let exported = type as? any NamedExport.Type { return .anywhere(exported) }
    if let exported = type as? any MainActorNamedExport.Type { return .onMainActor(exported) }
    if let own = ClassLookup.objectiveCClass(named: name), !own.isSwift { return .objectiveC(own) }
    throw .notNameable(
      "it is named and not known by its type, so it must conform to Registry.NamedExport, or to"
        + " Registry.MainActorNamedExport if it is a class of the main actor, and does neither")
  }
}

/// The error of an Objective-C class whose `alloc` or `init` returned nil.
package struct NoInstance: Error, CustomStringConvertible {
  let name: String

  package init(name: String) {
    self.name = name
  }

  package var description: String { "-init of the Objective-C class \(name.escapedForDisplay()) returned nil" }
}
