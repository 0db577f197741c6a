internal import RegistryC

/// The rules for services that a test scope doesn't provide.
final class TestScopeRules: Sendable {
  /// A Boolean value that indicates whether lookups fail for services that the test neither
  /// provides nor allows.
  let isStrict: Bool
  let onLiveService: (@Sendable (ServiceError) -> Void)?
  private let reported = Locked<Set<[String?]>>([])

  init(isStrict: Bool, onLiveService: (@Sendable (ServiceError) -> Void)?) {
    self.isStrict = isStrict
    self.onLiveService = onLiveService
  }

  /// Reports a withheld service, once for each service and name. The caller must hold no lock,
  /// because the closure is user code.
  func report(_ error: ServiceError, service: String, named name: String?) {
    guard let onLiveService, reported.withLock({ $0.add([service, name]) }) else { return }
    onLiveService(error)
  }
}

// A test scope uses a copy of the manager that has the same implementations but no instances.
// Instances and registrations in the scope stay there, and later registrations outside don't affect
// the scope. Lookups in the scope do find services in images that are loaded later.

extension ServiceCore {
  func isolatedCopy(_ rules: TestScopeRules, overrides: [ServiceOverride]) -> ServiceCore {
    refresh()
    let copy = ServiceCore(
      parent: parent, source: source, log: DiagnosticLog(copying: log), rules: rules, original: original ?? self)
    let conditions = ownConditions.withLock { $0 }
    copy.ownConditions.withLock { $0 = conditions }
    // No other code has the copy yet, so this locking order can't cause a deadlock.
    state.withLock { state in
      copy.state.withLock { new in
        new.feed = state.feed
        new.ranks = state.ranks
        new.names = state.names
        new.groups = state.groups.copied { ServiceGroup(copying: $0, cell: copy.cell, &new.holders) }
        new.unclaimed = state.unclaimed.mapValues { $0.map { ServiceEntry(copying: $0, &new.holders) } }
        new.contributions = state.contributions
        new.contributions.listeners = []
        new.withoutClass = state.withoutClass
        for override in overrides {
          let rank = new.ranks.overriding(in: override.key, priority: override.entry.rank.priority)
          let entry = ServiceEntry(copying: override.entry, rank: rank, standing: .override, &new.holders)
          // Overrides precede other implementations on purpose, so don't report conflicts.
          _ = copy.group(for: override.key, &new).add([entry])
        }
      }
    }
    return copy
  }

  /// Changes the number of scopes, such as test scopes, that hide the lookup table from readers.
  func countIsolation(_ change: Int) {
    state.withLock { state in
      state.isolations += change
      updateVisibility(state)
    }
  }

  /// Changes the number of overrides for each key, and marks overridden services in the table.
  func countOverrides(_ keys: [GroupKey], _ change: Int) {
    state.withLock { state in
      for key in keys { group(for: key, &state).overrides += change }
    }
  }
}
