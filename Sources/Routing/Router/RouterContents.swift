package import Registry

/// The routes and actions of a router, for snapshots.
package struct RouterContents {
  /// The handlers, in order of preference for each route. The record is nil for a registration at
  /// run time. An unused handler is ignored until another handler is removed.
  package let handlers: [(info: RouteInfo, record: ExportedRecord?, isUsed: Bool)]
  /// The records that only another actor can read.
  package let unread: [ExportedRecord]
  package let diagnostics: [Diagnostic]
}

extension ServiceManager {
  /// Scans for new images, and returns what the manager's router contains.
  ///
  /// If no code has used the manager's router, a temporary router reads the records. Its
  /// diagnostics are only in the result, because they don't matter if the app uses only other
  /// routers.
  package var routerContents: RouterContents {
    let core = core
    let router =
      core.attached.withLock { $0 }.map { unsafeDowncast($0, to: Router.self) }
      ?? Router(services: self, records: core.state.withLock { $0.feed.source }, onDiagnostic: { _ in })
    router.scan(reportsUnread: false)
    // Creating the table adds diagnostics about patterns that match the same URLs.
    _ = router.table(scans: false)
    let (all, used, unread) = router.state.withLock { ($0.all, $0.used, $0.unread.values) }
    let usedHandlers = Set(used.map(ObjectIdentifier.init))
    return RouterContents(
      handlers: all.map { (RouteInfo($0), $0.provenance.record, usedHandlers.contains(ObjectIdentifier($0))) },
      unread: unread.ordered { $0.provenance.rank < $1.provenance.rank }.map(\.exported),
      diagnostics: router.log.diagnostics)
  }
}
