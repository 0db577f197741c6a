import Registry

extension LaunchSequence {
  /// Reads the records of images that have been loaded, and removes the modules of images that have
  /// been unloaded.
  ///
  /// The cost is tens of nanoseconds if no image was loaded or unloaded.
  func scan() { feed.source.follow(log, isCurrent: feed.isCurrent(at:)) { take($0) } }

  private func take(_ scan: RecordScan) {
    let changes = feed.update(scan)
    dispatcher.setGeneration(feed.currentGeneration)
    guard let (added, removed) = changes else { return }
    // The service manager reports malformed sections if it reads images as well.
    let reportsProblems = !context.permanentServices.readsImages
    context.permanentServices.refresh()
    // A property with `@Service` uses the shared manager, whose services can determine the order.
    if added.contains(where: { $0.records.contains { $0.kind == .need } }) { ServiceManager.shared.refresh() }
    if !removed.isEmpty { removeModules(ofImages: removed) }
    log.report(needs.add(added))
    registry.retryLeftOut()
    registry.add(added, reportsProblems: reportsProblems)
  }

  /// Removes the modules of images, the last in order first.
  private func removeModules(ofImages serials: [UInt64]) {
    let serials = Set(of: serials)
    needs.remove(ofImages: serials)
    let isUnloaded = { (entry: ModuleEntry) in entry.image.map { serials.contains($0.serial) } ?? false }
    registry.leftOut.removeAll(where: isUnloaded)
    let unloaded = registry.entries.all.filter(isUnloaded)
    // Most plug-ins contain one module, which needs no order.
    if unloaded.count > 1 { for entry in order().reversed() where isUnloaded(entry) { remove(entry) } }
    // The modules of a cycle have no order, and none of them is set up.
    for entry in unloaded where registry.entries.contains(entry) { remove(entry) }
    announceRemovals()
  }

  /// Scans images, and sets up the modules that they contain if the manager runs.
  ///
  /// - Returns: The names of the modules that were set up, in order.
  @discardableResult
  func scanAndSetUp() -> [String] {
    guard isRunning else { return [] }
    scan()
    return setUpPending()
  }
}

extension LaunchSequence: EventPreparation {
  var deliversEvents: Bool { !isIdle }

  func prepareForEvent() {
    if isRunning { scanAndSetUp() }
  }

  func subscribersInOrder() -> [Subscriber] { order() }

  var isOrdered: Bool { registry.isOrdered }

  func activateModules(for handlers: EventHandlers) {
    // The handlers may be collected again while a module is set up, so keep the current ones.
    let subscribers = (handlers.list?.handlers ?? []).map(\.subscriber).filter(\.isInactive)
    // Every subscriber of this manager is an entry of its registry.
    activate(subscribers.compactMap { $0 as? ModuleEntry })
  }
}
