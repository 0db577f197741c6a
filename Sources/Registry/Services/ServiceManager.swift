public import RegistryC

/// A registry that creates and shares implementations of protocols.
///
/// ```swift
/// let cart = try ServiceManager.shared.createService(for: CartService.self)
/// ```
///
/// A manager serves the services that loaded images export (`@ExportService`) or your code
/// registers (`register`). You can use it from any thread. The structure is a handle: copies refer
/// to the same manager.
///
/// A manager reads no records until the first lookup or registration. Looking up an existing shared
/// service usually acquires no lock and allocates no memory; see `Documentation/Design.md`.
@frozen public struct ServiceManager: @unchecked Sendable, CustomReflectable, IntervalSource {
  // Unchecked: `cell` points to a lock-free table, and `owner` is nil or an instance of a
  // `Sendable` class.

  @usableFromInline let cell: UnsafeMutablePointer<registry_cell>
  /// The core itself, or a handle's registrations or weak reference, which lead to it. If nil, the
  /// core is the shared one, whose cell is static.
  @usableFromInline let owner: AnyObject?

  @inlinable init(cell: UnsafeMutablePointer<registry_cell>, owner: AnyObject?) {
    self.cell = cell
    self.owner = owner
  }

  /// The manager of the services that this process's images export.
  @inlinable public static var shared: ServiceManager {
    ServiceManager(cell: registry_shared(), owner: nil)
  }

  /// Creates a manager for a test or a part of an app.
  ///
  /// ```swift
  /// let document = ServiceManager(parent: .shared)
  /// document.register(Undo.self, scope: .shared) { UndoStack() }
  /// ```
  ///
  /// Without a parent, the manager shares nothing with other managers. With a parent, the manager's
  /// implementations, registered or exported, precede the parent's. The parent owns the shared
  /// instances that it creates, and their initializers never use this manager. A lookup that the
  /// parent serves also acquires this manager's lock.
  ///
  /// - Parameters:
  ///   - parent: The manager for services that this one lacks. This manager keeps its parent alive.
  ///   - records: The source of the manager's own exported services. By default, there are none.
  ///   - onDiagnostic: A closure that receives diagnostics about the manager's own services, on the
  ///     thread that finds the problem. By default, the parent's closure; without a parent, a
  ///     closure that writes to standard error.
  public init(
    parent: ServiceManager? = nil, records: RecordSource = .none,
    onDiagnostic: (@Sendable (Diagnostic) -> Void)? = nil
  ) {
    let log = DiagnosticLog(handler: onDiagnostic ?? parent?.onDiagnostic ?? Diagnostic.toStandardError)
    self.init(ServiceCore(parent: parent?.core, source: records, log: log))
  }

  init(_ core: ServiceCore) {
    // The shared manager is never released, so its handles need no owner.
    self.init(cell: core.cell, owner: core === ServiceCore.shared ? nil : core)
  }

  @usableFromInline package var core: ServiceCore {
    @inline(never) get {
      guard let owner else { return ServiceCore.shared }
      if let core = owner as? ServiceCore { return core }
      if let registrations { return registrations.core }
      return unsafeDowncast(owner, to: UnretainedManager.self).core
    }
  }

  /// The manager that this task uses: this one, or its copy in a test scope.
  var current: ServiceCore { @inline(never) get { core.current } }

  var registrations: OwnedRegistrations? { owner as? OwnedRegistrations }

  /// Returns a handle whose registrations belong to an owner.
  ///
  /// - Parameters:
  ///   - registrations: The owner's registrations; nil to create them.
  ///   - precedeOthers: A Boolean value that indicates whether registered services precede all
  ///     existing ones, as with `replacing: true`.
  package func collecting(
    _ registrations: inout OwnedRegistrations?, precedeOthers: Bool = false
  ) -> ServiceManager {
    if registrations == nil { registrations = OwnedRegistrations(in: core, precedeOthers: precedeOthers) }
    return ServiceManager(cell: cell, owner: registrations)
  }

  // MARK: - Lookups

  /// Returns the preferred implementation of a protocol, created according to its scope.
  ///
  /// ```swift
  /// let cart = try services.createService(for: CartService.self)
  /// ```
  ///
  /// Implementations in images that are present at the process's first scan precede those in images
  /// that are loaded later. Among images that were loaded together, the implementation with the
  /// highest priority is preferred, and then the first in load order. An implementation that is
  /// exported to replace another precedes its target regardless of these rules.
  ///
  /// You can call this method on any thread.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name of the implementation; nil for one without a name.
  /// - Returns: A new instance, or an existing one.
  /// - Throws: ``ServiceError``. The code is `wrong-isolation` if the implementation must be
  ///   created on an actor that the calling code is not on; use ``service(for:named:)`` instead.
  @inlinable @inline(__always)
  public func createService<Service>(
    for type: Service.Type, named name: String? = nil
  ) throws(ServiceError) -> Service {
    try lookUp(type, name, false)
  }

  /// Returns the preferred implementation of a sendable service.
  ///
  /// The compiler prefers this overload for a service that is `Sendable`, including a composition
  /// such as `any P & Sendable`. In other respects, both overloads work alike.
  ///
  /// - Throws: ``ServiceError``. The code is `unsendable-service` if the implementation was
  ///   exported or registered for a type that is not `Sendable`.
  @inlinable @inline(__always)
  public func createService<Service: Sendable>(
    for type: Service.Type, named name: String? = nil
  ) throws(ServiceError) -> Service {
    try lookUp(type, name, true)
  }

  /// - Parameters:
  ///   - mustBeSendable: A Boolean value that indicates whether the caller uses the result as a
  ///     `Sendable` type. Only the compiler knows, because `any P` and `any P & Sendable` have the
  ///     same metadata.
  ///   - isOptional: A Boolean value that indicates whether the caller ignores the error if no
  ///     implementation exists, so that searching for the reason would waste time.
  @inlinable @inline(__always)
  func lookUp<Service>(
    _ type: Service.Type, _ name: String?, _ mustBeSendable: Bool, isOptional: Bool = false
  ) throws(ServiceError) -> Service {
    // The owner keeps the cell alive, and the cell keeps its tables alive.
    defer { withExtendedLifetime(owner) {} }
    // The value stored for a type's metadata has that type.
    if name == nil, let found = registry_find(cell, unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)) {
      // The low bits indicate the kind of the value; see `TableSlot`.
      if UInt(bitPattern: found) & 7 == 0 { return found.assumingMemoryBound(to: Service.self).pointee }
      return try make(found, type, mustBeSendable)
    }
    return try create(type, name, mustBeSendable, isOptional)
  }

  @usableFromInline @inline(never)
  func make<Service>(
    _ found: UnsafeRawPointer, _ type: Service.Type, _ mustBeSendable: Bool
  ) throws(ServiceError) -> Service {
    // Check for a factory first, because this path should add little to the cost of a transient
    // instance's initializer.
    guard UInt(bitPattern: found) & 7 == 1 else {
      let core = core
      return try core.serve(found, as: type, mustBeSendable, for: core)
    }
    let entry = Unmanaged<ServiceEntry>.fromOpaque(found - 1)
    if mustBeSendable, !ResolutionFrame.isSendable(entry) { return try create(type, nil, true) }
    do {
      return try ResolutionFrame.make(entry, as: type, for: owner)
    } catch {
      let core = core
      return try core.recover(entry.takeUnretainedValue(), error, as: type, mustBeSendable, for: core)
    }
  }

  @usableFromInline @inline(never)
  func create<Service>(
    _ type: Service.Type, _ name: String?, _ mustBeSendable: Bool, _ isOptional: Bool = false
  ) throws(ServiceError) -> Service {
    let core = core
    let context = LookupContext(mustBeSendable: mustBeSendable, isOptional: isOptional, asked: .passUnretained(core))
    return try core.service(type, named: name, context)
  }

  /// Returns the preferred implementation of a protocol, creating it on its own actor.
  ///
  /// ```swift
  /// let cart = try await services.service(for: CartService.self)
  /// ```
  ///
  /// While another thread creates the instance, the call blocks its thread, like `createService`.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name of the implementation; nil for one without a name.
  /// - Returns: A new instance, or an existing one.
  /// - Throws: ``ServiceError``.
  public nonisolated(nonsending) func service<Service: Sendable>(
    for type: Service.Type, named name: String? = nil
  ) async throws(ServiceError) -> Service {
    var failure: ServiceError
    do throws(ServiceError) { return try create(type, name, true) } catch { failure = error }
    // An implementation that turns out to be unusable can precede one of another actor.
    while let actor = failure.actor {
      do throws(ServiceError) { return try await create(type, name, on: actor) } catch { failure = error }
      if failure.actor === actor { break }
    }
    throw failure
  }

  private func create<Service: Sendable>(
    _ type: Service.Type, _ name: String?, on actor: isolated any Actor
  ) throws(ServiceError) -> Service {
    try create(type, name, true)
  }

  /// Returns all implementations of a protocol in order of preference, with and without a name.
  ///
  /// The method scans for new images. It reports and omits implementations that can't be used.
  ///
  /// - Parameter type: The protocol, written as `P.self`.
  /// - Returns: An instance of each implementation.
  /// - Throws: ``ServiceError``, for example if an initializer throws, or if an implementation must
  ///   be created on another actor.
  public func createServices<Service>(for type: Service.Type) throws(ServiceError) -> [Service] {
    try core.attemptAll(type, mustBeSendable: false).map(\.service)
  }

  /// Returns all implementations of a sendable service in order of preference.
  ///
  /// The compiler prefers this overload for a service that is `Sendable`. In other respects, both
  /// overloads work alike.
  ///
  /// - Throws: ``ServiceError``. The code is `unsendable-service` if an implementation was exported
  ///   or registered for a type that is not `Sendable`.
  public func createServices<Service: Sendable>(for type: Service.Type) throws(ServiceError) -> [Service] {
    try core.attemptAll(type, mustBeSendable: true).map(\.service)
  }

  /// Returns all implementations of a protocol in order of preference, with their names.
  ///
  /// ```swift
  /// for (name, exporter) in try services.createNamedServices(for: Exporter.self) {
  ///   menu.add(name ?? "Default", exporter)
  /// }
  /// ```
  ///
  /// The method finds the same implementations as `createServices(for:)`.
  ///
  /// - Parameter type: The protocol, written as `P.self`.
  /// - Returns: An instance of each implementation, with the implementation's name or nil.
  /// - Throws: ``ServiceError`` as in `createServices(for:)`.
  public func createNamedServices<Service>(
    for type: Service.Type
  ) throws(ServiceError) -> [(name: String?, service: Service)] {
    try core.attemptAll(type, mustBeSendable: false)
  }

  /// Returns all implementations of a sendable service in order of preference, with their names.
  ///
  /// The compiler prefers this overload for a service that is `Sendable`.
  public func createNamedServices<Service: Sendable>(
    for type: Service.Type
  ) throws(ServiceError) -> [(name: String?, service: Service)] {
    try core.attemptAll(type, mustBeSendable: true)
  }

  /// Returns whether the manager or one of its parents has a usable implementation of a protocol.
  ///
  /// The method scans for new images. It creates no instance, so a later lookup can still fail.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name of the implementation; nil for one without a name.
  public func contains<Service>(_ type: Service.Type, named name: String? = nil) -> Bool {
    core.contains(type, named: name)
  }

  // MARK: - Images

  /// Opens an image that exports services, such as a plug-in.
  ///
  /// ```swift
  /// let plugIn = try ServiceManager.shared.openImage(at: "/opt/shop/libPromotion.so")
  /// defer { plugIn.close() }
  /// ```
  ///
  /// The image is opened for the whole process, and its symbols are private. Every manager that
  /// reads the image's records finds its services; this manager finds them immediately. They follow
  /// existing services that they don't replace, regardless of priority. If the image exports
  /// modules, open it with the module manager instead.
  ///
  /// The app and the plug-in must depend on the product `RegistryDynamic` to share one copy of
  /// swift-section-registry. A second copy is reported (`two-copies`).
  ///
  /// The call blocks while the loader works, and runs the image's initializers on this thread. You
  /// can call it on any thread, but not from an initializer of an image.
  ///
  /// - Parameter path: The path of the image.
  /// - Returns: The open image. It stays open if you discard the result.
  /// - Throws: ``ImageLoadError`` with the loader's message.
  @discardableResult
  public func openImage(at path: String) throws(ImageLoadError) -> OpenedImage {
    let opened = try OpenedImage(path) { [weak core = self.core] in if let core { ServiceManager(core).refresh() } }
    refresh()
    return opened
  }

  // MARK: - Diagnostics

  /// A closure that receives diagnostics, on the thread that finds the problem.
  ///
  /// You can set it at any time and on any thread; reports still contain earlier diagnostics. In a
  /// test scope, the closure and the diagnostics belong to the scope.
  public var onDiagnostic: @Sendable (Diagnostic) -> Void {
    get { current.log.handler }
    nonmutating set { current.log.handler = newValue }
  }

  /// A Boolean value that indicates whether the manager or one of its parents reads records.
  package var readsImages: Bool { core.lineage.contains { !$0.source.isEmpty } }

  /// Makes this manager and its parents scan for loaded and unloaded images.
  package func refresh() {
    for core in core.lineage { core.current.refresh() }
    // If a test scope has copies of the managers, other tasks' lookups and the observers outside
    // must see the change, too. The managers outside evaluate their own conditions.
    if let scope = TaskScope.current { TaskScope.$current.withValue(scope.outer, operation: refresh) }
  }

  /// Returns the preferred implementation of a protocol, given only the protocol's name.
  ///
  /// The method behaves like `createService(for:named:)`, and takes a few microseconds longer.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol, as records spell it: `ShopAPI.Clock`, or `Clock` for an
  ///     Objective-C protocol.
  ///   - name: The name of the implementation; nil for one without a name.
  package func createService(protocolNamed service: String, named name: String? = nil) throws(ServiceError) -> Any {
    guard let type = ClassLookup.existential(named: service) ?? ClassLookup.type(named: service) else {
      let nearest = service.nearest(in: knownServices)
      let scans = core.lineage.map { core in core.current.state.withLock { $0.feed.scan } }
      throw .notFound(service, name, available: [], scans: readsImages ? scans : nil, nearest: nearest)
    }
    return try lookUp(type, name, false)
  }

  /// The conditions that hold for this manager's exported services.
  ///
  /// ```swift
  /// services.conditions.insert(.flag("new-cart"))
  /// services.conditions.remove(.test)
  /// ```
  ///
  /// A manager evaluates a service's conditions when the service is first used, so set them before
  /// its first lookup or registration. Later changes apply to unused services and to images that
  /// are loaded later. A change that has no effect is reported (`late-condition`). In a test scope,
  /// the conditions belong to the scope, which evaluates them again.
  ///
  /// By default, a manager uses its parent's conditions. A manager without a parent uses these:
  ///
  /// - `.preview` if the environment variable `XCODE_RUNNING_FOR_PREVIEWS` is `1`
  /// - `.test` if the environment variable `XCTestConfigurationFilePath` or `XCTestBundlePath` is
  ///   set, as when Xcode runs tests, or if the executable is `xctest` or `swiftpm-testing-helper`
  ///   or has the extension `xctest`, as with `swift test`
  /// - `.flag(name)` for each of the comma-separated names in the environment variable
  ///   `REGISTRY_FLAGS`
  ///
  /// `.debug` and `.release` depend on the build of the exporting module, so the set never contains
  /// them. You can use this property on any thread.
  public var conditions: Set<ServiceCondition> {
    get { current.conditions }
    nonmutating set { current.setConditions(newValue) }
  }

  /// An empty mirror, so that test libraries and debuggers don't traverse all registrations.
  public var customMirror: Mirror { Mirror(self, children: [:]) }

  /// Registers a closure that observes the creation of this manager's services.
  ///
  /// ```swift
  /// let token = services.observeIntervals { interval in print(interval, interval.hasEnded) }
  /// ```
  ///
  /// The closure receives an interval of the kind `service` or `contribution` for each instance
  /// that a factory or an initializer creates, and none for a lookup of an existing instance. The
  /// interval has the implementation's name. The closure doesn't observe creations in a parent or
  /// in another test scope. While a manager has observers, its lookups acquire a lock.
  ///
  /// - Parameter observer: A closure that is called on the thread that creates the service.
  /// - Returns: A token that removes the observer.
  @discardableResult
  public nonisolated func observeIntervals(
    _ observer: @escaping @Sendable (ObservedInterval) -> Void
  ) -> RegistrationToken {
    let core = current
    let observer = IntervalObserver(observer)
    core.changeObservers { $0.append(observer) }
    return RegistrationToken { [weak core, weak observer] in
      guard let core, let observer else { return false }
      return core.changeObservers { $0.remove(observer) }
    }
  }
}
