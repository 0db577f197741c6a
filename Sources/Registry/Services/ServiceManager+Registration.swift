extension ServiceManager {
  /// Registers a factory that creates a new instance of an implementation for each lookup.
  ///
  /// ```swift
  /// services.register(CartService.self) { DefaultCart() }
  /// ```
  ///
  /// The implementation follows exports of images that are already loaded, regardless of its
  /// priority, unless `replacing` is `true`. It precedes exports of images that are loaded later.
  /// In a test scope, the registration belongs to the scope.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among registrations with no image loaded in between. The highest
  ///     comes first.
  ///   - replacing: A Boolean value that indicates whether the implementation precedes all existing
  ///     ones except overrides.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance, on the thread of the lookup, or on the
  ///     closure's actor if it has one. A closure that captures the manager keeps it alive until
  ///     the implementation is removed; use a closure that receives the manager instead.
  /// - Returns: A token that removes the implementation when you cancel it.
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, named name: String? = nil, priority: Int = 0, replacing: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) -> RegistrationToken {
    add(GroupKey(type), .transient, name, priority, replacing, fileID, line, ServiceFactory(factory, isSendable: false))
  }

  /// Registers a factory for an implementation of a sendable service.
  ///
  /// The compiler prefers this overload for a service that is `Sendable`. Lookups of sendable
  /// types, such as `service(for: (any P & Sendable).self)`, can use the implementation. In a
  /// generic function, write `Service: Sendable` to call this overload.
  @discardableResult
  public func register<Service: Sendable>(
    _ type: Service.Type, named name: String? = nil, priority: Int = 0, replacing: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) -> RegistrationToken {
    add(GroupKey(type), .transient, name, priority, replacing, fileID, line, ServiceFactory(factory))
  }

  /// Registers a factory that looks up other services and creates a new instance for each lookup.
  ///
  /// ```swift
  /// services.register(OrderService.self) { services in
  ///   ShopOrders(prices: try services.createService(for: PriceService.self))
  /// }
  /// ```
  ///
  /// The closure of a transient service receives the manager that performs the lookup, such as a
  /// child that substitutes a dependency. Any other closure receives the manager that keeps the
  /// instance. In a test scope, the manager resolves the services of the scope.
  ///
  /// The registration doesn't keep the manager alive. Neither does an instance that stores the
  /// closure's argument, unless the service is transient.
  ///
  /// In other respects, the method works like the overload whose closure has no parameters.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among registrations with no image loaded in between. The highest
  ///     comes first.
  ///   - replacing: A Boolean value that indicates whether the implementation precedes all existing
  ///     ones except overrides.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance with the services of the manager.
  /// - Returns: A token that removes the implementation when you cancel it.
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, named name: String? = nil, priority: Int = 0, replacing: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) (ServiceManager) throws -> Service
  ) -> RegistrationToken {
    add(GroupKey(type), .transient, name, priority, replacing, fileID, line, resolving(factory, isSendable: false))
  }

  /// Registers a factory that looks up other services for an implementation of a sendable service.
  ///
  /// The compiler prefers this overload for a service that is `Sendable`.
  @discardableResult
  public func register<Service: Sendable>(
    _ type: Service.Type, named name: String? = nil, priority: Int = 0, replacing: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) (ServiceManager) throws -> Service
  ) -> RegistrationToken {
    add(GroupKey(type), .transient, name, priority, replacing, fileID, line, resolving(factory))
  }

  /// Registers a factory for an implementation whose instances have a given lifetime.
  ///
  /// Any thread can receive an instance whose scope is not transient, so the service must be
  /// `Sendable`: declare it as `protocol P: Sendable`. In other respects, the method works like the
  /// overload without a scope.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - scope: The lifetime of instances.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among registrations with no image loaded in between. The highest
  ///     comes first.
  ///   - replacing: A Boolean value that indicates whether the implementation precedes all existing
  ///     ones except overrides.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance.
  /// - Returns: A token that removes the implementation when you cancel it.
  @discardableResult
  public func register<Service: Sendable>(
    _ type: Service.Type, scope: ServiceScope, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) -> RegistrationToken {
    add(GroupKey(type), scope, name, priority, replacing, fileID, line, ServiceFactory(factory))
  }

  /// Registers a factory that looks up other services and creates instances with a given lifetime.
  ///
  /// ```swift
  /// services.register(OrderService.self, scope: .shared) { services in
  ///   ShopOrders(prices: try services.createService(for: PriceService.self))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The protocol, which must be `Sendable`, written as `P.self`.
  ///   - scope: The lifetime of instances.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among registrations with no image loaded in between. The highest
  ///     comes first.
  ///   - replacing: A Boolean value that indicates whether the implementation precedes all existing
  ///     ones except overrides.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance with the services of the manager.
  /// - Returns: A token that removes the implementation when you cancel it.
  @discardableResult
  public func register<Service: Sendable>(
    _ type: Service.Type, scope: ServiceScope, named name: String? = nil, priority: Int = 0,
    replacing: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) (ServiceManager) throws -> Service
  ) -> RegistrationToken {
    add(GroupKey(type), scope, name, priority, replacing, fileID, line, resolving(factory, isKept: scope != .transient))
  }

  private func resolving<Service>(
    _ factory: @escaping @Sendable @isolated(any) (ServiceManager) throws -> Service,
    isSendable: Bool = true, isKept: Bool = false
  ) -> ServiceFactory<Service> {
    let make = withoutIsolation(factory)
    return ServiceFactory(on: factory.isolation, isSendable: isSendable) {
      // An instance that the manager keeps can store the handle, so the handle is unretained.
      try make(isKept ? ServiceCore.creating.unretained : ServiceManager(.creating))
    }
  }

  /// Registers a factory, and returns a token that removes it.
  // The compiler would inline this method into all of the generic ones above.
  @inline(never)
  func add(
    _ key: GroupKey, _ scope: ServiceScope, _ name: String?, _ priority: Int, _ replacing: Bool,
    _ fileID: StaticString, _ line: UInt, _ factory: AnyServiceFactory
  ) -> RegistrationToken {
    let location = "\(fileID):\(line)"
    let isService = key.point == nil
    return token(key) { core in
      core.register(
        key, service: key.text, implementation: "the \(isService ? "factory" : "contribution") at \(location)",
        scope: scope, named: name, priority: priority,
        replacing: replacing || isService && registrations?.precedeOthers == true, location: location, factory: factory)
    }
  }

  /// Registers an implementation in this task's manager, and returns a token that removes it.
  func token(_ key: GroupKey?, _ register: (ServiceCore) -> ServiceEntry) -> RegistrationToken {
    let core = core
    #if DEBUG
    if core.source.isReleased, let key {
      core.log.report(
        Diagnostic(
          severity: .warning, code: .lostRegistration, subject: key.text, image: nil,
          message: "the registration is lost, because the manager of this handle was released; keep the manager"
            + " while its services are in use"))
    }
    #endif
    let entry = register(core.current)
    #if DEBUG
    if let key { for parent in core.lineage.dropFirst() { parent.recordElsewhere(key, entry) } }
    #endif
    let isShared = core === ServiceCore.shared
    let token = RegistrationToken { [weak core = isShared ? nil : core, weak entry] in
      guard let entry, let core = isShared ? ServiceCore.shared : core else { return false }
      return core.current.unregister(entry, of: key)
    }
    registrations?.add(entry, token)
    return token
  }

  /// Removes a protocol's exported and registered implementations with the given name from this
  /// manager.
  ///
  /// Instances that lookups have returned stay alive while your code references them. The manager
  /// can keep one shared instance of each protocol until the manager is released; see "Lookups and
  /// reclamation" in `Documentation/Design.md`. In a test scope, the implementations are removed
  /// only for the scope, and its overrides remain.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name of the implementations; nil for implementations without a name.
  /// - Returns: `true` if implementations existed, not counting any whose condition doesn't hold.
  @discardableResult
  public func unregister<Service>(_ type: Service.Type, named name: String? = nil) -> Bool {
    current.unregister(GroupKey(type), named: name)
  }

  /// Releases the instances of services whose scope is a named cache.
  ///
  /// ```swift
  /// func logOut() {
  ///   services.resetCache("session")
  /// }
  /// ```
  ///
  /// The next lookup of each service creates a new instance. Code that holds an old instance keeps
  /// it, even if that code is a shared service. The call affects this manager's services, but not
  /// those of its parents. In a test scope, it affects only the scope's services.
  ///
  /// You can call this method on any thread. If another thread is creating an instance during the
  /// call, only that thread receives the instance. The call takes time in proportion to the number
  /// of implementations.
  ///
  /// - Parameter cache: The name in ``ServiceScope/cached(_:)``.
  /// - Returns: `true` if an instance was released.
  @discardableResult
  public func resetCache(_ cache: String) -> Bool {
    let isReset = core.reset(.cached(cache))
    #if DEBUG
    if !isReset { current.reportUnknownCache(cache) }
    #endif
    return isReset
  }

  /// Registers a class as an implementation of a protocol by name, for an entry in a manifest.
  ///
  /// The manager looks up the class at first use, and reports a class that it can't use. A Swift
  /// class must conform to ``NamedExport`` or ``MainActorNamedExport``. The implementation is
  /// ordered as if it were registered with a factory.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol, as records spell it.
  ///   - implementation: The name of the class, as records spell it.
  ///   - location: The location of the entry, for messages.
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

  /// The names of some protocols that were exported, registered, or looked up, for message hints.
  package var knownServices: [String] {
    var names: [String] = []
    for core in core.lineage.map(\.current) {
      core.refresh()
      core.state.withLock { state in
        for name in state.unclaimed.keys where names.count < String.comparedNames { names.append(name) }
        for key in state.groups.all.map(\.key) where key.point == nil && names.count < 2 * String.comparedNames {
          names.append(recordName(of: serviceType(key.type)))
        }
      }
    }
    return names
  }
}

#if DEBUG
extension Diagnostic.Code {
  package static var lostRegistration: Self { "lost-registration" }
}
#endif
