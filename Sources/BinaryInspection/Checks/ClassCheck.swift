import Registry

/// A check for classes that records name but no file declares.
enum ClassCheck {
  /// Returns a problem for each record that names an unknown class.
  ///
  /// - Parameters:
  ///   - images: The images of one architecture.
  ///   - known: The types that the files of this architecture declare.
  static func problems(in images: [InspectedImage], _ known: ClassInventory.Known) -> [InspectionProblem] {
    var problems = ProblemList()
    var hints = 1_000
    // Sort the names only if a class is unknown, and only once.
    lazy var swift = known.swift.sorted()
    lazy var objectiveC = known.objectiveC.sorted()
    let hasObjectiveC = images.first?.header.format == .machO
    for placed in ImageRecord.all(in: images) {
      guard let name = placed.contents.type, !isKnown(name, placed.record, known) else { continue }
      let isSwift = name.utf8.contains(UInt8(ascii: "."))
      hints -= 1
      let others = isSwift ? swift : objectiveC
      let hint = hints > 0 ? name.suggestion(in: others) : ""
      problems.add(.unknownClass, of: placed, absence(isSwift: isSwift, hasObjectiveC: hasObjectiveC) + hint)
    }
    return problems.all
  }

  private static func isKnown(
    _ name: String, _ record: InspectedRecord, _ known: ClassInventory.Known
  ) -> Bool {
    guard name.utf8.contains(UInt8(ascii: ".")) else {
      return known.objectiveC.contains(name) || !known.withoutObjectiveC.isEmpty
    }
    // The accessor returns the type, so the name matters only to readers.
    return record.hasAccessor || known.swift.contains(name) || !known.withoutSwift.isEmpty
  }

  /// Returns the text of the problem, in the words of the runtime.
  private static func absence(isSwift: Bool, hasObjectiveC: Bool) -> String {
    if isSwift {
      return
        "no file contains a class with this name; write the name as 'Module.Class', and pass the file that contains"
        + " the class"
    }
    return hasObjectiveC
      ? "no file contains an Objective-C class with this name; write the name of a Swift class as 'Module.Class', and pass"
        + " the file that contains the class"
      : "a name without a module is the name of an Objective-C class, which this system does not support; write the name"
        + " of a Swift class as 'Module.Class'"
  }
}
