// A manager stores the contributions to a point in a group, like the implementations of a service.
// Reading a Swift record evaluates the expression for the point, which can be isolated to an actor.
// Asynchronous lookups read each record on its actor. Synchronous lookups report unread records.

extension ServiceCore {
  // MARK: - Records

  private func readContributions() -> [UnreadContribution] {
    refresh()
    let unread = change { state in
      state.problems += state.contributions.readNew()
      return state.contributions.unread
    }
    return unread.filter { record in
      guard let provider = record.provider else { return false }
      guard let contributions = readRecord(provider.list, into: __Contributions()) else { return true }
      complete(record, contributions)
      return false
    }
  }

  private nonisolated(nonsending) func loadContributions() async {
    for record in readContributions() {
      guard let provider = record.provider else { continue }
      complete(record, await readRecordOnActor(provider.list, into: __Contributions()))
    }
  }

  package func scanContributions() {
    for record in readContributions() {
      log.report(
        record.diagnostic(
          .warning, .unreadContribution,
          "the contribution to \(record.attributes.point.quotedForDisplay()) is isolated to an actor and has not been"
            + " read, so synchronous code outside that actor cannot find it; call 'await allContributions(to:)' first,"
            + " or write 'nonisolated' before the declaration of the point"))
    }
  }

  private func complete(_ record: UnreadContribution, _ contributions: __Contributions) {
    let key = change { state -> GroupKey? in
      guard state.contributions.remove(record), let contribution = contributions.added.withLock({ $0 }) else {
        return nil
      }
      add(record, to: contribution.group, contribution.key, contribution.factory, &state)
      return contribution.group
    }
    if let key { notifyListeners(of: [key]) }
  }

  private func addAddresses(_ key: GroupKey) {
    guard let point = key.point else { return }
    // The C compiler has checked the type of the address, and the point declares that its values
    // have that type's representation.
    func factory<Value>(_: Value.Type, _ address: UnsafeRawPointer) -> AnyServiceFactory {
      ServiceFactory<Value> { unsafeBitCast(address, to: Value.self) }
    }
    change { state in
      if state.contributions.unread.isEmpty { return }
      var unread: [UnreadContribution] = []
      swap(&unread, &state.contributions.unread)
      unread.discard { record in
        guard record.attributes.point == point, let address = record.address else { return false }
        let (type, name) = (record.attributes.cType ?? "", record.attributes.key)
        guard type == key.cType, key.isKeyed == (name != nil) else {
          let expected = key.cType.map { "expects the type \($0.quotedForDisplay())" } ?? "states no type in C"
          state.problems.append(
            record.diagnostic(
              .error, .wrongContribution,
              "the contribution has the type \(type.quotedForDisplay()) and \(name == nil ? "no" : "a") key, but the point"
                + " \(key.text.quotedForDisplay()) \(expected) and \(key.isKeyed ? "a" : "no") key; it is ignored"))
          return false
        }
        add(record, to: key, name, factory(serviceType(key.type), address), &state)
        return true
      }
      state.contributions.unread = unread
    }
  }

  /// Adds a record's contribution to its group. The manager must be locked.
  private func add(
    _ record: UnreadContribution, to key: GroupKey, _ name: String?, _ factory: AnyServiceFactory,
    _ state: inout State
  ) {
    let attributes = record.attributes
    let batch = key.isList ? 0 : 2 * record.record.image.batch
    let entry = ServiceEntry(
      service: key.text, name: name, scope: .shared, origin: .record(record.record),
      rank: Rank(batch: batch, priority: attributes.priority, order: record.order),
      options: attributes.condition.map { ExportOptions(condition: $0, build: attributes.build) })
    entry.prepare(factory, type: nil, &state.holders)
    state.problems += group(for: key, isExported: true, &state).add(exported: [entry]) { conditions }
    reportDuplicateNames(&state)
  }

  // MARK: - Lookups

  /// Returns the outcome of each contribution to a point, in order of preference. A contribution
  /// that needs another actor fails.
  func contributed(_ key: GroupKey) throws(ServiceError) -> [Contributed] {
    for core in lineage { core.current.scanContributions() }
    return try applicable(key).compactMap { core, entry in core.create(entry, key) }
  }

  /// Returns the outcome of each contribution to a point, creating each on its own actor.
  nonisolated(nonsending) func allContributed(_ key: GroupKey) async throws(ServiceError) -> [Contributed] {
    for core in lineage { await core.current.loadContributions() }
    var contributed: [Contributed] = []
    for (core, entry) in try applicable(key) {
      var result = core.create(entry, key)
      if case .failure(let error)? = result, let actor = error.actor {
        result = await core.create(entry, key, on: actor)
      }
      if let result { contributed.append(result) }
    }
    return contributed
  }

  /// Returns the entries of a point that apply to this task: all for a list, or the first for each
  /// key of a dictionary.
  private func applicable(_ key: GroupKey) throws(ServiceError) -> [(core: ServiceCore, entry: ServiceEntry)] {
    for core in lineage { core.current.addAddresses(key) }
    var keys: Set<String?> = []
    return try chosen(key).filter { key.isList || keys.add($0.entry.name) }
  }

  private func create(_ entry: ServiceEntry, _ key: GroupKey, on actor: isolated any Actor) -> Contributed? {
    create(entry, key)
  }

  /// Returns a contribution, creating it if necessary, or nil if it was removed.
  private func create(_ entry: ServiceEntry, _ key: GroupKey) -> Contributed? {
    let context = LookupContext(mustBeSendable: true, asked: .passUnretained(self))
    do throws(ServiceError) {
      guard try service(serviceType(key.type), of: entry, context) != nil else { return nil }
      // The manager keeps the value, because contributions have the scope `.shared`.
      return state.withLock { _ in entry.shared }.map { .success((entry, $0)) }
    } catch {
      recordFailure(error.underlying ?? error.code, of: entry)
      return .failure(error)
    }
  }

  // MARK: - Changes

  @usableFromInline
  nonisolated(nonsending) func usable(_ key: GroupKey) async -> [CreatedContribution] {
    func failed(_ error: ServiceError) {
      current.log.report(
        Diagnostic(
          severity: .error, code: error.code, subject: key.text, image: nil,
          message: "a contribution is left out of the changes that code observes: \(error)"))
    }
    do throws(ServiceError) {
      return try await allContributed(key).values(failed)
    } catch {
      failed(error)
      return []
    }
  }

  @usableFromInline
  func changes(of key: GroupKey) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    for core in lineage.map(\.current) {
      let listener = ContributionListener(key: key, continuation: continuation)
      core.state.withLock { $0.contributions.listeners.append(listener) }
      let removeOthers = continuation.onTermination
      continuation.onTermination = { [weak core, weak listener] end in
        removeOthers?(end)
        core?.state.withLock { state in listener.map { _ = state.contributions.listeners.remove($0) } }
      }
    }
    return stream
  }

  /// Notifies the listeners of contribution points. The manager must not be locked.
  func notifyListeners(of keys: [GroupKey]) {
    if keys.isEmpty { return }
    let listeners = state.withLock { $0.contributions.listeners }
    for listener in listeners where keys.contains(listener.key) { listener.continuation.yield() }
  }
}

/// The outcome of creating a contribution.
typealias Contributed = Result<CreatedContribution, ServiceError>

extension [Contributed] {
  /// Returns the contributions, or throws the first error.
  func values() throws(ServiceError) -> [CreatedContribution] {
    try map { contributed throws(ServiceError) in try contributed.get() }
  }

  /// Returns the contributions that were created, and passes the errors to a closure.
  func values(_ failed: (ServiceError) -> Void) -> [CreatedContribution] {
    compactMap { contributed in
      if case .failure(let error) = contributed { failed(error) }
      return try? contributed.get()
    }
  }
}

extension Diagnostic.Code {
  package static var unreadContribution: Self { "unread-contribution" }
  package static var wrongContribution: Self { "wrong-contribution" }
}
