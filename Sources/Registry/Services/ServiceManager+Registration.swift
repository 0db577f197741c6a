extension ServiceManager {
  /// Adds an implementation at run time, made anew for every look-up.
  ///
  /// It comes after what was exported or registered before, whatever its priority, unless it is to replace. In
  /// an isolated scope it is added for that scope only, and so is what is removed there.
  ///
  /// - Parameters:
  ///   - name: Tells implementations of one protocol apart.
  ///   - priority: Among registrations made between two batches of images the higher comes first.
  ///   - replacing: Whether it comes before everything that is there.
  ///   - factory: Makes an instance, on the thread that asks, or on its actor if it has one. A factory that
  ///     holds a manager of one's own, to look up what it needs, keeps that manager alive until it is removed.
  /// - Returns: What ``RegistrationToken/cancel()`` takes back.
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, named name: String? = nil, priority: Int = 0, replacing: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) -> RegistrationToken {
    add(type, .transient, name, priority, replacing, "\(fileID):\(line)", factory)
  }

  /// Adds an implementation at run time, with a scope.
  ///
  /// Instances of scope `.shared` and `.weak` go to whoever asks, so the service must be `Sendable`: write
  /// `protocol P: Sendable`.
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
    // The shared manager needs no weak reference, as it does not go.
    let isShared = owner == nil
    return RegistrationToken { [weak core = isShared ? nil : core, weak entry] in
      guard let entry, let core = isShared ? ServiceCore.shared : core else { return false }
      return core.unregister(type) { $0.remove { $0 === entry || $0.original === entry } }
    }
  }

  /// Removes every implementation of a protocol under a name, exported or registered, from this manager.
  ///
  /// Without a name the unnamed ones go. Instances handed out before live on with whoever holds them; of each
  /// protocol the manager itself may keep one shared instance until it goes (`Documentation/Design.md`,
  /// "Reclamation").
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func unregister<Service>(_ type: Service.Type, named name: String? = nil) -> Bool {
    core.unregister(type) { $0.remove(named: name) }
  }
}
