internal import Registry

/// What a router knows. Behind its lock; nothing here runs the user's code.
struct RouterState {
  var feed: RecordFeed
  /// Records whose route was not read yet: to name it is the user's code, and may want an actor.
  /// By the order of their ranks.
  var unread: [Int: UnreadRecord] = [:]
  /// By id.
  var routes = Entries<String, any RouteHandling>()
  var actions = Entries<ActionName, any ActionHandling>()
  /// What URLs are compared with, made at the first of them after routes came or went.
  var table: RouteTable?
  /// The modules of actions, by target and name, made like the table.
  private var modules: [String: [String: [String]]]?
  var interceptors = Listeners<Interceptor>()
  var notFound = Listeners<@Sendable (RouteRequest) async throws -> (any Sendable)?>()
  var observers = Listeners<@Sendable (RouteObservation) -> Void>()
  /// How many openings observers were told of.
  var openings = 0
  /// Ascending with the batches of images seen; what is registered comes between them.
  private var batch = 1
  /// Ascending in load order and in order of registration.
  private var order = 0

  init(feed: RecordFeed) {
    self.feed = feed
  }

  /// The rank of what is registered now.
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
          diagnostics.append(UnreadRecord.malformed(record, "\(error)"))
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

  /// Adds what opens a route; of one that is handled already one is left out, which is reported.
  mutating func insert(_ handler: any RouteHandling, _ provenance: Provenance) -> Diagnostic? {
    table = nil
    return routes.insert(Entry(handler: handler, provenance: provenance), for: handler.id).map { leftOut, used in
      let fits =
        leftOut.handler.parametersType == used.handler.parametersType
        && leftOut.handler.outcomeType == used.handler.outcomeType
      return duplicate("the route \(handler.id.escapedForDisplay())", leftOut.provenance, used.provenance, fits)
    }
  }

  /// Adds an action.
  mutating func insert(_ handler: any ActionHandling, _ provenance: Provenance) -> Diagnostic? {
    modules = nil
    let name = ActionName(target: handler.target, action: handler.action, module: provenance.module)
    return actions.insert(Entry(handler: handler, provenance: provenance), for: name).map { leftOut, used in
      duplicate(
        "the action \("\(name.target).\(name.action)".escapedForDisplay())", leftOut.provenance, used.provenance, true)
    }
  }

  private func duplicate(_ what: String, _ leftOut: Provenance, _ used: Provenance, _ fits: Bool) -> Diagnostic {
    leftOut.diagnostic(
      .warning, .duplicate,
      "\(what) is handled already, by \(used.label)\(fits ? "" : ", with other types"); this one is left out as long as that"
        + " one is there")
  }

  /// Discards the tables that are derived from all handlers, after one of them was removed.
  mutating func discardDerivedTables() {
    table = nil
    modules = nil
  }

  /// The modules that have an action of these names, in order.
  mutating func modules(with action: String, of target: String) -> [String] {
    if modules == nil {
      var all: [String: [String: [String]]] = [:]
      for name in actions.keys { all[name.target, default: [:]][name.action, default: []].append(name.module) }
      modules = all
    }
    return modules?[target]?[action]?.sorted() ?? []
  }

  /// What URLs are compared with, and what was found wrong when it was made.
  mutating func currentTable() -> (RouteTable, [Diagnostic]) {
    if let table { return (table, []) }
    let (table, diagnostics) = RouteTable.make(of: Array(routes.used))
    self.table = table
    return (table, diagnostics)
  }
}
