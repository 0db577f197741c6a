extension ServiceManager {
  /// Returns the contributions to a point.
  ///
  /// ```swift
  /// let dishes = try services.contributions(to: .menu)
  /// ```
  ///
  /// The method scans for new images. It creates values that no earlier lookup created, if they
  /// need no actor or the calling code's actor. If the point's declaration is isolated to another
  /// actor, contributions that no code has read on that actor are reported and left out. The
  /// manager's own contributions precede those of its parents.
  ///
  /// - Parameter point: The point.
  /// - Returns: An array of the values, ordered by manager and priority, or a dictionary of the
  ///   values by key; empty if nothing contributes to the point.
  /// - Throws: ``ServiceError`` as in ``contributionResults(to:)``, which returns every outcome.
  ///   Otherwise, after attempting all values, the first error from a closure or about a
  ///   contribution that needs another actor.
  public func contributions<Values>(to point: ContributionPoint<Values>) throws(ServiceError) -> Values {
    try point.values(core.contributed(point.key).values())
  }

  /// Returns the outcome of each contribution to a point, so that a failure hides no other outcome.
  ///
  /// - Parameter point: The point.
  /// - Returns: The outcomes, ordered as in ``contributions(to:)``.
  /// - Throws: ``ServiceError`` if the manager was released, or if a strict test scope neither
  ///   provides nor allows contributions.
  public func contributionResults<Value>(
    to point: ContributionPoint<[Value]>
  ) throws(ServiceError) -> [Result<Value, ServiceError>] {
    try core.contributed(point.key).map { $0.map { $0.value.load(as: Value.self) } }
  }

  /// Returns all contributions to a point, each created on its own actor.
  ///
  /// - Parameter point: The point.
  /// - Returns: The values, ordered as in ``contributions(to:)``; empty if there are none.
  /// - Throws: ``ServiceError`` as in ``contributions(to:)``, but not because of another actor.
  public nonisolated(nonsending) func allContributions<Values>(
    to point: ContributionPoint<Values>
  ) async throws(ServiceError) -> Values {
    try point.values(await core.allContributed(point.key).values())
  }

  /// Returns a sequence of the contributions to a point, which begins with the current ones.
  ///
  /// ```swift
  /// for await dishes in services.contributionChanges(to: .menu) { show(dishes) }
  /// ```
  ///
  /// The contributions change when code registers or removes a contribution, and when the manager
  /// scans and finds an opened or closed image, as in ``ServiceManager/openImage(at:)``. A slow
  /// consumer receives only the latest values. Each value is created on its own actor; if the
  /// creation fails, the error is reported, and the value is left out. The sequence ends when the
  /// task that iterates over it is canceled, or when the manager is released.
  ///
  /// - Parameter point: The point.
  @_alwaysEmitIntoClient
  public func contributionChanges<Values>(to point: ContributionPoint<Values>) -> AsyncStream<Values> {
    let changes = core.changes(of: point.key)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task { [weak core] in
        var changes = changes.makeAsyncIterator()
        var entries: [ServiceEntry]?
        repeat {
          guard let values = await core?.usable(point.key) else { break }
          // A scan can find an image that contributes only to other points.
          if let entries, entries.elementsEqual(values, by: { $0 === $1.entry }) { continue }
          entries = values.map(\.entry)
          continuation.yield(point.values(values))
        } while await changes.next() != nil
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Registers a contribution to a point.
  ///
  /// ```swift
  /// services.contribute(to: .menu, priority: 5) { Dish("soup") }
  /// ```
  ///
  /// The rules of ``contribute(_:priority:when:group:make:)`` apply. In a test scope, the
  /// contribution belongs to the scope. You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - priority: The priority; the highest comes first.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - make: A closure that creates the value at first use, on the closure's actor if it has one.
  /// - Returns: A token that removes the contribution when you cancel it.
  @discardableResult
  public func contribute<Value>(
    to point: ContributionPoint<[Value]>, priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    make: @escaping @Sendable @isolated(any) () throws -> Value
  ) -> RegistrationToken {
    add(point.key, .shared, nil, priority, false, fileID, line, ServiceFactory(make))
  }

  /// Registers a contribution with a key to a point.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - key: The key of the value.
  ///   - priority: The priority among registrations with no image loaded in between. The highest
  ///     comes first.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - make: A closure that creates the value at first use, on the closure's actor if it has one.
  /// - Returns: A token that removes the contribution when you cancel it.
  @discardableResult
  public func contribute<Value>(
    to point: ContributionPoint<[String: Value]>, key: String, priority: Int = 0, fileID: StaticString = #fileID,
    line: UInt = #line, make: @escaping @Sendable @isolated(any) () throws -> Value
  ) -> RegistrationToken {
    add(point.key, .shared, key, priority, false, fileID, line, ServiceFactory(make))
  }

  /// Selected for a key if the point has no keys.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the point is an array, whose values have no keys; remove 'key:'")
  public func contribute<Value>(
    to point: ContributionPoint<[Value]>, key: String, priority: Int = 0, make: () throws -> Value
  ) {}

  // The parameter `make` keeps the type checker from treating a trailing closure as the value.

  /// Selected for a value instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a closure that creates the value: 'contribute(to: .point) { value }'")
  public func contribute<Value>(
    to point: ContributionPoint<[Value]>, priority: Int = 0, _ value: Value, make: (() -> Never)? = nil
  ) {}

  /// Selected for a value with a key instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "pass a closure that creates the value: 'contribute(to: .point, key: \"k\") { value }'"
  )
  public func contribute<Value>(
    to point: ContributionPoint<[String: Value]>, key: String, priority: Int = 0, _ value: Value,
    make: (() -> Never)? = nil
  ) {}

  /// Selected for a keyed point if the call passes no key.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the point is a dictionary, whose values have keys; pass 'key:'")
  public func contribute<Value>(
    to point: ContributionPoint<[String: Value]>, priority: Int = 0, make: () throws -> Value
  ) {}
}
