import Lifecycle
import Registry

extension Inspection {
  /// Validates the registrations of all images by the rules of the runtime and of this tool.
  ///
  /// Reports malformed records, duplicates, unknown names and cycles in `after`, classes and
  /// protocols that no file declares, types with several instances, slices of one file that differ,
  /// several copies of the library in one process, needs that no record satisfies, and missing
  /// expected records. Classes and protocols are compared only if they were read.
  ///
  /// - Parameters:
  ///   - expected: The records that the images must contain; nil for none.
  ///   - librariesAreSeparate: A Boolean value that indicates whether a library that no image links
  ///     may be in another process, so that its copy of this library is not a problem.
  ///   - registered: The names of services, modules, and routes that code registers, so that they
  ///     satisfy needs.
  @MainActor package func check(
    expecting expected: ExpectedRecords? = nil, librariesAreSeparate: Bool = false, registered: [String] = []
  ) -> [InspectionProblem] {
    var problems = images.flatMap(\.problems)
    for family in families {
      let known = classes.map { $0[family[0].family] }
      let names = serviceNames(of: family)
      let objects = family.filter(\.isObject)
      problems += DuplicateCheck.problems(in: objects, names)
      if objects.count < family.count { problems += ModuleCheck(objects, names, hints: 0).duplicates.all }
      problems += Self.ofProcesses(family, names)
      var copies = ProblemList()
      for pair in CopyCheck(family).pairs where pair.isProblem(librariesAreSeparate: librariesAreSeparate) {
        copies.add(pair.problem)
      }
      problems += copies.all
      problems += NeedCheck(family, names, registered: registered)?.problems ?? []
      if let known { problems += TypeCheck(family, known).problems }
    }
    problems += InstanceCheck.problems(in: images) + SliceCheck.problems(in: images)
    if let expected { problems += expected.missing(in: images) }
    return problems
  }
}

extension Inspection {
  /// Returns the problems of the images of one architecture.
  ///
  /// Each executable runs in a process of its own, together with all images that are not
  /// executables.
  @MainActor private static func ofProcesses(_ family: [InspectedImage], _ names: ServiceNames) -> [InspectionProblem] {
    let processes = processes(of: family)
    var all = ProblemList()
    // Collect the problems of the order separately, to count the processes that have each of them.
    var orders = ProblemList()
    var hints = ModuleCheck.hintLimit
    for process in processes {
      for problem in DuplicateCheck.problems(in: process.filter { !$0.isObject }, names) { all.add(problem) }
      let modules = ModuleCheck(process, names, hints: hints)
      hints = modules.result.hints
      for problem in modules.duplicates.all { all.add(problem) }
      for problem in modules.problems.all { orders.add(problem) }
    }
    // A library can name a module that only one of the executables contains. Report its problems
    // only if all processes have them.
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
