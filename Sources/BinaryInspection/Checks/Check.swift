import Registry

extension Inspection {
  /// Finds what is wrong with what the images register, as the run time would say it, and what the run time cannot know.
  ///
  /// Malformed records; what is exported twice; names in `after` that nobody has, and circles of them; classes that none of the images
  /// has, if classes were read; slices of one file that differ; and records that were there once.
  ///
  /// - Parameter expected: What must be there.
  public func check(expecting expected: ExpectedRecords? = nil) -> [InspectionProblem] {
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
    var duplicates = OrderedProblems()
    var orders: [[InspectionProblem]] = []
    for process in processes {
      duplicates.add(DuplicateCheck.problems(in: process.filter { !$0.isObject }, names))
      orders.append(OrderCheck(process).problems)
    }
    // A library's `after` may be about another executable's modules. Which of them it is for is not known: one is enough.
    let executables = Set(family.lazy.filter { $0.header.type == .executable }.map(\.name))
    var counts: [InspectionProblem: Int] = [:]
    for problem in orders.joined() { counts[problem, default: 0] += 1 }
    for problems in orders {
      duplicates.add(problems.filter { executables.contains($0.file) || counts[$0] == processes.count })
    }
    return duplicates.all
  }

  /// The images as they are in processes: those of each executable, first as there, with all that are none.
  static func processes(of family: [InspectedImage]) -> [[InspectedImage]] {
    let executables = family.filter { $0.header.type == .executable }
    let others = family.filter { $0.header.type != .executable }
    return executables.isEmpty ? [others] : executables.map { [$0] + others }
  }
}

/// Problems in the order in which they were found, each once.
private struct OrderedProblems {
  private(set) var all: [InspectionProblem] = []
  private var known: Set<InspectionProblem> = []

  mutating func add(_ problems: [InspectionProblem]) {
    for problem in problems where known.insert(problem).inserted { all.append(problem) }
  }
}

/// A record with its image, and what it says.
struct PlacedRecord {
  let image: InspectedImage
  let record: InspectedRecord
  let contents: RecordContents

  /// Those that can be read, in order.
  static func all(in images: [InspectedImage]) -> [PlacedRecord] {
    images.flatMap { image in
      image.records.lazy.filter { !$0.isMalformed }.map {
        PlacedRecord(image: image, record: $0, contents: $0.contents)
      }
    }
  }

  /// How messages call it: the class or the handler, with the image.
  var label: String {
    (contents.subject ?? "").escapedForDisplay() + " (\(image.name.escapedForDisplay(limit: 1_000)))"
  }

  func problem(_ code: Diagnostic.Code, subject: String? = nil, _ message: String) -> InspectionProblem {
    InspectionProblem(
      file: image.name, code: code, subject: subject ?? contents.subject ?? "\(record.kind)", message: message)
  }
}
