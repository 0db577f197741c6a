internal import RegistryC

/// An observer of creations, with the number that removes it.
struct CreationObserver: Sendable {
  let id: Int
  let notify: @Sendable (ObservedInterval) -> Void
}

extension ServiceCore {
  /// Adds an observer of creations.
  ///
  /// - Returns: The number that removes the observer.
  func addObserver(_ notify: @escaping @Sendable (ObservedInterval) -> Void) -> Int {
    state.withLock { state in
      state.observations += 1
      state.observers.append(CreationObserver(id: state.observations, notify: notify))
      updateVisibility(state)
      return state.observations
    }
  }

  /// Removes an observer of creations.
  ///
  /// - Returns: `true` if the observer was still registered.
  func removeObserver(_ id: Int) -> Bool {
    // Release the closure outside the lock, because that can run deinitializers of user code.
    let removed: CreationObserver? = state.withLock { state in
      guard let index = state.observers.firstIndex(where: { $0.id == id }) else { return nil }
      let removed = state.observers.remove(at: index)
      updateVisibility(state)
      return removed
    }
    return removed != nil
  }

  /// Shows the lookup table to readers, or hides it while each lookup has to take the slow path.
  ///
  /// A test scope may have another implementation, and only the slow path notifies observers.
  func updateVisibility(_ state: State) {
    registry_cell_hide(cell, state.isolations > 0 || !state.observers.isEmpty)
  }

  /// Creates an instance and notifies the observers before and after it.
  func observing<Service>(
    _ entry: ServiceEntry, _ observers: [CreationObserver], _ make: () throws -> Service
  ) rethrows -> Service {
    guard !observers.isEmpty else { return try make() }
    let number = state.withLock { state in
      state.observations += 1
      return state.observations
    }
    let kind = entry.service.isContributionPoint ? "contribution" : "service"
    func notify(_ phase: ObservedInterval.Phase) {
      let interval = ObservedInterval(
        number: number, kind: kind, name: entry.implementation, image: entry.image, isAsync: false, phase: phase)
      for observer in observers { observer.notify(interval) }
    }
    notify(.began)
    defer { notify(.ended) }
    return try make()
  }
}
