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
      let hint = hints > 0 ? name.nearest(in: others).map { "; is \($0.escapedForDisplay()) meant?" } ?? "" : ""
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
    if known.swift.contains(name) || !known.withoutSwift.isEmpty { return true }
    // The accessor returns the type, so the name matters only to readers. The macro does not know
    // the full name of a type in an extension of another module's type.
    return record.hasAccessor && known.lastNames.contains(name.lastName)
  }

  /// Returns the text of the problem, in the words of the runtime.
  private static func absence(isSwift: Bool, hasObjectiveC: Bool) -> String {
    if isSwift {
      return
        "no file has a class of that name; it is spelt Module.Class, and the file with the class must be given as well"
    }
    return hasObjectiveC
      ? "a name without a module is Objective-C's, and no file has a class of that name; a class of Swift's is spelt Module.Class, and"
        + " the file with the class must be given as well"
      : "a name without a module is Objective-C's, which this system does not have; a class of Swift's is spelt Module.Class"
  }
}
