import Registry
import Routing

/// A check for services, routes, and actions that are exported twice.
///
/// Linked images and objects are checked separately, because the records of an object are also in
/// the image that it is linked into.
enum DuplicateCheck {
  static func problems(in images: [InspectedImage], _ names: ServiceNames) -> [InspectionProblem] {
    var services: [Key: [ImageRecord]] = [:]
    var handled: [Key: [ImageRecord]] = [:]
    var order: [Key] = []
    var problems = ProblemList()
    var objects: Set<SameObject> = []
    for placed in ImageRecord.all(in: images) {
      let (record, contents) = (placed.record, placed.contents)
      if let same = SameObject(placed), !objects.insert(same).inserted { continue }
      switch record.kind {
      // A condition can exclude an implementation, and one that replaces others does not compete
      // with them.
      case .service where contents.service?.competes == true:
        let key = Key(kind: record.kind, names: names.meaning(of: placed) + [contents.service?.name])
        if services[key] == nil { order.append(key) }
        services[key, default: []].append(placed)
      case .route, .action:
        let key = Key(kind: record.kind, names: [contents.target, contents.route?.action, contents.actionModule])
        if handled[key] == nil { order.append(key) }
        handled[key, default: []].append(placed)
      default: break
      }
    }
    for key in order {
      if let claims = services[key], claims.count > 1 { addTies(claims, to: &problems) }
      if let handlers = handled[key], handlers.count > 1 { addDuplicateHandlers(handlers, to: &problems) }
    }
    return problems.all
  }

  /// The properties that records for the same export share.
  private struct Key: Hashable {
    let kind: RecordKind
    let names: [String?]
  }

  /// Reports the implementations that share the highest priority for one protocol and name.
  private static func addTies(_ claims: [ImageRecord], to problems: inout ProblemList) {
    // A plug-in is loaded later, and its implementations do not compete with those that exist.
    // Compare the implementations of each plug-in only with each other.
    let groups = Dictionary(grouping: claims.indices) { index in
      claims[index].image.header.type == .bundle ? claims[index].image.name : nil
    }
    for group in groups.values.sorted(by: { $0[0] < $1[0] }) {
      guard let ranks = RecordedRanks(priorities: group.map { claims[$0].contents.priority ?? 0 }) else { continue }
      let first = claims[group[ranks.preferred]]
      for claim in ranks.ties.lazy.map({ claims[group[$0]] }) {
        problems.add(.tie, of: claim, subject: claim.contents.target, ranks.message(first.label, claim.label))
      }
    }
  }

  /// Reports the handlers of one route or action that are not used.
  private static func addDuplicateHandlers(_ handlers: [ImageRecord], to problems: inout ProblemList) {
    let subjects = handlers.map { $0.contents.subject ?? "" }
    // Include the indices in the comparison, because the sort is not guaranteed to be stable.
    let sorted = handlers.indices.sorted { (subjects[$0], $0) < (subjects[$1], $1) }.map { handlers[$0] }
    for leftOut in sorted.dropFirst() {
      let contents = leftOut.contents
      let isRoute = leftOut.record.kind == .route
      let what = contents.target ?? ""
      problems.add(
        .duplicate, of: leftOut,
        "the \(isRoute ? "route" : "action") '\(what.escapedForDisplay())' already has a handler, \(sorted[0].label); this one"
          + " is ignored until that one is removed" + (isRoute ? "; if they are two routes, give them two names" : ""))
    }
  }
}

extension RecordContents {
  /// The module that contains the handler of an action.
  fileprivate var actionModule: String? {
    guard route?.action != nil, let subject else { return nil }
    return String(subject.prefix { $0 != "/" && $0 != "." })
  }
}

extension ServiceAttributes {
  /// A Boolean value that indicates whether the implementation competes with others.
  fileprivate var competes: Bool { condition == nil && replaces == nil && replacesType == nil }
}
