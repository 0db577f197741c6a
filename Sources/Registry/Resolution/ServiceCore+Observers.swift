internal import RegistryC

/// An observer of creations.
final class CreationObserver: Sendable {
  let notify: @Sendable (ObservedInterval) -> Void

  init(_ notify: @escaping @Sendable (ObservedInterval) -> Void) {
    self.notify = notify
  }
}

extension ServiceCore {
  func addObserver(_ observer: CreationObserver) {
    state.withLock { state in
      state.observers.append(observer)
      updateVisibility(state)
    }
  }

  /// Removes an observer of creations, and returns whether it was still registered.
  func removeObserver(_ observer: CreationObserver) -> Bool {
    state.withLock { state in
      guard let index = state.observers.firstIndex(where: { $0 === observer }) else { return false }
      state.observers.remove(at: index)
      updateVisibility(state)
      return true
    }
  }

  /// Shows the lookup table to readers, or hides it while each lookup has to take the slow path.
  ///
  /// A test scope may have another implementation, and only the slow path notifies observers.
  func updateVisibility(_ state: State) {
    registry_cell_hide(cell, state.isolations > 0 || !state.observers.isEmpty)
  }

  /// Creates an instance and notifies the observers before and after it.
  @inline(never)
  func observed<Service>(
    _ factory: AnyServiceFactory, _ entry: ServiceEntry, _ observers: [CreationObserver]
  ) throws -> Service {
    let number = state.withLock { state in
      state.creations += 1
      return state.creations
    }
    let kind = entry.service.isContributionPoint ? "contribution" : "service"
    func notify(_ phase: ObservedInterval.Phase) {
      let interval = ObservedInterval(
        number: number, kind: kind, name: entry.implementation, image: entry.image, isAsync: false, phase: phase)
      for observer in observers { observer.notify(interval) }
    }
    notify(.began)
    defer { notify(.ended) }
    return try ResolutionFrame.call(factory)
  }
}
