import Registry

/// A check for unmet needs, and for services and contributions without a stated need.
///
/// An executable finds the records of the libraries that it links. A library that no file links
/// also finds the records of the executable that opens it. Objects and archive members can end up
/// in any image, so a matching record in any image satisfies their needs.
struct NeedCheck {
  private let links: LinkedImages
  /// The linked images, followed by the objects and the archive members.
  private let images: [InspectedImage]
  private let index: NeedIndex
  private let names: ServiceNames
  private let registered: [String]
  private let list: ProblemList

  private var readPoints: Set<String> = []
  private var needed: Set<NeedIndex.Export> = []

  private lazy var targets = Dictionary(grouping: index.providers.keys, by: \.subject).mapValues {
    Set($0.map(\.spelling)).sorted()
  }

  static func check(
    _ links: LinkedImages, _ names: ServiceNames, registered: [String] = [], _ list: ProblemList
  ) {
    var check = NeedCheck(links, names, registered, list)
    for (index, image) in check.images.enumerated() where image.hasNeeds {
      let processes = index < check.links.images.count ? check.links.processes(with: index) : []
      for placed in ImageRecord.all(in: [image]) { check.check(placed, in: processes) }
    }
    check.reportUnused()
  }

  private init(_ links: LinkedImages, _ names: ServiceNames, _ registered: [String], _ list: ProblemList) {
    self.links = links
    images = links.images + links.family.filter { !$0.isLinked }
    index = NeedIndex(images, names)
    (self.names, self.registered, self.list) = (names, registered.map(\.recordForm), list)
  }

  private mutating func check(_ placed: ImageRecord, in processes: [Set<Int>]) {
    guard let need = placed.contents.need, let wanted = index.export(satisfying: need, of: placed) else { return }
    let matches = index.matches(wanted, of: need)
    needed.formUnion(matches)
    // A contribution point without contributions isn't a problem.
    if need.subject == .point {
      readPoints.insert(need.target)
      return
    }
    let dependent =
      need.dependent?.quotedForDisplay() ?? (need.location == nil ? "C code" : "code at the top level of a file")
    // Without an accessor, the runtime can't check a need for a route.
    guard need.subject != .route || placed.record.hasAccessor else {
      return list.add(
        .unmetNeed, of: placed, subject: need.target,
        "needed by \(dependent), but its record cannot be read; rebuild the image with the current version of the library"
      )
    }
    if isRegistered(need, wanted) { return }
    let providers = index.providers(of: matches, for: placed)
    let isMet =
      processes.isEmpty && !providers.isEmpty
      || processes.contains { process in providers.contains { process.contains($0.image) } }
    if isMet { return noteCondition(of: providers, need, wanted, placed, dependent) }
    let absence = absence(wanted, elsewhere: providers, matches)
    func note(_ text: String) { list.add(.unmetNeed, .note, of: placed, subject: wanted.spelling, text) }
    if need.isOptional { return note("\(dependent) can also work without it, and \(absence)") }
    let isInGroup = providers.isEmpty && !matches.isEmpty
    // The code may use a manager of the group. A property can't, because properties use the shared
    // manager.
    if isInGroup, placed.record.group == nil, !need.isProperty {
      return note(
        "needed by \(dependent), but \(absence); export it without a group, unless only managers of the group run this"
          + " code")
    }
    if let text = otherSpelling(wanted, placed) { return note("needed by \(dependent), but \(absence); \(text)") }
    list.add(
      .unmetNeed, of: placed, subject: wanted.spelling,
      "needed by \(dependent), but \(absence);"
        + " \(isInGroup ? "export it without a group" : "link the target that exports it"), or, if code registers it, pass"
        + " '--registered \(wanted.spelling.escapedForDisplay())'",
      // A declared protocol's name isn't misspelled.
      hint: matches.isEmpty && !(need.subject == .service && names.known.contains(wanted.target))
        ? wanted.spelling.suggestion(in: targets[wanted.subject] ?? []) : "")
  }

  /// Adds a note if all implementations that satisfy a required need have the same condition.
  private func noteCondition(
    of providers: [NeedIndex.Provider], _ need: NeedAttributes, _ wanted: NeedIndex.Export, _ placed: ImageRecord,
    _ dependent: String
  ) {
    guard let condition = providers[0].condition, !need.isOptional,
      providers.allSatisfy({ $0.condition == condition })
    else { return }
    // An object and the image that it's linked into are two providers of one type.
    let types = Set(providers.compactMap(\.type)).sorted()
    list.add(
      .unmetNeed, .note, of: placed, subject: wanted.spelling,
      "needed by \(dependent), but \(types.quotedList("and", limit: 3)) \(types.count == 1 ? "exists" : "exist") only"
        + " under the condition \("\(condition)".quotedForDisplay()); export an implementation without a condition")
  }

  /// Returns an explanation and a fix if another name in the files may refer to the needed service.
  private func otherSpelling(_ wanted: NeedIndex.Export, _ placed: ImageRecord) -> String? {
    guard wanted.subject == .service, names.isComplete else { return nil }
    if wanted.target.isPlainName, !wanted.isFull {
      // If an export has this name, the need is unmet because of the export's process or group.
      return index.matches(wanted).isEmpty && index.providers.keys.contains { $0.subject == .service }
        ? "no file declares the name, so it can be a type alias; replace the alias by its type, or pass the file that"
          + " declares the protocol" : nil
    }
    guard let alias = index.possibleAlias(of: wanted, for: placed), let provider = index.providers[alias]?.first else {
      return nil
    }
    let fact =
      "\((provider.type ?? "").quotedForDisplay()) is exported as \(alias.spelling.quotedForDisplay()), which"
    return alias.target.isPlainName && wanted.target.isPlainName
      ? "\(fact) no file declares, so it can be a type alias; replace the alias by its type in '@ExportService'"
      : "\(fact) can be the same type; spell it in '@ExportService' as the code that needs it does"
  }

  private func isRegistered(_ need: NeedAttributes, _ wanted: NeedIndex.Export) -> Bool {
    registered.contains {
      NeedIndex.canBeSame($0, need.target) || wanted.isFull && NeedIndex.canBeSame($0, wanted.target)
    }
  }

  /// Returns the reason that a need isn't met. The providers are in other processes, and the
  /// matches can include exports in other groups.
  private func absence(
    _ wanted: NeedIndex.Export, elsewhere providers: [NeedIndex.Provider], _ matches: [NeedIndex.Export]
  ) -> String {
    let what =
      switch wanted.subject {
      case .service: "an implementation" + (wanted.name.map { " named \($0.quotedForDisplay())" } ?? "")
      case .module: "a module with this name"
      case .route: "a handler of this route"
      case .point: "a contribution"
      }
    if let image = providers.first?.image {
      return "no file that its process links exports \(what);"
        + " '\(images[image].name.escapedForDisplay(limit: 1_000))' exports one"
    }
    if let group = matches.first.flatMap({ index.providers[$0]?.first?.group }) {
      return "only the group \(group.quotedForDisplay()) exports \(what)"
    }
    let isHinted = wanted.subject == .service && list.hints > 0
    let others = isHinted ? Set(index.matchesWithAnyName(wanted).map(\.name)) : []
    let named = others.compactMap(\.self).sorted().quotedList("and", limit: 8)
    let all = (others.contains(nil) ? ["one without a name"] : []) + (named.isEmpty ? [] : [named])
    return "no file exports \(what)" + (all.isEmpty ? "" : ", only \(all.joined(separator: " and "))")
  }

  private func reportUnused() {
    var known: Set<[String?]> = []
    for placed in ImageRecord.all(in: images) where [.service, .contribution].contains(placed.record.kind) {
      let contents = placed.contents
      // An object and the image that it's linked into contain the same records.
      guard index.exports(of: placed).contains(where: { !needed.contains($0) }),
        known.insert(
          contents.contribution.map { [$0.point] } ?? [contents.target, contents.subject, contents.service?.name]
        ).inserted
      else { continue }
      if let point = contents.contribution?.point {
        list.add(
          .unusedContribution, .note, of: placed, subject: point,
          "\(placed.label) contributes to it, and no file states that code reads it; if code reads the point, state that"
            + " there with '@Contributions' or '#needs(contributions:)'",
          hint: point.suggestion(in: readPoints))
      } else {
        list.add(
          .unusedService, .note, of: placed, subject: contents.target,
          "\(placed.label) implements it, and no file states a need for it; if code looks it up, state the need there with"
            + " '@Service' or '#needs', so that the start and this check find a missing implementation")
      }
    }
  }
}
