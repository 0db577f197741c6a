internal import Registry

/// The mutable state of a router, which the router's lock protects.
///
/// No method runs code of the client.
struct RouterState {
  var feed: RecordFeed
  /// The records that have not been read, by the order in their rank.
  ///
  /// Reading a route runs code of the client and may need another actor.
  var unread: [Int: UnreadRecord] = [:]
  /// The handlers of routes by identifier.
  var routes = Entries<String, any RouteHandling>()
  var actions = Entries<ActionName, any ActionHandling>()
  /// The table of the routes' patterns, or nil if routes have changed since it was created.
  var table: RouteTable?
  /// The table of the actions' modules by target and action, or nil if actions have changed since
  /// it was created.
  private var modules: [String: [String: [String]]]?
  var interceptors = Listeners<Interceptor>()
  var notFound = Listeners<@Sendable (RouteRequest) async throws -> (any Sendable)?>()
  var observers = Listeners<@Sendable (RouteObservation) -> Void>()
  /// The number of requests that observers were notified of.
  var openings = 0
  /// The batch in the rank of the next registration, which follows all images that were scanned.
  private var batch = 1
  /// A counter of exported and registered handlers, in load order and order of registration.
  private var order = 0

  init(feed: RecordFeed) {
    self.feed = feed
  }

  /// Returns the rank of a handler that is registered now.
  mutating func nextRank() -> Provenance.Rank {
    order += 1
    return Provenance.Rank(batch: batch, location: "", order: order)
  }

  /// Takes over the result of a scan.
  ///
  /// - Returns: The diagnostics to report, and the removed handlers, which the caller must release
  ///   outside the lock.
  mutating func update(_ scan: RecordScan) -> (diagnostics: [Diagnostic], handlers: [Any]) {
    guard let (added, unloaded) = feed.update(scan) else { return ([], []) }
    let removed = unloaded.isEmpty ? [] : withdraw(Set(unloaded))
    var diagnostics: [Diagnostic] = []
    for cataloged in added {
      diagnostics += cataloged.problems
      batch = max(batch, 2 * cataloged.image.batch + 1)
      for record in cataloged.records where record.kind == .route || record.kind == .action {
        do throws(JSONError) {
          let attributes = try RouteAttributes(of: record)
          order += 1
          let provenance = Provenance(
            location: attributes.location, image: record.image,
            rank: .init(batch: 2 * cataloged.image.batch, location: attributes.location, order: order))
          switch UnreadRecord.make(record, attributes, provenance) {
          case .success(let unread): self.unread[order] = unread
          case .failure(let problem): diagnostics.append(problem.diagnostic)
          }
        } catch {
          diagnostics.append(.malformed(record, "\(error)"))
        }
      }
    }
    return (diagnostics, removed)
  }

  private mutating func withdraw(_ serials: Set<UInt64>) -> [Any] {
    unread = unread.filter { !$0.value.provenance.isFrom(serials) }
    let removed = routes.remove(from: serials)
    if !removed.isEmpty { table = nil }
    let removedActions = actions.remove(from: serials)
    if !removedActions.isEmpty { modules = nil }
    return removed + removedActions
  }

  /// Adds the handler of a record, unless another thread has added it or its image was unloaded.
  mutating func complete(_ record: UnreadRecord, _ handlers: __RouteHandlers) -> [Diagnostic] {
    guard unread.removeValue(forKey: record.provenance.rank.order) != nil else { return [] }
    let (routes, actions) = (handlers.routes, handlers.actions)
    guard routes.count == (record.isAction ? 0 : 1), actions.count == (record.isAction ? 1 : 0) else {
      return [record.refusal]
    }
    return routes.compactMap { insert($0, record.provenance) } + actions.compactMap { insert($0, record.provenance) }
  }

  /// Adds the handler of a route.
  ///
  /// - Returns: A diagnostic if the route has several handlers, because only one of them is used.
  mutating func insert(_ handler: any RouteHandling, _ provenance: Provenance) -> Diagnostic? {
    table = nil
    return routes.insert(Entry(handler: handler, provenance: provenance), for: handler.id).map { leftOut, used in
      let fits =
        leftOut.handler.parametersType == used.handler.parametersType
        && leftOut.handler.outcomeType == used.handler.outcomeType
      return duplicate("the route '\(handler.id.escapedForDisplay())'", leftOut.provenance, used.provenance, fits)
    }
  }

  /// Adds the handler of an action.
  ///
  /// - Returns: A diagnostic if the action has several handlers, because only one of them is used.
  mutating func insert(_ handler: any ActionHandling, _ provenance: Provenance) -> Diagnostic? {
    modules = nil
    let name = ActionName(target: handler.target, action: handler.action, module: provenance.module)
    return actions.insert(Entry(handler: handler, provenance: provenance), for: name).map { leftOut, used in
      duplicate(
        "the action '\("\(name.target).\(name.action)".escapedForDisplay())'", leftOut.provenance, used.provenance,
        true)
    }
  }

  private func duplicate(_ what: String, _ leftOut: Provenance, _ used: Provenance, _ fits: Bool) -> Diagnostic {
    leftOut.diagnostic(
      .warning, .duplicate,
      "\(what) already has a handler, \(used.label)\(fits ? "" : ", with other types"); this one is ignored until that one"
        + " is removed")
  }

  /// Discards the tables that are derived from all handlers, after one of them was removed.
  mutating func discardDerivedTables() {
    table = nil
    modules = nil
  }

  /// Returns the modules that contain an action with these names, in alphabetical order.
  mutating func modules(with action: String, of target: String) -> [String] {
    if modules == nil {
      var all: [String: [String: [String]]] = [:]
      for name in actions.keys { all[name.target, default: [:]][name.action, default: []].append(name.module) }
      modules = all
    }
    return modules?[target]?[action]?.ordered(by: <) ?? []
  }

  /// Returns the table of the routes' patterns, and the diagnostics if it was created now.
  mutating func currentTable() -> (RouteTable, [Diagnostic]) {
    if let table { return (table, []) }
    let (table, diagnostics) = RouteTable.make(of: Array(routes.used))
    self.table = table
    return (table, diagnostics)
  }
}
