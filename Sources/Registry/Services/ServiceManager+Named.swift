extension ServiceManager {
  /// Registers a class as an implementation of a protocol, both by name.
  ///
  /// ```swift
  /// services.register(service: "ShopAPI.CartService", class: "Cart.DefaultCart", scope: .shared)
  /// ```
  ///
  /// Use this method for names that a file lists. If your code knows the types, pass a factory
  /// instead, so that the compiler checks them.
  ///
  /// The manager looks up the class at first use, and reports a class that it cannot use. A class
  /// that is written in Swift must conform to ``NamedExport`` or ``MainActorNamedExport``. The
  /// position of the implementation among others is that of one that is registered with a factory.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol, as records spell it.
  ///   - implementation: The name of the class, as records spell it.
  ///   - scope: The lifetime of instances.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among implementations that are registered between two loads of
  ///     images.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: A token that removes the implementation when you cancel it.
  @discardableResult
  public func register(
    service: String, class implementation: String, scope: ServiceScope = .transient, named name: String? = nil,
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line
  ) -> RegistrationToken {
    register(
      service: service, class: implementation, scope: scope, named: name, priority: priority,
      location: "\(fileID):\(line)")
  }

  /// Registers a class by name for an entry of a file, which is its location.
  @discardableResult
  package func register(
    service: String, class implementation: String, scope: ServiceScope, named name: String?, priority: Int,
    location: String
  ) -> RegistrationToken {
    let core = core
    let entry = core.register(
      service.recordForm, class: implementation.recordForm, scope: scope, named: name, priority: priority,
      location: location)
    // The shared manager is never released, so the token does not reference it.
    let isShared = core === ServiceCore.shared
    let token = RegistrationToken { [weak core = isShared ? nil : core, weak entry] in
      guard let entry, let core = isShared ? ServiceCore.shared : core else { return false }
      return core.unregister(entry)
    }
    registrations?.add(entry, token)
    return token
  }

  /// The names of known protocols, for hints in messages.
  ///
  /// A protocol is known if it is exported, registered, or was looked up. The list is limited to
  /// about as many names as a hint compares.
  package var knownServices: [String] {
    core.lineage.flatMap { core in
      core.current.refresh()
      return core.current.state.withLock { state in
        Array(state.unclaimed.keys.prefix(String.comparedNames))
          + state.groups.keys.prefix(String.comparedNames).filter { $0.point == nil }.map {
            recordName(of: serviceType($0.type))
          }
      }
    }
  }
}

extension ServiceCore {
  fileprivate func register(
    _ service: String, class implementation: String, scope: ServiceScope, named name: String?, priority: Int,
    location: String
  ) -> ServiceEntry {
    if let copy = TaskScope.isolated(self) {
      return copy.register(
        service, class: implementation, scope: scope, named: name, priority: priority, location: location)
    }
    // Scan first, because the implementations of images that are already loaded precede this one.
    refresh()
    let (entry, diagnostics) = state.withLock { state -> (ServiceEntry, [Diagnostic]) in
      let entry = ServiceEntry(
        service: service, name: name, scope: scope, origin: .code(implementation, location: location), source: .named,
        rank: state.ranks.registered(priority: priority),
        standing: rules == nil ? .live : .given)
      if let group = state.claimed[service] { return (entry, group.add(registered: entry)) }
      // Until a lookup passes the type of the service, only the name identifies the service.
      state.unclaimed[service, default: []].append(entry)
      return (entry, [])
    }
    log.report(diagnostics)
    return entry
  }

  /// Removes an implementation that was registered by name, and returns whether it was there.
  fileprivate func unregister(_ entry: ServiceEntry) -> Bool {
    if let copy = TaskScope.isolated(self) { return copy.unregister(entry) }
    // Release the factories outside the lock, because that can run deinitializers of user code.
    let (removed, factories) = state.withLock { state -> ([ServiceEntry], [AnyServiceFactory?]) in
      let removed =
        state.claimed[entry.service]?.remove(entry)
        ?? state.removeUnclaimed(entry.service) { $0 === entry || $0.original === entry }
      let factories = removed.map(\.factory)
      for entry in removed { entry.factory = nil }
      return (removed, factories)
    }
    withExtendedLifetime(factories) {}
    return !removed.isEmpty
  }
}
