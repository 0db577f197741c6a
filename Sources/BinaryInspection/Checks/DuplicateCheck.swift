import Lifecycle
import Registry
import Routing

/// A check for services that tie, for routes and actions with more than one handler, and for event
/// handlers that two images contain.
///
/// Linked images and objects are checked separately, because linked images repeat the records of
/// their objects.
enum DuplicateCheck {
  static func check(_ images: [InspectedImage], _ names: ServiceNames, _ list: ProblemList) {
    var objects: Set<[String?]> = []
    let exports = ImageRecord.all(in: images).grouped { placed in
      key(of: placed, names).flatMap { placed.isRepeated(&objects) ? nil : $0 }
    }
    for group in exports where group.count > 1 {
      switch group[0].record.kind {
      case .service: reportTies(group, list)
      case .handler:
        // A process loads only one of several libraries with the same name.
        for copy in group where file(copy) != file(group[0]) {
          list.add(
            .duplicate, of: copy, ModuleRegistry.sharedHandler(group[0].image.name.escapedForDisplay(limit: 1_000)))
        }
      default: reportHandlers(group, list)
      }
    }
  }

  private static func file(_ placed: ImageRecord) -> String {
    placed.image.linkage.name ?? placed.image.path.lastPathComponent
  }

  /// Returns a key that competing records share, or nil for a record that can't compete.
  private static func key(of placed: ImageRecord, _ names: ServiceNames) -> [String?]? {
    let contents = placed.contents
    switch placed.record.kind {
    // A condition can exclude an implementation, and a replacement doesn't compete with the
    // implementation that it replaces.
    case .service:
      guard let service = contents.service, service.condition == nil, service.replaces ?? service.replacesType == nil
      else { return nil }
      return ["service"] + names.meaning(of: placed) + [service.name]
    // Objects of several products can contain one target.
    case .handler where !placed.image.header.isObject: return ["handler", contents.subject]
    case .route: return ["route", contents.target]
    case .action: return ["action", contents.target, contents.route?.action, placed.feature]
    default: return nil
    }
  }

  /// Reports the implementations of one service that tie with the preferred implementation.
  private static func reportTies(_ claims: [ImageRecord], _ list: ProblemList) {
    // A plug-in is loaded later, so its implementations compete only with each other.
    for group in claims.grouped(by: { $0.image.header.type == .bundle ? $0.image.name : "" }) {
      var ranks = Ranks()
      let image = LoadedImage(path: "", serial: 0, batch: 0)
      let ranked = group.map { (claim: $0, rank: ranks.exported(by: image, priority: $0.contents.priority ?? 0)) }
      guard let first = ranked.min(by: { $0.rank < $1.rank }) else { continue }
      for (claim, rank) in ranked where rank != first.rank && rank.ties(with: first.rank) {
        list.add(.tie, of: claim, subject: claim.contents.target, rank.tieMessage(first.claim.label, claim.label))
      }
    }
  }

  /// Reports the unused handlers of one route or action.
  private static func reportHandlers(_ handlers: [ImageRecord], _ list: ProblemList) {
    // A plug-in is loaded later, so its handlers follow the app's.
    let keys = handlers.map { ($0.image.header.type == .bundle ? 1 : 0, $0.contents.subject?.naturalOrderKey ?? "") }
    let sorted = zip(keys, handlers).sorted { $0.0 < $1.0 }.map(\.1)
    let isRoute = handlers[0].record.kind == .route
    for leftOut in sorted.dropFirst() {
      list.add(
        .duplicate, of: leftOut,
        "the \(isRoute ? "route" : "action") '\((leftOut.contents.target ?? "").escapedForDisplay())' already has a handler,"
          + " \(sorted[0].label); this one is ignored until that one is removed"
          + (isRoute ? "; if they are two routes, give them two names; if both must run, trigger an event" : ""))
    }
  }
}
