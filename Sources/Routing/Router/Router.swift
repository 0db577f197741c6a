public import Registry
internal import RegistryC

/// A router that opens routes and performs actions.
///
/// ```swift
/// let router = modules.context.services.router
/// let screen = try await router.open(.orderDetail, OrderLink(id: 7))
/// let outcome = try await router.open(url, from: .remote)
/// ```
///
/// A router serves the routes and actions that images export, even images that are loaded later,
/// and the routes and actions that your code registers. Each service manager has a router. You can
/// use a router from any thread. The router doesn't run the code that exports a route before you
/// first use the router.
public final class Router: Sendable {
  /// The router of ``/Registry/ServiceManager/shared``, with the routes and actions that the
  /// process's images export without a group.
  public static let shared = ServiceManager.shared.router

  /// The services that handlers use.
  ///
  /// A manager's router doesn't keep the manager alive. Lookups after the manager is released throw
  /// an error that says so.
  public let services: ServiceManager
  let log: DiagnosticLog
  let now: @Sendable () -> UInt64
  let source: RecordSource
  let state: Locked<RouterState>

  /// Creates a router that shares no registrations with other routers.
  ///
  /// To get a manager's router, use `ServiceManager.router`. This initializer is for tests, and for
  /// a part of an app that needs routes of its own. The handlers use a separate service manager,
  /// which reads the same records.
  ///
  /// - Parameters:
  ///   - records: The source of exported routes and actions. By default, the router reads none.
  ///   - onDiagnostic: A closure that receives diagnostics on any thread. By default, they are
  ///     written to standard error.
  ///   - now: A closure that returns the time in nanoseconds, for observers. By default, it reads
  ///     the system's monotonic clock.
  public convenience init(
    records: RecordSource = .none,
    onDiagnostic: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.toStandardError,
    now: (@Sendable () -> UInt64)? = nil
  ) {
    let services = ServiceManager(records: records, onDiagnostic: onDiagnostic)
    self.init(services: services, records: records, onDiagnostic: { services.core.log.report($0) }, now: now)
  }

  /// Creates a router whose handlers use the given services. The router keeps the services alive.
  ///
  /// ```swift
  /// let cart = RecordSource.records { $0.handlerName?.hasPrefix("Cart/") == true }
  /// let router = Router(services: services, records: cart)
  /// ```
  ///
  /// - Parameters:
  ///   - services: The services that handlers use.
  ///   - records: The source of exported routes and actions.
  ///   - onDiagnostic: A closure that receives diagnostics on any thread. By default, they are
  ///     written to standard error.
  ///   - now: A closure that returns the time in nanoseconds, for observers. By default, it reads
  ///     the system's monotonic clock.
  public init(
    services: ServiceManager, records: RecordSource,
    onDiagnostic: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.toStandardError,
    now: (@Sendable () -> UInt64)? = nil
  ) {
    (self.services, source, log) = (services, records, DiagnosticLog(handler: onDiagnostic))
    self.now = now ?? { registry_now() }
    state = Locked(RouterState(feed: RecordFeed(records)))
  }

  /// A closure that receives new diagnostics. To get earlier diagnostics, use ``report()``.
  public var onDiagnostic: @Sendable (Diagnostic) -> Void {
    get { log.handler }
    set { log.handler = newValue }
  }

  /// Returns a report of the router's records, routes, actions, and diagnostics so far.
  ///
  /// The report also lists interceptors and ``onNotFound(fileID:line:_:)`` closures. The method
  /// scans for new images, and adds diagnostics about patterns that match the same URLs and about
  /// pattern parameters that aren't decoded. Debug builds report these parameters as soon as the
  /// router registers or reads the route.
  public func report() -> RegistryReport {
    let handlers = table().handlers
    let (feed, used) = state.withLock { ($0.feed, $0.used) }
    let routes = routes
    let actions = used.filter { $0.info.action != nil }.ordered { $0.name.text < $1.name.text }
    for handler in handlers + actions { log.report(handler.unusedParameters()) }
    return RegistryReport(
      sections: [
        ("Routes", routes.filter { $0.action == nil }.map(\.description)),
        ("Actions", routes.filter { $0.action != nil }.map(\.description)),
      ] + reportedClosures,
      records: feed.images.flatMap(\.records), diagnostics: log.diagnostics + feed.unreadImages)
  }

  /// The report's sections about interceptors and `onNotFound` closures.
  private var reportedClosures: [RegistryReport.Section] {
    let others = (services.core.lineage.dropFirst().map { $0.unretained.router } + [.shared]).filter { $0 !== self }
    func lines(_ locations: (RouterState) -> [String]) -> [String] {
      var known: Set<String> = []
      let own = state.withLock { locations($0) }.enumerated().map { index, location in
        let isNew = known.insert(location).inserted
        return "\(index + 1). \(location.quotedForDisplay())"
          + (isNew ? "" : ", added again at the same location; cancel the earlier token first")
      }
      return own
        + Set(others.flatMap { $0.state.withLock { locations($0) } }).subtracting(known).sorted().map {
          "\($0.quotedForDisplay()) of another router gets no requests from this router; register it with the router that"
            + " opens the routes"
        }
    }
    return [
      ("Interceptors, in calling order", lines(\.interceptors.locations)),
      ("Closures for requests without a route, the last one first", lines(\.notFound.locations)),
    ].filter { !$0.lines.isEmpty }
  }

  // MARK: - Records

  /// Scans for new images and reads all unread routes and actions, even those of other actors.
  ///
  /// A router does this itself before it opens a route asynchronously or performs an action. Call
  /// this method first if synchronous code uses ``canOpen(_:from:)``, ``routes``, or
  /// ``url(for:_:scheme:)`` outside the actor that the routes belong to. In a module with
  /// main-actor isolation by default, routes belong to the main actor.
  public nonisolated(nonsending) func scanImages() async {
    for record in readOnCurrentActor() {
      complete(record, await readRecordOnActor(record.provider.list, into: __RouteHandlers(record.provenance)))
    }
  }

  /// Scans for new images, reads the records that need no other actor, and can report the others.
  func scan(reportsUnread: Bool = true) {
    for record in readOnCurrentActor() where reportsUnread {
      let name = record.exported.name ?? ""
      log.report(
        record.provenance.diagnostic(
          .warning, .unreadRoute,
          "\(name.quotedForDisplay()) is isolated to an actor and has not been read, so synchronous code outside that"
            + " actor cannot find it; call 'await router.scanImages()' first, or write 'nonisolated' before the declaration"
            + " that exports it"))
    }
  }

  /// Scans for new images, reads the records that the current actor can read, and returns the other
  /// records. If two threads read the same record, the first thread to finish adds the handler.
  @_optimize(speed) private func readOnCurrentActor() -> [UnreadRecord] {
    var isRead = false
    source.follow(log) { generation in
      state.withLock { state in
        isRead = state.unread.isEmpty
        return state.feed.isCurrent(at: generation)
      }
    } update: { scan in
      isRead = false
      // Release removed handlers outside the lock.
      let (diagnostics, removed) = state.withLock { $0.update(scan) }
      log.report(diagnostics)
      withExtendedLifetime(removed) {}
    }
    if isRead { return [] }
    let unread = state.withLock { $0.unread }.values.ordered { $0.provenance.rank < $1.provenance.rank }
    return unread.filter { record in
      guard let handlers = readRecord(record.provider.list, into: __RouteHandlers(record.provenance)) else {
        return true
      }
      complete(record, handlers)
      return false
    }
  }

  private func complete(_ record: UnreadRecord, _ handlers: __RouteHandlers) {
    let handler = handlers.only
    report(handler, state.withLock { $0.complete(record, handler) })
  }

  /// Reports a problem with a record or handler, and pattern parameters that aren't decoded.
  ///
  /// Only debug builds check the parameters. For each new parameters type, the check takes about 35
  /// microseconds, because Swift creates the type's decoding containers.
  private func report(_ handler: RouteHandler?, _ problem: Diagnostic?) {
    if let problem { log.report(problem) }
    #if DEBUG
    log.report(handler?.unusedParameters() ?? [])
    #endif
  }

  func table(scans: Bool = true) -> RouteTable {
    if scans { scan() }
    let (table, diagnostics) = state.withLock { $0.currentTable() }
    log.report(diagnostics)
    return table
  }

  /// The routes that can be opened and the actions that can be performed. They're ordered by
  /// identifier or target, then by action name, and then by module.
  ///
  /// Reading this property scans for new images. The result omits unread routes and actions that
  /// belong to another actor; see ``scanImages()``.
  public var routes: [RouteInfo] {
    _ = table()
    return state.withLock { $0.used }.map(\.info)
      .ordered { ($0.id, $0.action ?? "", $0.module) < ($1.id, $1.action ?? "", $1.module) }
  }

  /// Returns the reason why no route with the given identifier can be opened, and the fix, or nil.
  func problem(of route: String) -> String? {
    scan(reportsUnread: false)
    // An unread route of another actor can have this identifier, so don't report a problem.
    if state.withLock({ $0.route(route) != nil || !$0.unread.isEmpty }) { return nil }
    return Self.group { $0.handler(ofRoute: route) != nil } ?? emptiness
      ?? "no loaded image exports a handler of the route \(route.quotedForDisplay()), and no code registered one; link"
      + " the target that exports it with '#exportRoute' or '@ExportRoute'"
      + route.suggestion(in: state.withLock { $0.names() })
  }

  // MARK: - Tokens

  func add<Closure>(
    _ closure: Closure, priority: Int = 0, at location: String = "",
    to list: any WritableKeyPath<RouterState, Listeners<Closure>> & Sendable
  ) -> RegistrationToken {
    let id = state.withLock { $0[keyPath: list].add(closure, priority: priority, at: location) }
    return RegistrationToken { [weak self] in
      // Release the closure outside the lock, because it can hold the last reference to an object.
      let removed = self?.state.withLock { $0[keyPath: list].remove(id) }
      return removed != nil
    }
  }

  #if DEBUG
  /// Some routers that have registered routes or actions, for errors of the shared router. The
  /// closure returns nil if the router no longer exists.
  static let registering = Locked<[ObjectIdentifier: @Sendable () -> Router?]>([:])
  #endif

  func register(_ location: String, _ add: (__RouteHandlers) -> Void) -> RegistrationToken {
    // Scan first, so that the handlers of loaded images precede the new handler.
    scan(reportsUnread: false)
    let rank = state.withLock { $0.ranks.registered() }
    let handlers = __RouteHandlers(Provenance(location: location, record: nil, rank: rank))
    add(handlers)
    let handler = handlers.only!
    report(handler, state.withLock { $0.insert(handler) })
    #if DEBUG
    Self.registering.withLock { routers in
      if routers.count > 1_000 { routers = [:] }
      routers[ObjectIdentifier(self)] = { [weak self] in self }
    }
    #endif
    return RegistrationToken { [weak self, weak handler] in
      guard let self, let handler else { return false }
      return !state.withLock { $0.remove([handler.name]) { $0 === handler } }.isEmpty
    }
  }
}

extension ServiceManager {
  /// The router of this manager, which reads the manager's records.
  ///
  /// ```swift
  /// try await context.services.router.open(.login)
  /// ```
  ///
  /// The router's handlers use this manager's services. The router's diagnostics go to this
  /// manager's ``/Registry/ServiceManager/onDiagnostic`` until you set ``Router/onDiagnostic``. The
  /// manager creates the router on first use and keeps it.
  public var router: Router {
    let core = core
    return core.attachment {
      Router(
        services: core.unretained, records: core.state.withLock { $0.feed.source },
        // The manager's log has the problems of images that both read, so it passes each on once.
        onDiagnostic: { [weak core] diagnostic in
          if let core { core.log.report(diagnostic) } else { Diagnostic.toStandardError(diagnostic) }
        })
    }
  }
}

extension RouteRequest {
  /// The router that handles the request. To open other routes, interceptors and handlers use this
  /// property instead of capturing a router.
  public var router: Router { unsafeDowncast(opener, to: Router.self) }

  /// The services that the router's handlers use.
  ///
  /// ```swift
  /// #exportRoute(.cart) { _, request in
  ///   CartScreen(try request.services.createService(for: CartService.self))
  /// }
  /// ```
  public var services: ServiceManager { router.services }
}

/// Returns the reason why a manager's router can't open a route, or nil. For macro expansions only.
@MainActor public func __problem<Parameters, Outcome: ~Copyable & ~Escapable>(
  of route: Route<Parameters, Outcome>, in services: ServiceManager
) -> String? {
  guard let problem = services.router.problem(of: route.id) else { return nil }
  // Return nil if a parent's router or the shared router can open the route.
  let others = services.core.lineage.dropFirst().map { $0.unretained.router } + [Router.shared]
  return others.contains { $0.problem(of: route.id) == nil } ? nil : problem
}
