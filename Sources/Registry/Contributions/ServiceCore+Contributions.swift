// Contributions are entries of the same table as the implementations of services, under the key of
// their point. Their records state the point as an expression, which can be isolated to an actor. So
// each record is read when contributions are first looked up, on its own actor.

/// A record of a contribution that was not read yet.
struct UnreadContribution: Sendable {
  let record: ExportedRecord
  let attributes: ContributionAttributes
  let provider: __ContributionProvider
  let order: Int

  fileprivate func diagnostic(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String
  ) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: attributes.location, image: record.image, message: message)
  }
}

/// The records of contributions that a manager has not read.
struct ContributionRecords {
  /// The records whose JSON was not read, with the orders of their entries.
  private var new: [(record: ExportedRecord, order: Int)] = []
  /// The other records by the order of their entries.
  private(set) var unread: [Int: UnreadContribution] = [:]

  var isEmpty: Bool { new.isEmpty && unread.isEmpty }

  mutating func add(_ record: ExportedRecord, order: Int) { new.append((record, order)) }

  mutating func remove(ofImages serials: Set<UInt64>) {
    if isEmpty { return }
    new.removeAll { serials.contains($0.record.image.serial) }
    unread = unread.filter { !serials.contains($0.value.record.image.serial) }
  }

  /// Removes a record that was read.
  ///
  /// - Returns: `false` if another thread has read it, or if its image was closed.
  mutating func remove(_ record: UnreadContribution) -> Bool { unread.removeValue(forKey: record.order) != nil }

  /// Reads the JSON of new records.
  ///
  /// The linker determines the order of the records in an image. So those of images that were loaded
  /// together are sorted by their source locations.
  ///
  /// - Returns: The diagnostics of records that cannot be used.
  mutating func readNew() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    var sorted: [(place: String, batch: Int, unread: (Int) -> UnreadContribution)] = []
    let orders = new.map(\.order)
    for (record, order) in new {
      do throws(JSONError) {
        let attributes = try record.withJSON { bytes throws(JSONError) in try ContributionAttributes(bytes) }
        guard let accessor = record.accessor, let provider: __ContributionProvider = provided(by: accessor) else {
          diagnostics.append(
            Diagnostic(
              severity: .error, code: .accessorRefused, subject: attributes.location, image: record.image,
              message: "the accessor of the record does not provide a contribution; rebuild the image with the version"
                + " of the library that it is loaded with"))
          continue
        }
        sorted.append(
          (
            attributes.location.naturalOrderKey, record.image.batch,
            { UnreadContribution(record: record, attributes: attributes, provider: provider, order: $0) }
          ))
        _ = order
      } catch {
        diagnostics.append(.malformed(record, "\(error)"))
      }
    }
    new = []
    sorted.sort { ($0.batch, $0.place) < ($1.batch, $1.place) }
    for (order, item) in zip(orders, sorted) { unread[order] = item.unread(order) }
    return diagnostics
  }
}

/// A stream that is told about changes of a contribution point.
struct ContributionListener: Sendable {
  let key: GroupKey
  let continuation: AsyncStream<Void>.Continuation
}

extension ServiceCore {
  // MARK: - Records

  /// Reads the records of contributions that the calling code may read.
  ///
  /// - Returns: The records that another actor must read.
  private func readContributions() -> [UnreadContribution] {
    refresh()
    let (unread, diagnostics) = state.withLock { state -> ([UnreadContribution], [Diagnostic]) in
      if state.contributions.isEmpty { return ([], []) }
      let diagnostics = state.contributions.readNew()
      return (state.contributions.unread.values.sorted { $0.order < $1.order }, diagnostics)
    }
    log.report(diagnostics)
    return unread.filter { record in
      guard let contributions = record.provider.read() else { return true }
      complete(record, contributions)
      return false
    }
  }

  /// Reads the records of all contributions, each on its own actor.
  private func loadContributions() async {
    for record in readContributions() { complete(record, await record.provider.readOnActor()) }
  }

  /// Reads the records of contributions, and reports those that another actor must read.
  private func scanContributions() {
    for record in readContributions() {
      log.report(
        record.diagnostic(
          .warning, .unreadContribution,
          "the contribution to \(record.attributes.point.quotedForDisplay()) is isolated to an actor and has not been"
            + " read, so synchronous code outside that actor cannot find it; call 'await allContributions(to:)' first,"
            + " or write 'nonisolated' before the declaration of the point"))
    }
  }

  /// Adds the contribution of a record.
  private func complete(_ record: UnreadContribution, _ contributions: __Contributions) {
    let (diagnostics, key) = state.withLock { state -> ([Diagnostic], GroupKey?) in
      guard state.contributions.remove(record) else { return ([], nil) }
      guard let contribution = contributions.only else {
        return ([record.diagnostic(.error, .accessorRefused, "the record does not contribute exactly one value")], nil)
      }
      let (attributes, key) = (record.attributes, contribution.group)
      let entry = ServiceEntry(
        contribution: record.record, to: key.text, key: contribution.key,
        rank: .init(
          in: key, batch: 2 * record.record.image.batch, priority: attributes.priority, order: record.order),
        options: attributes.condition.map { ExportOptions(condition: $0, build: attributes.build) })
      entry.prepare(contribution.factory, type: nil, &state.holders)
      let index = state.exports.lastIndex { $0.serial == record.record.image.serial }
      if let index { state.exports[index].groups.append(key) }
      return (group(for: key, &state).add(exported: [entry]) { conditions }, key)
    }
    log.report(diagnostics)
    if let key { notifyListeners(of: [key]) }
  }

  // MARK: - Lookups

  /// The outcome of creating a contribution.
  typealias Contributed<Value> = (key: String?, result: Result<Value, ServiceError>)

  /// Returns the contributions to a point in order, as far as the calling code may create them.
  func contributed<Value: Sendable>(_ key: GroupKey, _: Value.Type) throws(ServiceError) -> [Contributed<Value>] {
    for core in lineage { core.current.scanContributions() }
    var contributed: [Contributed<Value>] = []
    for (core, entry) in try chosenContributions(key) {
      var context = LookupContext(mustBeSendable: true)
      do throws(ServiceError) {
        if let value = try core.service(Value.self, of: entry, &context) {
          contributed.append((entry.name, .success(value)))
        }
      } catch {
        contributed.append((entry.name, .failure(error)))
      }
    }
    return contributed
  }

  /// Returns all contributions to a point in order, each created on its own actor.
  func allContributed<Value: Sendable>(
    _ key: GroupKey, _: Value.Type
  ) async throws(ServiceError) -> [Contributed<Value>] {
    for core in lineage { await core.current.loadContributions() }
    var contributed: [Contributed<Value>] = []
    for (core, entry) in try chosenContributions(key) {
      var context = LookupContext(mustBeSendable: true)
      do throws(ServiceError) {
        if let value = try core.service(Value.self, of: entry, &context) {
          contributed.append((entry.name, .success(value)))
        }
      } catch {
        guard let actor = context.actor else {
          contributed.append((entry.name, .failure(error)))
          continue
        }
        if let result: Result<Value, ServiceError> = await core.create(entry, on: actor) {
          contributed.append((entry.name, result))
        }
      }
    }
    return contributed
  }

  private func create<Value: Sendable>(
    _ entry: ServiceEntry, on actor: isolated any Actor
  ) -> Result<Value, ServiceError>? {
    var context = LookupContext(mustBeSendable: true)
    do throws(ServiceError) {
      return try service(Value.self, of: entry, &context).map { .success($0) }
    } catch {
      return .failure(error)
    }
  }

  /// Returns the entries of a point that apply to this task: all of a list, and the first one of each
  /// key of a dictionary.
  private func chosenContributions(
    _ key: GroupKey
  ) throws(ServiceError) -> [(core: ServiceCore, entry: ServiceEntry)] {
    let chosen = try chosen(key)
    if key.isList { return chosen }
    var keys: Set<String?> = []
    return chosen.filter { keys.insert($0.entry.name).inserted }
  }

  // MARK: - Changes

  /// Returns the contributions to a point that can be created, and reports the others.
  func usable<Value: Sendable>(_ point: GroupKey, _: Value.Type) async -> [(key: String?, value: Value)] {
    var values: [(key: String?, value: Value)] = []
    func report(_ error: ServiceError) {
      log.report(
        Diagnostic(
          severity: .error, code: error.code, subject: point.text, image: nil,
          message: "a contribution is left out of the changes that code observes: \(error)"))
    }
    do throws(ServiceError) {
      for (key, result) in try await allContributed(point, Value.self) {
        switch result {
        case .success(let value): values.append((key, value))
        case .failure(let error): report(error)
        }
      }
    } catch {
      report(error)
    }
    return values
  }

  /// Returns a stream with an element after each change of a point's contributions.
  func changes(of key: GroupKey) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    for core in lineage.map(\.current) {
      let number = core.state.withLock { state in
        state.observations += 1
        state.listeners[state.observations] = ContributionListener(key: key, continuation: continuation)
        return state.observations
      }
      continuation.onTermination = { [weak core] _ in core?.state.withLock { $0.listeners[number] = nil } }
    }
    return stream
  }

  /// Tells the listeners of contribution points about a change. The manager must not be locked.
  func notifyListeners(of keys: [GroupKey]) {
    if keys.isEmpty { return }
    let listeners = state.withLock { state in
      state.listeners.isEmpty ? [] : state.listeners.values.filter { keys.contains($0.key) }
    }
    for listener in listeners { listener.continuation.yield() }
  }
}

extension Diagnostic.Code {
  /// A contribution that synchronous code outside its actor cannot find.
  public static let unreadContribution = Self(rawValue: "unread-contribution")
}
