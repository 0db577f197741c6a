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
    /// A Boolean value that indicates whether the protocols of every file could be read.
    var hasAllProtocols = true
    /// The files whose Swift types cannot be read.
    var withoutSwift: [String] = []
    /// The files whose Objective-C classes cannot be read.
    var withoutObjectiveC: [String] = []

    /// Returns whether a file declares a Swift type or protocol.
    func declares(_ name: String) -> Bool { swift.contains(name) || protocols.contains(name) }
  }

  /// The types by the families of the images.
  private(set) var known: [[String]: Known] = [:]

  subscript(family: [String]) -> Known { known[family] ?? Known() }

  /// Adds the types that an object file declares.
  mutating func add(_ object: any ObjectFile) throws(InspectionProblem) {
    let family = object.header.family
    // Remove the entry, because a second reference would make every change copy all names.
    var here = known.removeValue(forKey: family) ?? Known()
    // Store the entry even if an error is thrown. The file then counts as unreadable, because some
    // of its names may be missing.
    defer { known[family] = here }
    here.withoutSwift.append(object.view.name)
    here.withoutObjectiveC.append(object.view.name)
    for names in [try TypeNames.swiftProtocols(in: object), try TypeNames.objectiveCSwiftProtocols(in: object)] {
      here.protocols.formUnion(names ?? [])
      if names == nil { here.hasAllProtocols = false }
    }
    if let names = try TypeNames.swiftTypes(in: object) {
      here.withoutSwift.removeLast()
      here.swift.formUnion(names)
    }
    if let names = try TypeNames.objectiveCClasses(in: object) {
      here.withoutObjectiveC.removeLast()
      here.objectiveC.formUnion(names)
    }
  }

  /// The notes on the files whose metadata cannot be read.
  var notes: [InspectionProblem] {
    Set(known.values.flatMap { $0.withoutSwift + $0.withoutObjectiveC }).sorted().map {
      InspectionProblem(
        file: $0, severity: .note, code: .unreadClasses,
        text: "the classes cannot be read, so classes that no file contains are not reported")
    }
  }
}

extension String {
  /// The part after the last dot.
  var lastName: String { lastIndex(of: ".").map { String(self[index(after: $0)...]) } ?? self }
}
