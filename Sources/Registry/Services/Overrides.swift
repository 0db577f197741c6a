/// Implementations that hold for a task and the tasks it makes, before all others.
///
/// A scope is immutable and reached through a task-local value, so tests that run side by side do not see
/// each other's.
final class OverrideScope: Sendable {
  @TaskLocal static var current: OverrideScope?

  private let outer: OverrideScope?
  private let manager: ObjectIdentifier
  private let key: ObjectIdentifier
  /// Known to this scope alone, so it has no rivals.
  private let entry: ServiceEntry
  private let end: @Sendable () -> Void

  init<Service>(
    _ type: Service.Type, named name: String?, in core: ServiceCore, place: String,
    factory: ServiceFactory<Service>
  ) {
    outer = Self.current
    manager = ObjectIdentifier(core)
    key = ObjectIdentifier(type)
    entry = ServiceEntry(
      service: recordName(of: type), implementation: "the override at \(place)", name: name, scope: .transient,
      image: nil, source: .factory(factory), rank: ServiceEntry.Rank(batch: 0, priority: 0, order: 0))
    entry.factory = factory
    core.beginOverride(type)
    end = { core.endOverride(type) }
  }

  deinit {
    // Tasks that were made in the scope keep it, and are served by it, as long as they last.
    end()
  }

  /// The innermost override of a service under a name.
  static func entry<Service>(
    for type: Service.Type, named name: String?, in core: ServiceCore
  ) -> ServiceEntry? {
    entries(for: type, in: core).first { $0.name == name }
  }

  /// The overrides of a service, the innermost of each name, unnamed first.
  static func entries<Service>(for type: Service.Type, in core: ServiceCore) -> [ServiceEntry] {
    var found: [ServiceEntry] = []
    var next = current
    while let scope = next {
      if scope.manager == ObjectIdentifier(core), scope.key == ObjectIdentifier(type),
        !found.contains(where: { $0.name == scope.entry.name })
      {
        found.append(scope.entry)
      }
      next = scope.outer
    }
    return found.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }
}

extension ServiceManager {
  /// Runs `operation` with an implementation that comes before all others, for this task and the tasks it
  /// makes only.
  ///
  /// ```swift
  /// try services.withOverride(CartService.self, factory: { EmptyCart() }) {
  ///   try checkOut()
  /// }
  /// ```
  ///
  /// Every look-up in the scope calls `factory`; let it return an instance of yours to share one. Look-ups of
  /// that service elsewhere are right too, on the slower path, as long as an override is in force.
  public func withOverride<Service, Result>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service,
    operation: () throws -> Result
  ) rethrows -> Result {
    let scope = OverrideScope(
      type, named: name, in: core, place: "\(fileID):\(line)", factory: ServiceFactory(factory))
    return try OverrideScope.$current.withValue(scope, operation: operation)
  }

  /// The same around an asynchronous operation, which runs where the caller does.
  public func withOverride<Service, Result>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
  ) async rethrows -> Result {
    let scope = OverrideScope(
      type, named: name, in: core, place: "\(fileID):\(line)", factory: ServiceFactory(factory))
    return try await OverrideScope.$current.withValue(scope, operation: operation, isolation: isolation)
  }
}

extension ServiceCore {
  func beginOverride<Service>(_ type: Service.Type) { count(type, 1) }

  func endOverride<Service>(_ type: Service.Type) { count(type, -1) }

  /// As long as some task has an override, nobody reads the table for that service.
  private func count<Service>(_ type: Service.Type, _ change: Int) {
    let diagnostics = state.withLock { state in
      let (group, diagnostics) = claimedGroup(type, &state)
      group.overrides += change
      return diagnostics
    }
    log.report(diagnostics)
  }
}
