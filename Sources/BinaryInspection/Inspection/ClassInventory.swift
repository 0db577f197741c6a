import Registry

/// The types that files declare in Swift and Objective-C metadata, by image family.
struct ClassInventory: Sendable {
  struct Known: Sendable {
    var swift: Set<String> = []
    /// The structures and enumerations among the Swift types.
    var values: Set<String> = []
    var objectiveC: Set<String> = []
    var protocols: Set<String> = []
    /// The types that conform to the module protocol, with the names of their images.
    var modules: [String: String] = [:]
    /// The protocols outside the standard library that each type conforms to.
    var conformances: [String: Set<String>] = [:]
    /// The kinds of names that couldn't be read in at least one file.
    var unread: Set<MetadataReader.Kind> = []

    /// True if the Swift types and protocols of all files are known.
    var isComplete: Bool { unread.subtracting([.objectiveCClass]).isEmpty }

    func declares(_ name: String) -> Bool { swift.contains(name) || protocols.contains(name) }
  }

  private(set) var known: [[String]: Known] = [:]

  subscript(family: [String]) -> Known { known[family] ?? Known() }

  /// Adds the types that a binary declares, and returns true if the names of all Swift types and
  /// Objective-C classes could be read.
  mutating func add(_ object: any ObjectFile) throws(InspectionProblem) -> Bool {
    let family = object.header.family
    // Remove the entry, because a second reference would make every change copy all names.
    var here = known.removeValue(forKey: family) ?? Known()
    var unread = Set(MetadataReader.Kind.allCases)
    // Store the entry even after an error, and mark the unread kinds, because some names may be
    // missing.
    defer {
      here.unread.formUnion(unread)
      known[family] = here
    }
    for (type, name) in try MetadataReader.conformances(in: object) {
      here.conformances[type, default: []].insert(name)
      if name == "Lifecycle.Module", here.modules[type] == nil { here.modules[type] = object.view.name }
    }
    for kind in MetadataReader.Kind.allCases {
      guard let names = try MetadataReader.names(of: kind, in: object, values: &here.values) else { continue }
      unread.remove(kind)
      switch kind {
      case .protocol, .objectiveCProtocol: here.protocols.formUnion(names)
      case .type: here.swift.formUnion(names)
      case .objectiveCClass: here.objectiveC.formUnion(names)
      }
    }
    return unread.isDisjoint(with: [.type, .objectiveCClass])
  }
}
