/// The types that the files of one image family declare in Swift and Objective-C metadata.
struct DeclaredTypes: Sendable {
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

  func contains(_ name: String) -> Bool { swift.contains(name) || protocols.contains(name) }

  /// Adds the types that a binary declares, and returns true if the names of all Swift types and
  /// Objective-C classes could be read.
  mutating func add(_ object: any ObjectFile) throws(InspectionProblem) -> Bool {
    var (reader, unread) = (MetadataReader(object), Set(MetadataReader.Kind.allCases))
    // Mark the unread kinds even after an error, because some names may be missing.
    defer {
      self.unread.formUnion(unread)
      values.formUnion(reader.values)
    }
    for (type, name) in try reader.conformances() {
      conformances[type, default: []].insert(name)
      if name == "Lifecycle.Module", modules[type] == nil { modules[type] = object.view.name }
    }
    for kind in MetadataReader.Kind.allCases {
      guard let names = try reader.names(of: kind) else { continue }
      unread.remove(kind)
      switch kind {
      case .protocol, .objectiveCProtocol: protocols.formUnion(names)
      case .type: swift.formUnion(names)
      case .objectiveCClass: objectiveC.formUnion(names)
      }
    }
    return unread.isDisjoint(with: [.type, .objectiveCClass])
  }
}
