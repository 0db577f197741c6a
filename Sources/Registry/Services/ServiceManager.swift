public import RegistryC

/// Gives whatever implements a protocol.
///
/// ```swift
/// let cart = try ServiceManager.shared.createService(for: CartService.self)
/// ```
///
/// A manager finds the services that loaded images export (``ExportService(_:scope:named:priority:)``), and
/// those that were given to ``register(_:scope:named:priority:replacing:fileID:line:factory:)``. It may be
/// used from any thread. A value of this type is a handle: copies are the same manager.
///
/// Nothing is read before the first look-up. Look-ups of a shared service that was made already take no lock
/// and allocate nothing; see `Documentation/Design.md`.
@frozen public struct ServiceManager: @unchecked Sendable {
  // Unchecked: `cell` is a lock-free table and `owner` is a `ServiceCore`, which is `Sendable`.

  @usableFromInline let cell: UnsafeMutablePointer<registry_cell>
  /// Keeps the cell alive; nil for the shared manager, whose cell is static.
  @usableFromInline let owner: AnyObject?

  @inlinable init(cell: UnsafeMutablePointer<registry_cell>, owner: AnyObject?) {
    self.cell = cell
    self.owner = owner
  }

  /// The manager of every record in this process.
  @inlinable public static var shared: ServiceManager {
    ServiceManager(cell: registry_shared(), owner: nil)
  }

  /// Makes a manager of one's own, for a test or for a part of an app that shares nothing.
  ///
  /// - Parameters:
  ///   - records: Where it takes exported services from; from nowhere unless told.
  ///   - onDiagnostic: Is told what is wrong, on the thread that found out. Writes a line to standard error
  ///     unless told otherwise.
  public init(
    records: RecordSource = .none,
    onDiagnostic: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.toStandardError
  ) {
    let core = ServiceCore(parent: nil, source: records, onDiagnostic: onDiagnostic)
    self.init(cell: core.cell, owner: core)
  }

  /// Makes a manager that asks another for what it does not have itself.
  ///
  /// ```swift
  /// let document = ServiceManager(parent: .shared)
  /// document.register(Undo.self, scope: .shared) { UndoStack() }
  /// ```
  ///
  /// What this one has comes first, registered or exported; then what the parent has. Instances that the parent
  /// shares stay the parent's, and live as long as it does; their initializers ask whatever manager they always
  /// ask. The child keeps its parent alive. A look-up that the parent serves costs a lock more than one of the
  /// parent's own.
  ///
  /// - Parameters:
  ///   - parent: Whom to ask.
  ///   - records: Where it takes exported services of its own from; from nowhere unless told.
  ///   - onDiagnostic: Is told what is wrong with what is its own. What the parent does unless told otherwise.
  public init(
    parent: ServiceManager, records: RecordSource = .none, onDiagnostic: (@Sendable (Diagnostic) -> Void)? = nil
  ) {
    let core = ServiceCore(
      parent: parent.core, source: records, onDiagnostic: onDiagnostic ?? parent.onDiagnostic)
    self.init(cell: core.cell, owner: core)
  }

  @usableFromInline var core: ServiceCore {
    // `owner` is nil or what the initializer above put there.
    owner.map { unsafeDowncast($0, to: ServiceCore.self) } ?? ServiceCore.shared
  }

  // MARK: - Look-ups

  /// Gives the best implementation of a protocol, made according to its scope.
  ///
  /// Without a name only unnamed implementations are considered, with one only those of that name. Images
  /// present at first use come before later ones, then the higher priority, then load order.
  ///
  /// - Parameters:
  ///   - type: The protocol, as `P.self`.
  ///   - name: The name it is exported or registered under.
  /// - Throws: ``ServiceError``. A service of a global actor that has to be made is made on that actor only;
  ///   elsewhere this throws ``ServiceError/wrongIsolation(service:implementation:image:actor:)``, and
  ///   ``service(for:named:)`` goes there.
  @inlinable @inline(__always)
  public func createService<Service>(
    for type: Service.Type, named name: String? = nil
  ) throws(ServiceError) -> Service {
    // Reading needs the table, the table needs the owner.
    defer { withExtendedLifetime(owner) {} }
    // What is stored under a type's metadata is a value of that type.
    if name == nil, let found = registry_find(cell, unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)) {
      // See `TableValue`.
      if UInt(bitPattern: found) & 3 == 0 { return found.assumingMemoryBound(to: Service.self).pointee }
      return try make(found, type)
    }
    return try create(type, name)
  }

  @usableFromInline @inline(never)
  func make<Service>(_ found: UnsafeRawPointer, _ type: Service.Type) throws(ServiceError) -> Service {
    // Before anything else, as it is most of what an instance costs beside its initializer.
    guard UInt(bitPattern: found) & 1 != 0 else { return try serve(found, type) }
    let entry = Unmanaged<ServiceEntry>.fromOpaque(found - 1)
    do {
      return try ResolutionFrame.make(entry, as: type)
    } catch {
      return try recover(entry, error, type)
    }
  }

  // Apart, so that what is seldom takes no room in what is not.
  @inline(never)
  private func serve<Service>(_ found: UnsafeRawPointer, _ type: Service.Type) throws(ServiceError) -> Service {
    try core.serve(found, as: type)
  }

  @inline(never)
  private func recover<Service>(
    _ entry: Unmanaged<ServiceEntry>, _ error: any Error, _ type: Service.Type
  ) throws(ServiceError) -> Service {
    try core.recover(entry.takeUnretainedValue(), error, as: type)
  }

  @usableFromInline @inline(never)
  func create<Service>(_ type: Service.Type, _ name: String?) throws(ServiceError) -> Service {
    switch try core.attempt(type, named: name) {
    case .created(let service): return service
    case .elsewhere(_, let error): throw error
    }
  }

  /// Gives the best implementation of a protocol; goes to its actor if it has to be made there.
  ///
  /// - Throws: ``ServiceError``.
  public func service<Service: Sendable>(
    for type: Service.Type, named name: String? = nil
  ) async throws(ServiceError) -> Service {
    switch try core.attempt(type, named: name) {
    case .created(let service): return service
    case .elsewhere(let actor, _): return try await create(type, name, on: actor)
    }
  }

  private func create<Service: Sendable>(
    _ type: Service.Type, _ name: String?, on actor: isolated any Actor
  ) throws(ServiceError) -> Service {
    try create(type, name)
  }

  /// Gives all implementations of a protocol, named ones included, best first.
  ///
  /// Looks for images opened meanwhile. An implementation that cannot be used is left out and reported.
  ///
  /// - Throws: ``ServiceError`` if an initializer throws or one of them is made on another actor. No error
  ///   but an empty array if there are none.
  public func createServices<Service>(for type: Service.Type) throws(ServiceError) -> [Service] {
    try core.attemptAll(type)
  }

  /// Whether there is an implementation that can be used, as far as can be told without making one.
  ///
  /// Looks for images opened meanwhile.
  public func contains<Service>(_ type: Service.Type, named name: String? = nil) -> Bool {
    core.contains(type, named: name)
  }

  // MARK: - Images

  /// Opens an image, for the services that it exports: a plug-in.
  ///
  /// ```swift
  /// let plugIn = try ServiceManager.shared.open("/opt/shop/libPromotion.so")
  /// defer { plugIn.close() }
  /// ```
  ///
  /// The image is opened for the process, with its symbols its own: every manager that takes records from it finds its
  /// services, this one at once. They come after those that are there, whatever their priority. If it exports modules,
  /// open it with the module manager. App and plug-in depend on the product `RegistryDynamic`, so that they share one copy
  /// of the library; a second copy is reported (``Diagnostic/Code/twoCopies``).
  ///
  /// Blocks while the loader works, and runs the image's initialisers on this thread. Any thread; not from an initialiser
  /// of an image.
  ///
  /// - Throws: ``ImageLoadError``, with the loader's words.
  @discardableResult
  public func open(_ path: String) throws(ImageLoadError) -> OpenedImage {
    let opened = try OpenedImage.open(path)
    core.refresh()
    return opened
  }

  // MARK: - Diagnostics

  /// Is told what is wrong, on the thread that found out. May be set at any time; what was reported before
  /// is in ``report()``. In an isolated scope it is the scope's own, and so is what is reported there.
  public var onDiagnostic: @Sendable (Diagnostic) -> Void {
    get { core.current.log.handler }
    nonmutating set { core.current.log.handler = newValue }
  }

  /// Every record in the manager's images and every problem so far, after its own those of its parent.
  ///
  /// Looks for images opened meanwhile and for the classes that C records name; makes no instance.
  public func report() -> RegistryReport {
    var records: [ExportedRecord] = []
    var diagnostics: [Diagnostic] = []
    var known: Set<UInt> = []
    for core in core.lineage.map(\.current) {
      core.refresh()
      for entry in core.unusedNamedEntries() { _ = core.checkedClass(of: entry) }
      let feed = core.state.withLock { $0.feed }
      records += feed.images.flatMap(\.records).filter { known.insert($0.address).inserted }
      diagnostics += core.log.diagnostics
      for problem in feed.unreadImages where !diagnostics.contains(problem) { diagnostics.append(problem) }
    }
    return RegistryReport(records: records, diagnostics: diagnostics)
  }

  /// Whether it or a manager above it takes records from images at all.
  package var readsImages: Bool { core.lineage.contains { !$0.source.isEmpty } }

  /// Why a look-up would find nothing to make; nil if it would find something.
  package func absence<Service>(of type: Service.Type, named name: String?) -> ServiceError? {
    guard !contains(type, named: name) else { return nil }
    do {
      _ = try core.attempt(type, named: name)
      return nil
    } catch {
      return error
    }
  }

  /// Looks for images opened meanwhile.
  package func refresh() { for core in core.lineage { core.current.refresh() } }
}

extension ServiceManager: CustomReflectable {
  /// Nothing: test libraries and debuggers that look into values are not led through everything that is registered.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
