extension ServiceManager {
  /// Registers a factory for an implementation, which creates an instance for each lookup.
  ///
  /// ```swift
  /// services.register(CartService.self) { DefaultCart() }
  /// ```
  ///
  /// The implementation follows those of images that are already loaded, regardless of its
  /// priority, unless `replacing` is `true`. It precedes those of images that are loaded later. In
  /// a test scope, the registration belongs to the scope.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among implementations that are registered between two loads of
  ///     images. The highest comes first.
  ///   - replacing: A Boolean value that indicates whether the implementation precedes all others
  ///     that exist.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance, on the thread of the lookup, or on the
  ///     closure's actor if it has one. A closure that captures the manager keeps it alive until
  ///     the implementation is removed.
  /// - Returns: A token that removes the implementation when you cancel it.
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, named name: String? = nil, priority: Int = 0, replacing: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) -> RegistrationToken {
    add(type, .transient, name, priority, replacing, "\(fileID):\(line)", factory)
  }

  /// Registers a factory for an implementation whose instances have a given lifetime.
  ///
  /// Every thread can receive an instance of scope `.shared` or `.weak`. So the service must be
  /// `Sendable`: declare it as `protocol P: Sendable`. The other rules are those of
  /// ``register(_:named:priority:replacing:fileID:line:factory:)``.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - scope: The lifetime of instances.
  ///   - name: The name that distinguishes implementations of one protocol.
  ///   - priority: The priority among implementations that are registered between two loads of
  ///     images. The highest comes first.
  ///   - replacing: A Boolean value that indicates whether the implementation precedes all others
  ///     that exist.
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
    add(type, scope, name, priority, replacing, "\(fileID):\(line)", factory)
  }

  private func add<Service>(
    _ type: Service.Type, _ scope: ServiceScope, _ name: String?, _ priority: Int, _ replacing: Bool,
    _ location: String, _ factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) -> RegistrationToken {
    let entry = core.register(
      type, scope: scope, named: name, priority: priority, replacing: replacing, location: location,
      factory: ServiceFactory(factory))
    // The shared manager is never released, so the token does not reference it.
    let isShared = owner == nil
    return RegistrationToken { [weak core = isShared ? nil : core, weak entry] in
      guard let entry, let core = isShared ? ServiceCore.shared : core else { return false }
      return core.unregister(type) { $0.remove { $0 === entry || $0.original === entry } }
    }
  }

  /// Removes every implementation of a protocol with a name, exported or registered, from this
  /// manager.
  ///
  /// Instances that lookups have returned stay alive as long as your code references them. For each
  /// protocol, the manager can keep one shared instance until the manager is released; see
  /// `Documentation/Design.md`, "Lookups and reclamation". In a test scope, the implementations
  /// are removed for the scope only.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name of the implementations. By default, those without a name are removed.
  /// - Returns: `true` if there were any.
  @discardableResult
  public func unregister<Service>(_ type: Service.Type, named name: String? = nil) -> Bool {
    core.unregister(type) { $0.remove(named: name) }
  }
}
