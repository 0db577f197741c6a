// A manager stores contributions like implementations of services, in the group of their point.
// A record evaluates the expression for its point, which can be isolated to an actor. Asynchronous
// lookups read each record on its own actor. Synchronous lookups report what they can't read.

extension ServiceCore {
  // MARK: - Records

  private func readContributions() -> [UnreadContribution] {
    refresh()
    let unread = change { state -> [UnreadContribution] in
      if state.contributions.isEmpty { return [] }
      state.problems += state.contributions.readNew()
      return state.contributions.unread
    }
    return unread.filter { record in
      guard case .function(let provider) = record.source,
        let contributions = readRecord(provider.list, into: __Contributions())
      else { return true }
      complete(record, contributions)
      return false
    }
  }

  private func loadContributions() async {
    for record in readContributions() {
      guard case .function(let provider) = record.source else { continue }
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
      guard state.contributions.remove(record) else { return nil }
      guard let contribution = contributions.only else {
        state.problems.append(
          record.diagnostic(.error, .accessorRefused, "the record does not contribute exactly one value"))
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
      for record in state.contributions.takeAddresses(of: point) {
        guard case .address(let address) = record.source else { continue }
        let (type, name) = (record.attributes.cType ?? "", record.attributes.key)
        guard type == key.cType, key.isKeyed == (name != nil) else {
          let expected = key.cType.map { "expects the type \($0.quotedForDisplay())" } ?? "states no type in C"
          state.problems.append(
            record.diagnostic(
              .error, .wrongContribution,
              "the contribution has the type \(type.quotedForDisplay()) and \(name == nil ? "no" : "a") key, but the point"
                + " \(key.text.quotedForDisplay()) \(expected) and \(key.isKeyed ? "a" : "no") key; it is ignored"))
          continue
        }
        add(record, to: key, name, factory(serviceType(key.type), address), &state)
      }
    }
  }

  /// Adds a record's contribution to its group. The manager must be locked.
  private func add(
    _ record: UnreadContribution, to key: GroupKey, _ name: String?, _ factory: AnyServiceFactory,
    _ state: inout State
  ) {
    let attributes = record.attributes
    state.contributions.points.add(key)
    let entry = ServiceEntry(
      service: key.text, name: name, scope: .shared, origin: .record(record.record),
      rank: state.ranks.exported(by: record.record.image, to: key, priority: attributes.priority, order: record.order),
      options: attributes.condition.map { ExportOptions(condition: $0, build: attributes.build) })
    entry.prepare(factory, type: nil, &state.holders)
    state.problems += group(for: key, isExported: true, &state).add(exported: [entry]) { conditions }
    reportDuplicateNames(&state)
  }

  // MARK: - Lookups

  /// The outcome of creating a contribution, and another actor if the creation needs one.
  final class Contributed {
    let core: ServiceCore
    let entry: ServiceEntry
    var result: Result<SharedInstance, ServiceError>
    let actor: (any Actor)?

    init(
      _ core: ServiceCore, _ entry: ServiceEntry, _ result: Result<SharedInstance, ServiceError>, _ actor: (any Actor)?
    ) {
      (self.core, self.entry, self.result, self.actor) = (core, entry, result, actor)
    }
  }

  /// Returns the contributions to a point in order. Those that need another actor have errors.
  func contributed(_ key: GroupKey) throws(ServiceError) -> [Contributed] {
    for core in lineage { core.current.scanContributions() }
    return try createContributions(key)
  }

  /// Returns all contributions to a point in order, each created on its own actor.
  func allContributed(_ key: GroupKey) async throws(ServiceError) -> [Contributed] {
    for core in lineage { await core.current.loadContributions() }
    var contributed: [Contributed] = []
    for contribution in try createContributions(key) {
      if let actor = contribution.actor {
        guard let result = await contribution.core.create(contribution.entry, key, on: actor) else { continue }
        contribution.result = result
      }
      contributed.append(contribution)
    }
    return contributed
  }

  /// Creates the contributions to a point that apply to this task: all for a list, or the first for
  /// each key of a dictionary. For a contribution that needs another actor, the result is an error.
  private func createContributions(_ key: GroupKey) throws(ServiceError) -> [Contributed] {
    for core in lineage { core.current.addAddresses(key) }
    var keys: Set<String?> = []
    var contributed: [Contributed] = []
    for (core, entry) in try chosen(key) where key.isList || keys.add(entry.name) {
      var actor: (any Actor)?
      if let result = core.create(entry, key, &actor) { contributed.append(Contributed(core, entry, result, actor)) }
    }
    return contributed
  }

  private func create(
    _ entry: ServiceEntry, _ key: GroupKey, on actor: isolated any Actor
  ) -> Result<SharedInstance, ServiceError>? {
    var other: (any Actor)?
    return create(entry, key, &other)
  }

  private func create(
    _ entry: ServiceEntry, _ key: GroupKey, _ actor: inout (any Actor)?
  ) -> Result<SharedInstance, ServiceError>? {
    var context = LookupContext(mustBeSendable: true, asked: self)
    defer { actor = context.actor }
    func instance<Value>(_ type: Value.Type) throws(ServiceError) -> SharedInstance? {
      // The manager keeps the value, because contributions have the scope `.shared`.
      try service(type, of: entry, &context) == nil ? nil : state.withLock { _ in entry.shared }
    }
    do throws(ServiceError) {
      return try instance(serviceType(key.type)).map { .success($0) }
    } catch {
      return .failure(error)
    }
  }

  // MARK: - Changes

  @usableFromInline
  func usable(_ key: GroupKey) async -> [CreatedContribution] {
    var created: Created
    do throws(ServiceError) {
      created = Self.created(try await allContributed(key))
    } catch {
      created = ([], [error])
    }
    for error in created.errors {
      log.report(
        Diagnostic(
          severity: .error, code: error.code, subject: key.text, image: nil,
          message: "a contribution is left out of the changes that code observes: \(error)"))
    }
    return created.values
  }

  typealias Created = (values: [CreatedContribution], errors: [ServiceError])

  static func created(_ contributed: [Contributed]) -> Created {
    var created: Created = ([], [])
    for contribution in contributed {
      switch contribution.result {
      case .success(let value): created.values.append((contribution.entry, value))
      case .failure(let error): created.errors.append(error)
      }
    }
    return created
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
        core?.state.withLock { $0.contributions.listeners.discard { $0 === listener } }
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

extension Diagnostic.Code {
  package static var unreadContribution: Self { "unread-contribution" }
  package static var wrongContribution: Self { "wrong-contribution" }
}
