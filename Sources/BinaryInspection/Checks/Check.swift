import Registry

extension Inspection {
  /// Validates the registrations of all images by the rules of the runtime and of this tool.
  ///
  /// Reports malformed records, duplicates, unknown names and cycles in `after`, classes that no
  /// image has, slices of one file that differ, and missing expected records. Classes are compared
  /// only if they were read.
  ///
  /// - Parameter expected: What must be there.
  package func check(expecting expected: ExpectedRecords? = nil) -> [InspectionProblem] {
    var problems = images.flatMap(\.problems)
    for family in families {
      let known = classes.map { $0[family[0].family] }
      let names = ServiceNames(known ?? ClassInventory.Known())
      problems += DuplicateCheck.problems(in: family.filter(\.isObject), names)
      problems += Self.ofProcesses(family, names)
      if let known { problems += ClassCheck.problems(in: family, known) }
    }
    problems += SliceCheck.problems(in: images)
    if let expected { problems += expected.missing(in: images) }
    return problems
  }
}

extension Inspection {
  /// Returns the problems of the images of one architecture.
  ///
  /// Each executable runs in a process of its own, together with all images that are not
  /// executables.
  private static func ofProcesses(_ family: [InspectedImage], _ names: ServiceNames) -> [InspectionProblem] {
    let processes = processes(of: family)
    var all = OrderedProblems()
    // Each once, however many processes have it.
    var orders = OrderedProblems()
    var hints = OrderCheck.hintLimit
    for process in processes {
      for problem in DuplicateCheck.problems(in: process.filter { !$0.isObject }, names) { all.add(problem) }
      let order = OrderCheck(process, hints: hints)
      hints = order.hints
      for problem in order.problems { orders.add(problem) }
    }
    // A library's `after` may be about another executable's modules. Which of them it is for is not known: one is enough.
    let executables = Set(family.lazy.filter { $0.header.type == .executable }.map(\.name))
    for problem in orders.all where executables.contains(problem.file) || orders.count(of: problem) == processes.count {
      all.add(problem)
    }
    return all.all
  }

  /// Returns the images of each process: one executable, then all images that are not executables.
  ///
  /// A member of an archive is never an executable here, regardless of its header.
  static func processes(of family: [InspectedImage]) -> [[InspectedImage]] {
    let executables = family.filter { $0.header.type == .executable && $0.member == nil }
    let others = family.filter { $0.header.type != .executable || $0.member != nil }
    return executables.isEmpty ? [others] : executables.map { [$0] + others }
  }
}

/// Problems in the order in which they were found, each once.
private struct OrderedProblems {
  private(set) var all: [InspectionProblem] = []
  private var counts: [InspectionProblem: Int] = [:]

  mutating func add(_ problem: InspectionProblem) {
    let same = problem.withoutHint
    if counts[same] == nil { all.append(problem) }
    counts[same, default: 0] += 1
  }

  /// Returns the number of times that a problem was found, regardless of its hint.
  func count(of problem: InspectionProblem) -> Int { counts[problem.withoutHint] ?? 0 }
}

/// A record with its image.
struct ImageRecord {
  let image: InspectedImage
  let record: InspectedRecord

  /// The contents of the record. They are read again each time, because they take more memory.
  var contents: RecordContents { record.contents }

  /// Returns whether this record and another one of its name can be two modules, as at run time.
  ///
  /// Swift records bring their types along, and the compiler refuses a second record for a type.
  /// Two in one image are of two private types, which no record says more about. Objects are
  /// compared like one image, because they can be linked into one.
  func canBeAnotherType(than other: ImageRecord) -> Bool {
    guard record.hasAccessor, other.record.hasAccessor else { return false }
    if image.isObject, other.image.isObject { return true }
    return image.path == other.image.path && image.member == other.image.member && image.start == other.image.start
  }

  /// Returns the records that are not malformed, one at a time.
  static func all(in images: [InspectedImage]) -> some Sequence<ImageRecord> {
    images.lazy.flatMap { image in
      image.records.lazy.filter { !$0.isMalformed }.map { ImageRecord(image: image, record: $0) }
    }
  }

  /// The name in messages: the class or the handler, with the image.
  var label: String {
    (contents.subject ?? "").escapedForDisplay() + " (\(image.name.escapedForDisplay(limit: 1_000)))"
  }

  func problem(
    _ code: Diagnostic.Code, subject: String? = nil, _ message: String, hint: String = ""
  ) -> InspectionProblem {
    InspectionProblem(
      file: image.name, code: code, subject: subject ?? contents.subject ?? "\(record.kind)", message: message,
      hint: hint)
  }
}
