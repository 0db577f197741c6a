package import Registry

/// The routes and actions of a router, for snapshots.
package struct RouterContents {
  /// The handlers, in order of preference for each route or action. The record is nil for a
  /// registration at run time. Unused handlers are ignored until the preferred handler is removed.
  package let handlers: [(info: RouteInfo, record: ExportedRecord?, isUsed: Bool)]
  /// The unread records, which only other actors can read.
  package let unread: [ExportedRecord]
  package let diagnostics: [Diagnostic]
}

extension ServiceManager {
  /// Scans for new images, and returns the contents of the manager's router.
  ///
  /// If no code has used the manager's router, a temporary router reads the records. Its
  /// diagnostics appear only in the result, because they don't matter to an app that uses other
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
      handlers: all.map { ($0.info, $0.provenance.record, usedHandlers.contains(ObjectIdentifier($0))) },
      unread: unread.ordered { $0.provenance.rank < $1.provenance.rank }.map(\.exported),
      diagnostics: router.log.diagnostics)
  }
}
