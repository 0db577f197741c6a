import Lifecycle
import Registry
import RegistryAnalysis

extension Inspection {
  /// Validates the registrations of all images against the rules of the runtime and this tool.
  ///
  /// `RegistryTool.md` lists the problems. Types are checked only if they were read.
  ///
  /// - Parameters:
  ///   - expected: The records that the images must contain; nil to require no records.
  ///   - builtFrom: The paths of objects and archives whose records the images must contain.
  ///   - librariesAreSeparate: A Boolean value that indicates whether objects, archives, and
  ///     libraries that no image links may belong to other processes. Their copies of
  ///     swift-section-registry and their dropped records are then reported as notes.
  ///   - registered: The names of services, modules, and routes that code registers.
  /// - Returns: The problems in order of severity: unreadable input, problems, and notes.
  @MainActor package func check(
    expecting expected: ExpectedRecords? = nil, builtFrom: [String] = [], librariesAreSeparate: Bool = false,
    registered: [String] = []
  ) -> [InspectionProblem] {
    let list = ProblemList()
    for family in families {
      let names = serviceNames(of: family)
      let links = LinkedImages(family)
      let groups = InspectedImage.byGroup(links.family)
      var hints = ModuleCheck.hintLimit
      for (group, images) in groups {
        let objects = images.filter(\.header.isObject)
        DuplicateCheck.check(objects, names, list)
        if objects.count < images.count {
          ModuleCheck(objects, names, hints: 0).report(duplicates: list, others: ProblemList())
        }
        let exporter: StaticString =
          group != nil ? "record of its group" : groups.count > 1 ? "record without a group" : "file"
        checkProcesses(links.processes(of: images).map(\.images), names, exporter: exporter, hints: &hints, list)
      }
      links.reportCopies(to: list, librariesAreSeparate: librariesAreSeparate)
      if family.contains(where: \.hasNeeds) {
        NeedCheck.check(links, names, registered: registered, list)
        for process in links.processes(of: links.family) { Self.reportCycle(in: process.images, names, list) }
      }
      if types != nil { TypeCheck(family, names).report(registered: registered, to: list) }
    }
    // Don't report dropped records if part of the input is unread, because it could contain them.
    let isComplete = !problems.contains { $0.severity == .unreadable || $0.code == .encrypted }
    if isComplete, !builtFrom.isEmpty || images.contains(where: \.header.isObject) {
      let dropped = DroppedRecords(images, list)
      dropped.check(builtFrom: builtFrom, areOwn: !librariesAreSeparate)
      // Objects outside archives can belong to other products of the build folder. Require their
      // records only if `--built-from` names an object. Then a shell has probably expanded the
      // option's pattern, and these objects are its matches after the first.
      let isPattern = builtFrom.contains { $0.hasSuffix(".o") }
      dropped.check(images) { !librariesAreSeparate && ($0.member != nil || isPattern) }
    }
    InstanceCheck.check(images, list)
    SliceCheck.check(images, list)
    reportTestingLibrary(list)
    expected?.check(images, list)
    reportNothingSelected(registered, list)
    let all = problems + list.all
    return InspectionProblem.Severity.allCases.flatMap { severity in all.filter { $0.severity == severity } }
  }

  /// Returns a note about unmet needs that an executable may meet, if none is among the files.
  package func missingExecutable(_ problems: [InspectionProblem]) -> [InspectionProblem] {
    let library = images.first { [.library, .bundle].contains($0.header.type) }
    guard let library, !images.contains(where: { $0.header.type == .executable }),
      problems.contains(where: { $0.code == .unmetNeed }), !problems.contains(where: { $0.severity == .unreadable })
    else { return [] }
    let text = "no executable is passed, so what it exports is not checked; pass all files that one process loads"
    return [InspectionProblem(file: library.name, severity: .note, code: .nothingSelected, text: text)]
  }

  /// Adds a note if Swift modules need each other, regardless of the groups of their needs.
  @MainActor private static func reportCycle(
    in process: [InspectedImage], _ names: ServiceNames, _ list: ProblemList
  ) {
    guard let file = process.first(where: \.hasNeeds) else { return }
    var (graph, keys): (UseGraph, [[String]: String]) = (UseGraph(), [:])
    for need in needs(in: process, names) {
      for provider in need.providers where provider != need.feature {
        graph.uses[need.feature, default: []].insert(provider)
        keys[[need.feature, provider]] = keys[[need.feature, provider]] ?? need.key
      }
    }
    guard let cycle = graph.cycles(limit: 1).first else { return }
    let path = cycle + cycle.prefix(1)
    let steps = zip(path, path.dropFirst()).prefix(8).map { from, to in
      "\(from.quotedForDisplay()) needs \((keys[[from, to]] ?? "").quotedForDisplay())"
    }
    list.add(
      .featureCycle, .note, file: file.name, path: file.path, subject: path[0],
      "Swift modules need each other: \(path.spelledOut { $0.quotedForDisplay() }), because"
        + " \(steps.joined(separator: ", "))\(path.count > 9 ? ", …" : ""); move an implementation, or the code that needs"
        + " it, to another module")
  }

  /// Adds notes about executables that link Swift Testing although their names don't contain "test".
  private func reportTestingLibrary(_ list: ProblemList) {
    for image in images
    where image.header.type == .executable && !image.path.lastPathComponent.lowercased().contains("test") {
      guard let testing = image.linkage.libraries.first(where: ["libTesting.so", "Testing"].contains) else { continue }
      list.add(
        .testingLibrary, .note, file: image.name, path: image.path,
        "the executable links '\(testing)', which exists only where tests run; let only test targets depend on"
          + " 'RegistryTesting'")
    }
  }

  /// Adds notes about unused `--registered` names and, unless reading failed, a lack of records.
  @MainActor private func reportNothingSelected(_ registered: [String], _ list: ProblemList) {
    guard let file = images.first?.path else { return }
    func note(_ subject: String?, _ text: String) {
      list.add(.nothingSelected, .note, file: file, subject: subject, text)
    }
    if let image = images.first(where: { $0.header.lacksNotes && $0.records.isEmpty }) {
      list.add(
        .nothingSelected, .note, file: image.name, path: image.path,
        "the file's notes were removed, as by 'objcopy --remove-section=.note*', and records are notes; keep the section"
          + " '.note.registry'")
    } else if recordCount == 0, !problems.contains(where: { $0.severity != .note }) {
      // A file can contain several images, such as slices and members.
      let count = Set(images.map(\.path)).count
      note(
        nil,
        "\(count == 1 ? "the file contains" : "the \(count) files contain") no records; pass the executable, library,"
          + " or archive that contains the features")
    }
    if registered.isEmpty { return }
    var needed = Set(ImageRecord.all(in: images).compactMap { $0.contents.need?.target.recordForm })
    for known in Set(images.map(\.header.family)).compactMap({ types?[$0] }) { needed.formUnion(known.modules.keys) }
    for name in registered where !needed.contains(where: { NeedIndex.canBeSame(name.recordForm, $0) }) {
      note(
        "--registered \(name)",
        "no code needs a service, a route, or a module with this name, so the option has no effect; remove it, or correct"
          + " the name\(name.suggestion(in: needed.sorted()))")
    }
  }

  /// Checks each process that the images of one family and group can form.
  @MainActor private func checkProcesses(
    _ processes: some Collection<[InspectedImage]>, _ names: ServiceNames, exporter: StaticString, hints: inout Int,
    _ list: ProblemList
  ) {
    // Collect ordering problems separately, to count the processes that have each problem.
    let orders = ProblemList()
    for process in processes {
      let (duplicates, others) = (ProblemList(), ProblemList())
      DuplicateCheck.check(process.filter { !$0.header.isObject }, names, duplicates)
      let modules = ModuleCheck(process, names, hints: hints, exporter: exporter)
      hints = modules.hints
      modules.report(duplicates: duplicates, others: others)
      for problem in duplicates.all { list.add(problem) }
      // The process's own list has already applied the limit, so add all of its problems.
      for problem in others.all { orders.add(problem) }
    }
    // The `after` of a library's module can name a module that only one executable contains, so
    // report an unknown name only if all processes with the library have the problem.
    lazy var counts = Dictionary(
      processes.lazy.flatMap { Set($0.flatMap { [$0.name, $0.path] }) }.map { ($0, 1) }, uniquingKeysWith: +)
    for problem in orders.all where problem.code != .unknownAfter || orders.count(of: problem) == counts[problem.file] {
      list.add(problem)
    }
  }
}
