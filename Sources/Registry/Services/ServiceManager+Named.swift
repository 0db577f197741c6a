extension ServiceManager {
  /// Adds an implementation by the names of its protocol and its class, as records written in C name them.
  ///
  /// ```swift
  /// services.register(service: "ShopAPI.CartService", class: "Cart.DefaultCart", scope: .shared)
  /// ```
  ///
  /// For what is listed in a file; whoever knows the types passes them, so that the compiler checks them. The class conforms to
  /// ``NamedExport`` or ``MainActorNamedExport``, and is looked for at first use: if it cannot be used then, that is reported. In the order
  /// of implementations it stands where one registered with a factory would.
  ///
  /// - Returns: What ``RegistrationToken/cancel()`` takes back.
  @discardableResult
  public func register(
    service: String, class implementation: String, scope: ServiceScope = .transient, named name: String? = nil,
    priority: Int = 0
  ) -> RegistrationToken {
    let entry = core.register(service, class: implementation, scope: scope, named: name, priority: priority)
    // The shared manager needs no weak reference, as it does not go.
    let isShared = owner == nil
    return RegistrationToken { [weak core = isShared ? nil : core, weak entry] in
      guard let entry, let core = isShared ? ServiceCore.shared : core else { return false }
      return core.unregister(entry)
    }
  }

  /// The names of protocols that are exported, registered or were asked for: for messages. At most so many as names are compared.
  package var knownServices: [String] {
    core.lineage.flatMap { core in
      core.current.refresh()
      return core.current.state.withLock { state in
        Array(state.unclaimed.keys.prefix(String.comparedNames))
          + state.groups.keys.prefix(String.comparedNames).map { recordName(of: serviceType($0)) }
      }
    }
  }
}

extension ServiceCore {
  fileprivate func register(
    _ service: String, class implementation: String, scope: ServiceScope, named name: String?, priority: Int
  ) -> ServiceEntry {
    if let copy = TaskScope.isolated(self) {
      return copy.register(service, class: implementation, scope: scope, named: name, priority: priority)
    }
    // What is present comes before what is registered from now on.
    refresh()
    let (entry, diagnostics) = state.withLock { state -> (ServiceEntry, [Diagnostic]) in
      state.order += 1
      let entry = ServiceEntry(
        service: service, implementation: implementation, name: name, scope: scope, source: .named,
        rank: ServiceEntry.Rank(batch: state.batch, priority: priority, order: state.order),
        standing: rules == nil ? .live : .given)
      if let group = state.claimed[service] { return (entry, group.add([entry])) }
      // Until its type is asked for nobody but its name tells whose it is.
      state.unclaimed[service, default: []].append(entry)
      return (entry, [])
    }
    log.report(diagnostics)
    return entry
  }

  /// Removes what was registered by name; false if it is not there.
  fileprivate func unregister(_ entry: ServiceEntry) -> Bool {
    if let copy = TaskScope.isolated(self) { return copy.unregister(entry) }
    let isMeant = { (other: ServiceEntry) in other === entry || other.original === entry }
    // They go with what they made, outside the lock.
    let (removed, factories) = state.withLock { state -> ([ServiceEntry], [AnyServiceFactory?]) in
      var removed: [ServiceEntry] = []
      if let group = state.claimed[entry.service] {
        removed = group.remove(where: isMeant)
      } else if let entries = state.unclaimed[entry.service] {
        removed = entries.filter(isMeant)
        let rest = entries.filter { !isMeant($0) }
        state.unclaimed[entry.service] = rest.isEmpty ? nil : rest
        for entry in removed { entry.isRegistered = false }
      }
      let factories = removed.map(\.factory)
      for entry in removed { entry.factory = nil }
      return (removed, factories)
    }
    withExtendedLifetime(factories) {}
    return !removed.isEmpty
  }
}
