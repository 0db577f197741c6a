// Contributions are entries of the same table as the implementations of services, under the key of
// their point. Their records state the point as an expression, which can be isolated to an actor.
// So each record is read when contributions are first looked up, on its own actor.

extension ServiceCore {
  // MARK: - Records

  /// Reads the records of contributions that the calling code may read.
  ///
  /// - Returns: The records that another actor must read.
  private func readContributions() -> [UnreadContribution] {
    refresh()
    let unread = change { state -> [UnreadContribution] in
      if state.contributions.isEmpty { return [] }
      state.problems += state.contributions.readNew()
      return state.contributions.unread.values.ordered { $0.order < $1.order }
    }
    return unread.filter { record in
      guard case .function(let provider) = record.source,
        let contributions = readRecord(provider.list, into: __Contributions())
      else { return true }
      complete(record, contributions)
      return false
    }
  }

  /// Reads the records of all contributions, each on its own actor.
  private func loadContributions() async {
    for record in readContributions() {
      guard case .function(let provider) = record.source else { continue }
      complete(record, await readRecordOnActor(provider.list, into: __Contributions()))
    }
  }

  /// Reads the records of contributions, and reports those that another actor must read.
  func scanContributions() {
    for record in readContributions() {
      log.report(
        record.diagnostic(
          .warning, .unreadContribution,
          "the contribution to \(record.attributes.point.quotedForDisplay()) is isolated to an actor and has not been"
            + " read, so synchronous code outside that actor cannot find it; call 'await allContributions(to:)' first,"
            + " or write 'nonisolated' before the declaration of the point"))
    }
  }

  /// Adds the contribution of a record that was read.
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

  /// Adds the contributions of C code to a point.
  private func addAddresses<Value: Sendable>(_ key: GroupKey, _: Value.Type) {
    guard let point = key.point else { return }
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
        // The compiler has checked that the address has the type in C, and the point states that
        // its values have the representation of this type.
        let factory = ServiceFactory<Value> { unsafeBitCast(address, to: Value.self) }
        add(record, to: key, name, factory, &state)
      }
    }
  }

  /// Adds the contribution of a record to its group. The manager must be locked.
  private func add(
    _ record: UnreadContribution, to key: GroupKey, _ name: String?, _ factory: AnyServiceFactory,
    _ state: inout State
  ) {
    let attributes = record.attributes
    let entry = ServiceEntry(
      service: key.text, name: name, scope: .shared, origin: .record(record.record),
      rank: state.ranks.exported(by: record.record.image, to: key, priority: attributes.priority, order: record.order),
      options: attributes.condition.map { ExportOptions(condition: $0, build: attributes.build) })
    entry.prepare(factory, type: nil, &state.holders)
    state.problems += group(for: key, isExported: true, &state).add(exported: [entry]) { conditions }
    reportDuplicateNames(&state)
  }

  // MARK: - Lookups

  /// The outcome of creating a contribution.
  typealias Contributed<Value> = (entry: ServiceEntry, result: Result<Value, ServiceError>)

  /// Returns the contributions to a point in order, as far as the calling code may create them.
  func contributed<Value: Sendable>(_ key: GroupKey, _: Value.Type) throws(ServiceError) -> [Contributed<Value>] {
    for core in lineage { core.current.scanContributions() }
    return try attemptContributions(key).map { ($0.entry, $0.result) }
  }

  /// Returns all contributions to a point in order, each created on its own actor.
  func allContributed<Value: Sendable>(
    _ key: GroupKey, _: Value.Type
  ) async throws(ServiceError) -> [Contributed<Value>] {
    for core in lineage { await core.current.loadContributions() }
    var contributed: [Contributed<Value>] = []
    for attempt: Attempt<Value> in try attemptContributions(key) {
      var result: Result<Value, ServiceError>? = attempt.result
      if let actor = attempt.actor { result = await attempt.core.create(attempt.entry, on: actor) }
      if let result { contributed.append((attempt.entry, result)) }
    }
    return contributed
  }

  /// The outcome of creating a contribution, and the actor to create it on if that was the reason
  /// why it failed.
  private typealias Attempt<Value> = (
    core: ServiceCore, entry: ServiceEntry, result: Result<Value, ServiceError>, actor: (any Actor)?
  )

  /// Creates the contributions to a point that the calling code may create.
  private func attemptContributions<Value: Sendable>(_ key: GroupKey) throws(ServiceError) -> [Attempt<Value>] {
    for core in lineage { core.current.addAddresses(key, Value.self) }
    return try chosenContributions(key).compactMap { core, entry in
      var actor: (any Actor)?
      let result: Result<Value, ServiceError>? = core.create(entry, &actor)
      return result.map { (core, entry, $0, actor) }
    }
  }

  private func create<Value: Sendable>(
    _ entry: ServiceEntry, on actor: isolated any Actor
  ) -> Result<Value, ServiceError>? {
    var other: (any Actor)?
    return create(entry, &other)
  }

  /// Creates a contribution; returns nil if it was removed or cannot be used.
  private func create<Value: Sendable>(
    _ entry: ServiceEntry, _ actor: inout (any Actor)?
  ) -> Result<Value, ServiceError>? {
    var context = LookupContext(mustBeSendable: true)
    defer { actor = context.actor }
    do throws(ServiceError) {
      return try service(Value.self, of: entry, &context).map { .success($0) }
    } catch {
      return .failure(error)
    }
  }

  /// Returns the entries of a point that apply to this task: all of a list, and the first one of
  /// each key of a dictionary.
  private func chosenContributions(
    _ key: GroupKey
  ) throws(ServiceError) -> [(core: ServiceCore, entry: ServiceEntry)] {
    let chosen = try chosen(key)
    if key.isList { return chosen }
    var keys: Set<String?> = []
    return chosen.filter { keys.add($0.entry.name) }
  }

  // MARK: - Changes

  /// Returns the contributions to a point that can be created, and reports the others.
  func usable<Value: Sendable>(_ key: GroupKey, _: Value.Type) async -> [(entry: ServiceEntry, value: Value)] {
    var outcome: Result<[Contributed<Value>], ServiceError>
    do throws(ServiceError) {
      outcome = .success(try await allContributed(key, Value.self))
    } catch {
      outcome = .failure(error)
    }
    return Self.successes(outcome) { error in
      log.report(
        Diagnostic(
          severity: .error, code: error.code, subject: key.text, image: nil,
          message: "a contribution is left out of the changes that code observes: \(error)"))
    }
  }

  /// Returns the contributions that were created, and passes the errors of the others to a closure.
  static func successes<Value>(
    _ outcome: Result<[Contributed<Value>], ServiceError>, _ report: (ServiceError) -> Void
  ) -> [(entry: ServiceEntry, value: Value)] {
    var values: [(entry: ServiceEntry, value: Value)] = []
    do throws(ServiceError) {
      for (entry, result) in try outcome.get() {
        do throws(ServiceError) { values.append((entry, try result.get())) } catch { report(error) }
      }
    } catch {
      report(error)
    }
    return values
  }

  /// Returns the values of a keyed point by their keys.
  static func byKey<Value>(_ values: [(entry: ServiceEntry, value: Value)]) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: values.map { ($0.entry.name ?? "", $0.value) })
  }

  /// Returns a stream with an element after each change of a point's contributions.
  func changes(of key: GroupKey) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    for core in lineage.map(\.current) {
      let number = core.state.withLock { state in
        state.observations += 1
        state.contributions.listeners[state.observations] = ContributionListener(key: key, continuation: continuation)
        return state.observations
      }
      continuation.onTermination = { [weak core] _ in core?.state.withLock { $0.contributions.listeners[number] = nil }
      }
    }
    return stream
  }

  /// Tells the listeners of contribution points about a change. The manager must not be locked.
  func notifyListeners(of keys: [GroupKey]) {
    if keys.isEmpty { return }
    let listeners = state.withLock { state in
      state.contributions.listeners.isEmpty ? [] : state.contributions.listeners.values.filter { keys.contains($0.key) }
    }
    for listener in listeners { listener.continuation.yield() }
  }
}

extension Diagnostic.Code {
  /// A contribution that synchronous code outside its actor cannot find.
  package static let unreadContribution: Self = "unread-contribution"
  /// A contribution of C code whose type is not that of its point.
  package static let wrongContribution: Self = "wrong-contribution"
  /// A contribution of C code to a point that no code has used.
  package static let unknownPoint: Self = "unknown-point"
}
