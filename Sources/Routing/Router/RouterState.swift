internal import Registry

/// The mutable state of a router, guarded by the router's lock. No method runs client code.
struct RouterState {
  var feed: RecordFeed
  /// The unread records by rank. Reading a record runs client code and may need another actor.
  var unread: [Int: UnreadRecord] = [:]
  /// All handlers of each name, in rank order. For the handlers in use, see ``used(_:)``.
  private var handlers: [HandlerName: [RouteHandler]] = [:]
  /// The table of the routes' patterns; nil until it's created, and after handlers change.
  private var table: RouteTable?
  var interceptors = Listeners<Interceptor>()
  var notFound = Listeners<@Sendable (RouteRequest) async throws -> (any Sendable)?>()
  var observers = Listeners<@Sendable (RouteObservation) -> Void>()
  var openings = 0
  var ranks = Ranks()

  init(feed: RecordFeed) {
    self.feed = feed
  }

  // MARK: - Records

  /// - Returns: The diagnostics, and the removed handlers, which the caller must release outside
  ///   the lock.
  mutating func update(_ scan: RecordScan) -> (diagnostics: [Diagnostic], removed: [RouteHandler]) {
    guard let (added, unloaded) = feed.update(scan) else { return ([], []) }
    let serials = Set(unloaded)
    unread = unread.filter { !$0.value.provenance.isFrom(serials) }
    let removed = serials.isEmpty ? [] : remove(Array(handlers.keys)) { $0.provenance.isFrom(serials) }
    var diagnostics: [Diagnostic] = []
    var records: [(batch: Int, place: String, record: ExportedRecord, location: String)] = []
    for cataloged in added {
      diagnostics += cataloged.problems
      ranks.add(cataloged.image)
      for record in cataloged.records where record.kind == .route || record.kind == .action {
        do throws(JSONError) {
          let attributes = try record.withJSON { json throws(JSONError) in try RouteAttributes(json, record.kind) }
          records.append((record.image.batch, attributes.location.naturalOrderKey, record, attributes.location))
        } catch {
          diagnostics.append(.malformed(record, "\(error)"))
        }
      }
    }
    // The linker determines the order of an image's records, so sort the records of each batch of
    // images by source location or type name.
    for (_, _, record, location) in records.ordered(by: { ($0.batch, $0.place) < ($1.batch, $1.place) }) {
      let rank = ranks.exported(by: record.image)
      unread[rank.order] = UnreadRecord(record, location: location, rank) { diagnostics.append($0) }
    }
    return (diagnostics, removed)
  }

  /// Adds a record's handler, unless another thread has added it or the image was unloaded.
  ///
  /// - Returns: A diagnostic about a record without a handler of its kind, or a duplicate handler.
  mutating func complete(_ record: UnreadRecord, _ handler: RouteHandler?) -> Diagnostic? {
    guard unread.removeValue(forKey: record.provenance.rank.order) != nil else { return nil }
    guard let handler, (handler.info.action != nil) == (record.exported.kind == .action) else {
      return .refused(record.exported, record.provenance.location, "handler")
    }
    return insert(handler)
  }

  // MARK: - Handlers

  /// The handlers in use: one for each route, and one for each action in each module.
  var used: [RouteHandler] { handlers.keys.flatMap { used($0) } }

  /// All handlers, in rank order for each name.
  var all: [RouteHandler] { handlers.values.flatMap(\.self) }

  /// The routes' handlers that are not in use.
  var ignored: [RouteHandler] { handlers.values.flatMap { $0.dropFirst() }.filter { $0.info.action == nil } }

  func used(_ name: HandlerName) -> [RouteHandler] {
    (handlers[name] ?? []).reduce(into: []) { used, handler in
      if !used.contains(where: handler.competes) { used.append(handler) }
    }
  }

  func route(_ id: String) -> RouteHandler? { handlers[HandlerName(id: id)]?.first }

  var hasRoutes: Bool { handlers.keys.contains { $0.action == nil } }

  func names(ofActions isAction: Bool = false) -> [String] {
    handlers.keys.filter { ($0.action != nil) == isAction }.map(\.text)
  }

  mutating func insert(_ handler: RouteHandler) -> Diagnostic? {
    table = nil
    let list = handlers[handler.name] ?? []
    let index = list.firstIndex { handler.provenance.rank < $0.provenance.rank } ?? list.count
    handlers[handler.name, default: []].insert(handler, at: index)
    guard let other = list.first(where: handler.competes) else { return nil }
    let (used, leftOut) = other.provenance.rank < handler.provenance.rank ? (other, handler) : (handler, other)
    let kind = handler.info.action == nil ? "route" : "action"
    let fits =
      kind == "action" || used.info.parameters == leftOut.info.parameters && used.info.outcome == leftOut.info.outcome
    let difference = fits ? used.info.patterns == leftOut.info.patterns ? nil : "patterns" : "types"
    // For example, a module registers its handlers again when it restarts.
    let isRegistered = used.provenance.image == nil && leftOut.provenance.image == nil
    let canBeEvent = kind == "route" && difference == nil && leftOut.provenance.image != nil
    return leftOut.provenance.diagnostic(
      .warning, .duplicate,
      "the \(kind) '\(handler.name.text.escapedForDisplay())' already has a handler, \(used.provenance.label)"
        + (difference.map { ", with different \($0); if they are two routes, give each its own identifier" } ?? "")
        + "; this one is ignored until that one is removed"
        + (isRegistered ? "; cancel its token, in 'tearDown' if a module registered it" : "")
        + (canBeEvent ? "; if both must run, trigger an event" : ""))
  }

  /// Removes and returns handlers. The caller must release them outside the lock.
  mutating func remove(_ names: [HandlerName], where isRemoved: (RouteHandler) -> Bool) -> [RouteHandler] {
    var removed: [RouteHandler] = []
    for name in names {
      let list = handlers[name] ?? []
      let others = list.filter { !isRemoved($0) }
      guard others.count < list.count else { continue }
      removed += list.filter(isRemoved)
      handlers[name] = others.isEmpty ? nil : others
      table = nil
    }
    return removed
  }

  /// Returns the table of the routes' patterns, with diagnostics if this call created it.
  mutating func currentTable() -> (RouteTable, [Diagnostic]) {
    if let table { return (table, []) }
    var diagnostics: [Diagnostic] = []
    let table = RouteTable(used.filter { $0.info.action == nil }) { diagnostics.append($0) }
    self.table = table
    return (table, diagnostics)
  }
}
