extension ServiceCore {
  /// Returns the next step in getting a service from an entry. The manager must be locked.
  func found(_ entry: ServiceEntry, _ observers: [IntervalObserver]) -> Finding {
    if let instance = entry.shared { return .instance(instance) }
    if let holder = entry.holder {
      let isolation = entry.factory?.isolation
      if let object = holder.weakInstance { return .object(object, entry, isolation) }
      if let instance = holder.created { return .convert(instance, entry, holder, isolation) }
    }
    return entry.factory.map { .make(entry, $0, observers) } ?? .prepare(entry)
  }

  /// Performs the step that a finding describes. The manager must not be locked.
  ///
  /// - Returns: The service; nil if the lookup has to start over.
  func follow<Service>(_ finding: Finding, _ context: LookupContext) throws(ServiceError) -> Service? {
    switch finding {
    case .make(let entry, let factory, let observers): return try make(entry, factory, observers, context)
    case .published(let value):
      return try serve(
        value, as: Service.self, context.mustBeSendable, for: context.asked.takeUnretainedValue())
    default: return try existing(finding)
    }
  }

  @inline(never)
  private func existing<Service>(_ finding: Finding) throws(ServiceError) -> Service? {
    switch finding {
    case .instance(let instance):
      // An entry belongs to one type's group, and its instance was stored as that type.
      return instance.load(as: Service.self)
    case .object(let object, let entry, let isolation):
      if let service = object as? Service { return service }
      try didNotConvert(entry, isolation)
    case .convert(let instance, let entry, let holder, let isolation):
      if let service = convert(instance, to: Service.self, of: entry, holder) { return service }
      try didNotConvert(entry, isolation)
    case .prepare(let entry): prepare(entry, as: Service.self)
    case .make, .published, .nothing: break
    }
    return nil
  }

  func service<Service>(
    _ type: Service.Type, of entry: ServiceEntry, _ context: LookupContext
  ) throws(ServiceError) -> Service? {
    while true {
      let finding: Finding? = state.withLock { state in
        entry.problem == nil && entry.isUsableHere && entry.isRegistered ? found(entry, state.observers) : nil
      }
      guard let finding else { return nil }
      if let service: Service = try follow(finding, context) { return service }
    }
  }

  /// Creates an instance, or waits while another thread creates the shared one. Returns nil if the
  /// lookup has to start over.
  private func make<Service>(
    _ entry: ServiceEntry, _ factory: AnyServiceFactory, _ observers: [IntervalObserver], _ context: LookupContext
  ) throws(ServiceError) -> Service? {
    if context.mustBeSendable, !factory.isSendable { throw .notSendable(entry) }
    if let isolation = factory.isolation { try checkIsCurrent(isolation, entry) }
    // If this manager keeps the instance, the initializer must not look up services in a child.
    let manager = entry.holder == nil ? context.asked : .passUnretained(self)
    var frame = try ResolutionFrame(entry, for: manager.takeUnretainedValue())
    defer { ResolutionFrame.top = frame.parent }
    return try make(factory, &frame, observers)
  }

  private func make<Service>(
    _ factory: AnyServiceFactory, _ frame: UnsafeMutablePointer<ResolutionFrame>, _ observers: [IntervalObserver]
  ) throws(ServiceError) -> Service? {
    // Don't reset `top` before the frame ends: diagnostic handlers below can look up services, too.
    ResolutionFrame.top = frame
    let entry = frame.pointee.entry.takeUnretainedValue()
    var resets = 0
    if let holder = entry.holder {
      guard let count = try beginShared(holder, frame) else { return nil }
      resets = count
    }
    defer { if let holder = entry.holder { SharedCreation.end(holder) } }
    let service: Service
    do {
      service = try observers.isEmpty ? ResolutionFrame.call(factory) : observed(factory, entry, observers)
    } catch {
      try failed(entry, error)
      return nil
    }
    if entry.holder != nil { keep(service, in: entry, after: resets) }
    return service
  }

  /// Makes this thread the creator of an entry's shared instance, or waits for the current creator.
  ///
  /// - Returns: The number of resets of the instance; nil if the lookup has to start over.
  @inline(never)
  private func beginShared(
    _ holder: InstanceHolder, _ frame: UnsafeMutablePointer<ResolutionFrame>
  ) throws(ServiceError) -> Int? {
    guard try SharedCreation.begin(holder, frame) else { return nil }
    // Another thread may have created the instance before this turn began. Release the weak
    // instance outside the lock, because that can run a deinitializer.
    let (isCreated, object, resets) = state.withLock { _ in
      (holder.created != nil, holder.weakInstance, holder.resets)
    }
    guard isCreated || object != nil else { return resets }
    SharedCreation.end(holder)
    return nil
  }

  /// Records that an existing instance doesn't convert to the service.
  ///
  /// The compiler checks exports in Swift. But the class in a C record might not conform, and a
  /// conformance can be isolated to an actor (SE-0470).
  private func didNotConvert(_ entry: ServiceEntry, _ isolation: (any Actor)?) throws(ServiceError) {
    // The cast may succeed on the actor that creates the instances, so report that actor.
    if let isolation { try checkIsCurrent(isolation, entry) }
    try failed(entry, NotConforming(message: entry.nonconformance))
  }

  /// Converts an instance that was created for another service of the same type, or returns nil.
  private func convert<Service>(
    _ instance: SharedInstance, to type: Service.Type, of entry: ServiceEntry, _ holder: InstanceHolder
  ) -> Service? {
    guard let service = instance.value as? Service else { return nil }
    let converted = TypedInstance(service)
    state.withLock { state in
      #if DEBUG
      entry.setFailure(nil)
      #endif
      guard holder.created === instance, entry.shared == nil else { return }
      entry.shared = converted
      if entry.isRegistered { state.groups[GroupKey(Service.self)]?.updateSlot() }
    }
    return service
  }

  /// Throws an error if the calling code isn't on the given actor.
  @inline(never)
  private func checkIsCurrent(_ isolation: any Actor, _ entry: ServiceEntry) throws(ServiceError) {
    guard isolation.isCurrent else { throw .wrongIsolation(entry, isolation) }
  }

  /// Throws an initializer's error, or records that the implementation can't be used.
  @inline(never)
  func failed(_ entry: ServiceEntry, _ error: any Error) throws(ServiceError) {
    if let error = error as? NotConforming {
      // A cast to a protocol also fails if the conformance is isolated to an actor that this code
      // doesn't run on (SE-0470), so reject the implementation only on the current executor, unless
      // instances can be created only here.
      let isolation = state.withLock { _ in entry.factory?.isolation }
      return fail(entry, .notConforming, error.message, isHereOnly: isolation == nil)
    }
    // Don't wrap these errors: each initializer in the path would add the same information.
    if let error = error as? ServiceError, error.code == .serviceCycle || error.code == .deepNesting { throw error }
    recordFailure(error, of: entry)
    throw .initializerFailed(entry, error)
  }

  /// Records an error for reports, in debug builds.
  @inline(__always) func recordFailure(_ error: @autoclosure () -> Any, of entry: ServiceEntry) {
    #if DEBUG
    let text = "\(error())"
    state.withLock { _ in entry.setFailure(text) }
    #endif
  }

  /// Stores an instance for later lookups, unless it was reset during its creation.
  @inline(never)
  private func keep<Service>(_ service: Service, in entry: ServiceEntry, after resets: Int) {
    let holder = entry.holder!
    #if DEBUG
    state.withLock { _ in entry.setFailure(nil) }
    #endif
    if entry.scope == .weak {
      guard Swift.type(of: service as Any) is AnyClass else {
        return log.report(
          entry.diagnostic(
            .warning, .notConforming,
            "scope 'weak' requires a class or an actor; scope 'transient' is used instead"))
      }
      return state.withLock { _ in (holder.weakInstance, holder.resets) = (service as AnyObject, holder.resets + 1) }
    }
    let instance = TypedInstance(service)
    state.withLock { state in
      guard holder.resets == resets else { return }
      holder.created = instance
      entry.shared = instance
      if entry.isRegistered { state.groups[GroupKey(Service.self)]?.updateSlot() }
    }
  }

  // MARK: - First use

  /// The error for an instance that doesn't convert to the service.
  private struct NotConforming: Error {
    let message: String
  }

  func prepare<Service>(_ entry: ServiceEntry, as type: Service.Type) {
    switch entry.source {
    case .factory: return
    case .accessor(let accessor, let key):
      let provider = UnsafeMutablePointer<__Provider<Service>>.allocate(capacity: 1)
      defer { provider.deallocate() }
      let isTransient = entry.scope == .transient
      // Accessors of older records refuse this request, so any lookup can use their services.
      let isSendable = !isTransient || !accessor(provider, typeKey(__NotSendableRequest.self), 0)
      guard accessor(provider, key, 0) else {
        return fail(entry, .accessorRefused, "the accessor of the record does not serve the type that it reported")
      }
      ready(
        entry, ServiceFactory(provider.move().make, isSendable: isSendable), type,
        exported: isTransient ? nil : entry.exportedType)
    case .named:
      guard let exported = checkedClass(of: entry) else { return }
      let (make, message) = (withoutIsolation(exported.make), entry.nonconformance)
      let factory = ServiceFactory(on: exported.make.isolation, isSendable: true) {
        guard let service = try make() as? Service else { throw NotConforming(message: message) }
        return service
      }
      ready(entry, factory, type, exported: typeKey(exported.type))
    }
  }

  /// Returns the class that an entry names, or reports why the class can't be used and returns nil.
  package func checkedClass(of entry: ServiceEntry) -> NamedClass? {
    do throws(NamedClass.Problem) {
      let found = try NamedClass.find(entry.implementation)
      // Only adoption of an Objective-C protocol can be checked here. An extension can make a class
      // conform to a Swift protocol, so that conformance is checked when an instance is converted.
      if found.objectiveC?.adopts(entry.service) == false {
        fail(
          entry, .notConforming,
          "\(entry.claim), but the class does not adopt that protocol; declare the conformance")
        return nil
      }
      return found
    } catch {
      fail(entry, error.isUnknown ? .unknownClass : .notConforming, error.message)
      return nil
    }
  }

  private func ready<Service>(
    _ entry: ServiceEntry, _ factory: ServiceFactory<Service>, _ type: Service.Type, exported: TypeKey?
  ) {
    state.withLock { state in
      guard entry.factory == nil, entry.isRegistered else { return }
      entry.prepare(factory, type: exported, &state.holders)
      state.groups[GroupKey(type)]?.updateSlot()
    }
  }

  /// Records and reports that an implementation can't be used, at all or only on this executor.
  private func fail(_ entry: ServiceEntry, _ code: Diagnostic.Code, _ message: String, isHereOnly: Bool = false) {
    let problem = entry.diagnostic(.error, code, message)
    state.withLock { state in
      if isHereOnly { entry.setIsolationProblem(problem) } else if entry.problem == nil { entry.problem = problem }
      if code == .unknownClass { state.withoutClass.exist = true }
      // The lookup table may contain an entry that names a class, because a missing conformance is
      // found only when an instance is created. `claimed` has the groups of these entries. The
      // table contains no other entry that fails.
      state.groups.claimed(entry.service)?.updateSlot()
    }
    log.report(problem)
  }
}
