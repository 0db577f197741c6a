import Registry

extension Inspection {
  /// Finds what is wrong with what the images register, as the run time would say it, and what the run time cannot know.
  ///
  /// Malformed records; what is exported twice; names in `after` that nobody has, and circles of them; classes that none of the images
  /// has, if classes were read; slices of one file that differ; and records that were there once.
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
  /// What is wrong when images of one architecture come together: as many times as there are executables, which never do.
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

  /// The images as they are in processes: those of each executable, first as there, with all that are none.
  ///
  /// A member of an archive is none, whatever it says: nobody runs it, and an archive may have any number of them.
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

  /// How often it was found, whatever it took to be meant.
  func count(of problem: InspectionProblem) -> Int { counts[problem.withoutHint] ?? 0 }
}

/// A record with its image.
struct ImageRecord {
  let image: InspectedImage
  let record: InspectedRecord

  /// What it says. Read anew each time, as all that it says is much more than the record.
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

  /// Those that can be read, in order, one at a time.
  static func all(in images: [InspectedImage]) -> some Sequence<ImageRecord> {
    images.lazy.flatMap { image in
      image.records.lazy.filter { !$0.isMalformed }.map { ImageRecord(image: image, record: $0) }
    }
  }

  /// How messages call it: the class or the handler, with the image.
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
