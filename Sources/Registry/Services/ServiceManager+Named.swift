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
    let service = service.recordForm
    return token(nil) { core in
      core.register(
        nil, service: service, implementation: implementation.recordForm, scope: scope, named: name,
        priority: priority, replacing: false, location: location, factory: nil)
    }
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
