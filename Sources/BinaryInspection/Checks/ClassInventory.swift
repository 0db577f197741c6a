import Registry

/// The classes that files have, as their Swift and Objective-C metadata say, by architecture.
struct ClassInventory: Sendable {
  struct Known: Sendable {
    var swift: Set<String> = []
    /// The last components of Swift's names.
    var lastNames: Set<String> = []
    var objectiveC: Set<String> = []
    /// The names of Swift's protocols, by their last components.
    var protocols: [String: Set<String>] = [:]
    /// The files whose Swift types, or whose Objective-C classes, cannot be read.
    var withoutSwift: [String] = []
    var withoutObjectiveC: [String] = []
  }

  private(set) var known: [Family: Known] = [:]

  subscript(family: Family) -> Known { known[family] ?? Known() }

  mutating func add(_ object: any ObjectFile) throws(InspectionError) {
    let family = Family(object.header)
    // Remove the entry: a second reference would make every change copy all names.
    var here = known.removeValue(forKey: family) ?? Known()
    // An error must not leave half of it: of such a file nothing can be said.
    defer { known[family] = here }
    here.withoutSwift.append(object.view.name)
    here.withoutObjectiveC.append(object.view.name)
    let protocols = try TypeNames.swiftProtocols(in: object) ?? []
    for name in protocols { here.protocols[name.lastName, default: []].insert(name) }
    if let names = try TypeNames.swiftTypes(in: object) {
      here.withoutSwift.removeLast()
      here.swift.formUnion(names)
      for name in names { here.lastNames.insert(name.lastName) }
    }
    if object.header.format == .elf {
      // Nobody runs Objective-C's on it.
      here.withoutObjectiveC.removeLast()
    } else if let names = try TypeNames.objectiveCClasses(in: object) {
      here.withoutObjectiveC.removeLast()
      here.objectiveC.formUnion(names)
    }
  }

  /// Remarks on the files without metadata that can be read.
  var remarks: [InspectionRemark] {
    var files: [String] = []
    for known in known.values { files += known.withoutSwift + known.withoutObjectiveC }
    return Set(files).sorted().map {
      InspectionRemark(
        file: $0, message: "its classes cannot be told, so those that none of the files seems to have are not reported")
    }
  }
}

extension String {
  /// The part after the last dot.
  var lastName: String { lastIndex(of: ".").map { String(self[index(after: $0)...]) } ?? self }
}
