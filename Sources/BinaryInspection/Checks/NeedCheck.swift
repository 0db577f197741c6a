package import Registry

/// A check for needs that no record satisfies, and for services that no code needs.
///
/// An executable has the records of the libraries that it links. A library that no file links also
/// has those of the executable that opens it. Objects and members of archives are linked into an
/// unknown image, so all records satisfy their needs.
struct NeedCheck {
  private let links: LinkedImages
  /// The linked images, followed by the objects.
  private let images: [InspectedImage]
  private let index: NeedIndex
  private let names: ServiceNames
  /// The services, modules, and routes that code registers.
  private let registered: [String]
  /// A Boolean value that indicates whether problems suggest similar names.
  private let hasHints: Bool

  private let programs: [Set<Int>]
  private let opened: [Set<Int>]
  private var hints = 1_000
  private var found = ProblemList()
  private var optional = ProblemList()
  /// The names of the contribution points that code reads.
  private var readPoints: Set<String> = []
  /// The exports that a need names.
  private var needed: Set<NeedIndex.Export> = []

  /// The names of all exports in order, by subject.
  private lazy var targets = Dictionary(grouping: index.providers.keys, by: \.subject).mapValues {
    Set($0.map(NeedIndex.spelling)).sorted()
  }
  /// The names of the implementations of each service, by the last component of its protocol.
  private lazy var implementationNames = Dictionary(
    grouping: index.providers.keys.filter { $0.subject == .service }, by: \.target.lastName
  ).mapValues { Set($0.map(\.name)) }

  /// Checks the needs of images; returns nil if the images state none.
  ///
  /// - Parameters:
  ///   - family: The images of one architecture.
  ///   - registered: The names of services, modules, and routes that code registers.
  ///   - hasHints: A Boolean value that indicates whether problems suggest similar names.
  init?(_ family: [InspectedImage], _ names: ServiceNames, registered: [String] = [], hasHints: Bool = true) {
    guard family.contains(where: \.hasNeeds) else { return nil }
    links = LinkedImages(family)
    images = links.images + family.filter { $0.isObject || $0.member != nil }
    index = NeedIndex(images, names)
    (programs, opened) = (links.programs, links.opened)
    (self.names, self.registered, self.hasHints) = (names, registered.map(\.recordForm), hasHints)
    for (index, image) in images.enumerated() where image.hasNeeds {
      let processes = processes(with: index)
      for placed in ImageRecord.all(in: [image]) { check(placed, in: processes) }
    }
  }

  /// The needs that nothing satisfies.
  var problems: [InspectionProblem] { found.all }

  /// Notes on optional needs that nothing satisfies, and on services that no code needs.
  var remarks: [InspectionProblem] { (optional.all + unused).map(\.asNote) }

  /// Returns the images that are loaded with an image, for each process that can contain it; an
  /// empty array if all images are loaded with it.
  private func processes(with image: Int) -> [Set<Int>] {
    guard image < links.images.count else { return [] }
    let linking = programs.filter { $0.contains(image) }
    if !linking.isEmpty { return linking }
    let group = opened.lazy.filter { $0.contains(image) }.reduce(into: Set<Int>()) { $0.formUnion($1) }
    return group.isEmpty ? [] : programs.map { $0.union(group) }
  }

  private mutating func check(_ placed: ImageRecord, in processes: [Set<Int>]) {
    guard let need = placed.contents.need else { return }
    guard let wanted = index.export(satisfying: need, of: placed) else { return }
    let matches = index.matches(wanted)
    needed.formUnion(matches)
    // An empty point is no mistake.
    if need.subject == .point {
      readPoints.insert(need.target)
      return
    }
    // The accessor of a route's record performs the check at run time.
    let isReadable = need.subject != .route || placed.record.hasAccessor
    if isReadable, isMet(matches, in: processes) || isRegistered(need, wanted) { return }
    let dependent = dependent(need)
    guard isReadable else {
      return found.add(
        .unmetNeed, of: placed, subject: need.target,
        "needed by \(dependent), but its record cannot be read; rebuild the image with the current version of the library"
      )
    }
    let subject = NeedIndex.spelling(wanted)
    hints = max(0, hints - 1)
    let absence = absence(wanted, elsewhere: matches)
    if need.isOptional {
      return optional.add(
        .unmetNeed, of: placed, subject: subject, "\(dependent) can also work without it, and \(absence)")
    }
    let hint = hasHints && hints > 0 ? hint(wanted, placed) : ""
    found.add(
      .unmetNeed, of: placed, subject: subject,
      "needed by \(dependent), but \(absence); link the target that exports it, or, if code registers it, pass"
        + " '--registered \(subject.escapedForDisplay())'", hint: hint)
  }

  private func isMet(_ matches: [NeedIndex.Export], in processes: [Set<Int>]) -> Bool {
    if processes.isEmpty { return !matches.isEmpty }
    return processes.contains { process in
      matches.contains { index.providers[$0]?.contains { process.contains($0.image) } == true }
    }
  }

  private func isRegistered(_ need: NeedAttributes, _ wanted: NeedIndex.Export) -> Bool {
    registered.contains {
      NeedIndex.canBeSame($0, need.target) || wanted.isFull && NeedIndex.canBeSame($0, wanted.target)
    }
  }

  private func dependent(_ need: NeedAttributes) -> String {
    need.dependent?.quotedForDisplay() ?? (need.location == nil ? "C code" : "code at the top level of a file")
  }

  /// Returns the reason why a need is not met.
  ///
  /// - Parameter matches: The exports of other processes.
  private mutating func absence(_ wanted: NeedIndex.Export, elsewhere matches: [NeedIndex.Export]) -> String {
    if let image = matches.first.flatMap({ index.providers[$0]?.first?.image }) {
      return "no file that its process links exports \(what(wanted));"
        + " '\(images[image].name.escapedForDisplay(limit: 1_000))' exports one"
    }
    let others = otherNames(wanted)
    guard !others.isEmpty else { return "no file exports \(what(wanted))" }
    let named = others.compactMap { $0 }.sorted()
    return "no file exports \(what(wanted)), only"
      + (others.contains(nil) ? " one without a name" + (named.isEmpty ? "" : " and") : "")
      + (named.isEmpty ? "" : " \(named.quotedList("and", limit: 8))")
  }

  private func what(_ wanted: NeedIndex.Export) -> String {
    switch wanted.subject {
    case .service:
      let name = wanted.name.map { " named \($0.quotedForDisplay())" } ?? ""
      return "an implementation" + name
    case .module: return "a module with this name"
    case .route: return "a handler of this route"
    case .point: return "a contribution"
    }
  }

  /// Returns the names of the implementations that a service has under other names.
  private mutating func otherNames(_ wanted: NeedIndex.Export) -> [String?] {
    guard wanted.subject == .service, hints > 0 else { return [] }
    return (implementationNames[wanted.target.lastName] ?? []).filter { name in
      let other = NeedIndex.Export(subject: .service, target: wanted.target, name: name, isFull: wanted.isFull)
      return !index.matches(other).isEmpty
    }
  }

  /// Returns the end of a message that suggests a similar name, or that explains a type alias.
  private mutating func hint(_ wanted: NeedIndex.Export, _ placed: ImageRecord) -> String {
    let suggestion = NeedIndex.spelling(wanted).suggestion(in: targets[wanted.subject] ?? [])
    guard suggestion.isEmpty, wanted.subject == .service, !wanted.isFull, names.isComplete else { return suggestion }
    return "; no file declares the name, so pass the file that does, or replace a type alias by its type"
  }

  /// The services and contributions that no need names, as problems.
  private var unused: [InspectionProblem] {
    var unused = ProblemList()
    var known: Set<[String?]> = []
    for placed in ImageRecord.all(in: images) where [.service, .contribution].contains(placed.record.kind) {
      let contents = placed.contents
      // An object and the image that it is linked into contain the same records.
      guard index.exports(of: placed).contains(where: { !needed.contains($0) }),
        known.insert([contents.target, contents.subject, contents.service?.name]).inserted
      else { continue }
      if let point = contents.contribution?.point {
        unused.add(
          .unusedContribution, of: placed, subject: point,
          "\(placed.label) contributes to it, but no file states that code reads it; remove it, or state that with"
            + " '@Contributions' or '#needs(contributions:)' where code reads the point",
          hint: point.suggestion(in: readPoints))
        continue
      }
      unused.add(
        .unusedService, of: placed, subject: contents.target,
        "\(placed.label) implements it, but no file states a need for it; remove it, or state the need with '@Service'"
          + " or '#needs' where code uses it")
    }
    return unused.all
  }
}

extension Inspection {
  /// Returns notes on optional needs that nothing satisfies, on services that no code needs, and on
  /// Swift modules that need each other.
  ///
  /// - Parameter registered: The names of services, modules, and routes that code registers.
  @MainActor package func needRemarks(registered: [String] = []) -> [InspectionProblem] {
    families.flatMap { family in
      let names = serviceNames(of: family)
      guard let check = NeedCheck(family, names, registered: registered, hasHints: false) else {
        return [InspectionProblem]()
      }
      return check.remarks + featureRemarks(of: family, names)
    }
  }

  /// Returns notes on Swift modules that need each other.
  @MainActor private func featureRemarks(of family: [InspectedImage], _ names: ServiceNames) -> [InspectionProblem] {
    var remarks = ProblemList()
    for process in Self.processes(of: family) {
      if let cycle = FeatureNeeds(process, names).cycle { remarks.add(cycle) }
    }
    return remarks.all
  }
}

extension InspectedImage {
  var hasNeeds: Bool { records.contains { $0.kind == .need && !$0.isMalformed } }
}

extension Diagnostic.Code {
  /// An implementation of a service that no code states a need for.
  package static let unusedService: Self = "unused-service"
  /// A contribution to a point that no record says code reads.
  package static let unusedContribution: Self = "unused-contribution"
  /// Swift modules that need each other.
  package static let featureCycle: Self = "feature-cycle"
}
