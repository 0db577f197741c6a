import Registry

/// The types that the Swift and Objective-C metadata of files declares, by architecture.
struct ClassInventory: Sendable {
  /// The types of one architecture.
  struct Known: Sendable {
    /// The full names of the Swift types.
    var swift: Set<String> = []
    /// The names of the Objective-C classes.
    var objectiveC: Set<String> = []
    /// The full names of the Swift protocols.
    var protocols: Set<String> = []
    /// Boolean values that indicate whether the names of every file could be read.
    var (hasAllProtocols, hasAllTypes, hasAllClasses) = (true, true, true)

    /// Returns whether a file declares a Swift type or protocol.
    func declares(_ name: String) -> Bool { swift.contains(name) || protocols.contains(name) }
  }

  /// The types by the families of the images.
  private(set) var known: [[String]: Known] = [:]

  subscript(family: [String]) -> Known { known[family] ?? Known() }

  /// Adds the types that an object file declares.
  ///
  /// - Returns: A Boolean value that indicates whether the names of all classes could be read.
  mutating func add(_ object: any ObjectFile) throws(InspectionProblem) -> Bool {
    let family = object.header.family
    // Remove the entry, because a second reference would make every change copy all names.
    var here = known.removeValue(forKey: family) ?? Known()
    var types: Set<String>?
    var classes: Set<String>?
    // Store the entry even if an error is thrown. The file then counts as unreadable, because some
    // of its names may be missing.
    defer {
      here.swift.formUnion(types ?? [])
      here.objectiveC.formUnion(classes ?? [])
      if types == nil { here.hasAllTypes = false }
      if classes == nil { here.hasAllClasses = false }
      known[family] = here
    }
    for names in [try TypeNames.swiftProtocols(in: object), try TypeNames.objectiveCSwiftProtocols(in: object)] {
      here.protocols.formUnion(names ?? [])
      if names == nil { here.hasAllProtocols = false }
    }
    types = try TypeNames.swiftTypes(in: object)
    classes = try TypeNames.objectiveCClasses(in: object)
    return types != nil && classes != nil
  }
}

extension String {
  /// The part after the last dot.
  var lastName: String { lastIndex(of: ".").map { String(self[index(after: $0)...]) } ?? self }
}
