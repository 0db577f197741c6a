package import Registry
internal import RegistryC

@MainActor package final class ModuleEntry: Subscriber {
  enum Source {
    case accessor(RecordAccessor)
    // The other cases are indirect, so that they don't enlarge the many entries with accessors.
    /// The name of a type in a C record, or passed to the manager at a location instead of the
    /// type. The first value is the type if a pass over all conformances found it.
    indirect case named((any Module.Type)? = nil, location: String? = nil)
    indirect case recorded(RecordedModule)
    /// A type that was passed to the manager. A module that a closure creates has its own name.
    indirect case type(any Module.Type, location: String, make: (@MainActor () throws -> any Module)? = nil)
    /// A handler, and the registrations of the module or handler that added it.
    indirect case handler(EventHandler, owner: OwnedRegistrations?)
  }

  package enum State {
    /// Known but not created.
    case known
    /// Waiting for the first event that the module handles.
    case inactive
    /// Running its initializer or setup, which can call any method of the manager.
    case settingUp
    /// Set up and reachable for events.
    case setUp
    /// A one-time handler that has been called. If it is exported, the next start sets it up again.
    case consumed
    /// Removed, but not torn down until its asynchronous shutdown ends; see ``AsyncPhases``.
    case shuttingDown
    /// Torn down, removed, or unusable.
    case removed
  }

  package nonisolated let attributes: ModuleAttributes
  package nonisolated let isHandler: Bool
  package private(set) var state = State.known
  /// Boolean values that indicate whether the instance was initialized, and whether it has received
  /// or missed the start's events.
  var progress = (isInitialized: false, hasJoined: false)
  @exclusivity(unchecked) private var hasSubscribed = false
  private let source: Source
  /// The type that identifies the module, or nil while it is unknown.
  ///
  /// Always nil for handlers, and for Objective-C classes that an adapter turns into modules.
  // Unchecked: only the main actor uses the property, and a change runs no code that could use it.
  @exclusivity(unchecked) package private(set) var identity: (any Module.Type)?
  /// The closure that creates the module, or nil to use the type's initializer.
  private var make: (@MainActor () throws -> any Module)?
  /// The runtime's name for the type if it differs from the recorded name, such as an Objective-C
  /// name.
  private(set) var alias: String?
  private(set) var instance: (any Module)?
  /// The codes and names of problems in `after` that must not be reported again.
  private var reportedProblems: Set<String> = []
  var index = 0
  var aliasIndex = 0
  var pendingIndex = 0
  /// The index among the modules that are being ordered.
  var rank = 0

  init(attributes: consuming ModuleAttributes, image: LoadedImage?, source: Source) {
    let name = attributes.module
    self.attributes = consume attributes
    self.source = source
    if case .handler = source { isHandler = true } else { isHandler = false }
    super.init(name: name, image: image)
    if case .handler(let handler, _) = source { handlers = [handler] }
  }

  package convenience init(_ module: RecordedModule, _ image: LoadedImage) {
    self.init(attributes: module.attributes, image: image, source: .recorded(module))
  }

  var hasAsyncPhases: Bool { identity?.__hasAsyncPhases ?? false }

  /// A Boolean value that indicates whether a C record or a manifest gives only the module's name.
  /// If so, any type with that name matches.
  var isNamed: Bool {
    switch source {
    case .named: true
    case .recorded(let module): !module.hasAccessor
    default: false
    }
  }

  var owner: OwnedRegistrations? { if case .handler(_, let owner) = source { owner } else { nil } }

  private var recorded: RecordedModule? { if case .recorded(let module) = source { module } else { nil } }

  /// The source location, manifest entry, or initializer that registered the module; nil for
  /// exported modules and all handlers.
  package var location: String? {
    switch source {
    case .named(_, let location): location
    case .type(_, let location, _): location
    case .recorded, .accessor, .handler: nil
    }
  }

  /// A Boolean value that indicates whether a closure creates the module. Closures can create
  /// several modules of one type.
  var isCreated: Bool { if case .type(_, _, .some) = source { true } else { false } }

  var isInitializedLater: Bool { attributes.initialization == .inNextTurn && !hasAsyncPhases }

  /// The address of the type, or zero while the type is unknown. Modules with the same name and
  /// priority are sorted by address, because addresses don't depend on the order of registration.
  var typeAddress: UInt { identity.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0 }

  /// A name that all entries of the same module share; see ``isSame(as:)``.
  var identityName: String { isCreated ? name : alias ?? name }

  /// Returns whether a problem with a name in `after` is new, and marks it as reported.
  func isNewProblem(_ code: Diagnostic.Code, _ name: String) -> Bool { reportedProblems.add("\(code) \(name)") }

  /// Returns whether a name in `after` refers to a module with that name. If `after` gives a type,
  /// the name doesn't refer to other private types with that name.
  package func refers(to other: ModuleEntry, by name: String) -> Bool {
    if let files = recorded?.precedingFiles[name] { return files.contains(other.recorded?.file) }
    guard let types = attributes.precedingTypes[name] else { return true }
    for type in types where other.isModule(of: type, in: image) { return true }
    return false
  }

  /// Returns whether this module has the given type. If the module's type is unknown, returns true.
  ///
  /// In one image, two private types with the same name are two modules. In two images, they count
  /// as copies of one type: the name contains the Swift module, which must have been linked twice.
  func isModule(of type: Any.Type, in otherImage: LoadedImage?) -> Bool {
    guard let identity else { return true }
    if isSameType(identity, type) { return true }
    guard let image, let otherImage, image != otherImage else { return false }
    return isPrivateType(identity) && isPrivateType(type) && recordName(of: identity) == recordName(of: type)
  }

  func isSame(as other: ModuleEntry) -> Bool {
    Subscriber.steps += 1
    if isCreated || other.isCreated { return name == other.name }
    if let recorded, let other = other.recorded { return recorded.isSame(as: other) }
    guard let identity else { return true }
    if name == other.name, isNamed || other.isNamed { return true }
    return other.isModule(of: identity, in: image)
  }

  // MARK: - Finding the type

  func resolve() -> Diagnostic? {
    if identity != nil || make != nil { return nil }
    switch source {
    case .type(let given, _, let make):
      self.make = make
      setIdentity(given)
    case .recorded(let module): alias = module.alias
    case .accessor(let accessor):
      var metadata: UnsafeRawPointer?
      guard accessor(&metadata, nil, 0), let metadata else {
        return diagnostic(
          .warning, .unavailable, "the type is marked as unavailable on this system; the module is ignored")
      }
      // The accessor can overwrite this value, which has the right size and alignment and owns no
      // memory.
      var result: any Module.Type = Placeholder.self
      guard accessor(&result, metadata, 0), result != Placeholder.self else {
        return diagnostic(
          .error, .accessorRefused, "the accessor of the record does not return the type; the module is ignored")
      }
      setIdentity(result)
    case .named(let type?, _): setIdentity(type)
    case .named:
      guard let found = ClassLookup.type(named: name) else {
        return diagnostic(.error, .unknownClass, ClassLookup.absence(of: name))
      }
      if let module = found as? any Module.Type {
        setIdentity(module)
        break
      }
      do throws(ForeignModule.Refused) {
        let foreign = try ForeignModule.adapt(name)
        handlers = foreign.handlers
        make = foreign.make
      } catch {
        return diagnostic(.error, .notConforming, error.message)
      }
    case .handler: break
    }
    return nil
  }

  private func setIdentity(_ type: any Module.Type) {
    identity = type
    // A top-level type has the same name at run time. Asking the runtime for the name takes at
    // least a microsecond, which would be most of a module's cost before the start.
    if !isCreated, isOfTopLevel(name) { return }
    let runtimeName = recordName(of: type)
    if runtimeName != name { alias = runtimeName }
  }

  func subscribe() {
    guard !hasSubscribed else { return }
    hasSubscribed = true
    if let identity { handlers = subscriptions(of: identity) }
    guard isInitializedLater else { return }
    // This event is triggered before the module's initialization, so ignore the event then. It is
    // replayed after the initialization.
    for (index, handler) in handlers.enumerated()
    where "\(handler.id)" == "\(Event<Void, Void>.modulesDidInitialize.id)" {
      handlers[index] = handler.called { [unowned self] _ in self.progress.isInitialized }
    }
  }

  private func subscriptions<M: Module>(of type: M.Type) -> [EventHandler] {
    let subscriptions = Subscriptions<M>()
    M.subscribe(subscriptions)
    return subscriptions.added.handlers
  }

  // MARK: - Phases

  /// Creates the module and sets it up.
  ///
  /// - Returns: `false` if the entry wasn't waiting for its setup, or if the module's code removed
  ///   the module or stopped the manager.
  /// - Throws: The module's error. The caller must then call ``drop(_:)``.
  func setUp(_ context: Context) throws(ModuleError) -> Bool {
    guard state == .known || state == .inactive else { return false }
    move(to: .settingUp)
    registrations = nil
    progress = (false, false)
    var module: (any Module)?
    // Only a handler has neither a closure nor a type.
    try attempt(.initializer, context) { module = try make?() ?? identity?.init() ?? Placeholder() }
    // The initializer may have removed the module or restarted the manager, which then uses another
    // instance.
    guard state == .settingUp else { return false }
    instance = module
    try attempt(.setUp, context) { try module?.setUp(context) }
    guard state == .settingUp else {
      // The entry may already have a new instance, which the caller would drop after an error.
      do throws(ModuleError) {
        try attempt(.tearDown, context) { try module?.tearDown(context) }
      } catch {
        context.report(diagnostic(.error, .phaseFailed, "\(error.text(of: "the module")); the other modules continue"))
      }
      return false
    }
    move(to: .setUp)
    return true
  }

  /// Runs a phase that follows the setup.
  func run(_ phase: ModulePhase, _ context: Context) throws(ModuleError) {
    guard state == .setUp || (state == .shuttingDown && phase == .tearDown), let instance else { return }
    // Change the state before the call, because a module can remove itself in its teardown.
    if phase == .tearDown { move(to: .removed) }
    // A module that is activated during the start is initialized immediately, so don't initialize
    // it again with the other modules.
    if phase == .initialize {
      if progress.isInitialized { return }
      progress.isInitialized = true
    }
    try attempt(phase, context) {
      switch phase {
      case .initialize: try instance.initialize(context)
      case .didFinishStarting: try instance.didFinishStarting(context)
      default: try instance.tearDown(context)
      }
    }
  }

  private func attempt(_ phase: ModulePhase, _ context: Context, _ body: () throws -> Void) throws(ModuleError) {
    do {
      // Observers aren't notified of handlers' phases.
      guard !isHandler else { return try body() }
      try context.perform(for: self) {
        try context.workObservers.observing(.phase(phase.rawValue), name, image, body)
      }
    } catch {
      throw .failed(.setUpFailed, self, phase, error)
    }
  }

  // MARK: - State

  func move(to state: State) {
    self.state = state
    isInactive = state == .inactive
    receiver = state == .setUp ? instance : nil
  }

  func consume() -> Bool {
    guard state == .setUp else { return false }
    move(to: .consumed)
    // An exported handler stays, because it is called again after the next start.
    return image == nil
  }

  /// Releases the module, and sets the entry's state.
  ///
  /// - Returns: The instance. The caller must retain it while one of its handlers may be running.
  func drop(_ state: State) -> (any Module)? {
    move(to: state)
    registrations?.end()
    defer { instance = nil }
    return instance
  }

  /// Not true for a removed one-time handler unless it is exported, because it's removed before its
  /// call.
  override var wasTornDown: Bool {
    state == .known || state == .inactive || state == .removed && (!runsOnce || image != nil)
  }
}

/// A stand-in for the missing module of an independent handler, and for a module's type until the
/// record's accessor writes that type.
private final class Placeholder: Module {}

// This function is outside `ModuleEntry`, because in code that's isolated to the main actor, the
// closure would check the executor at run time.

/// Returns whether a recorded name consists of a module and a type.
///
/// `Cart.CartModule` does, unlike `Cart.String.CartModule` or the Objective-C name `CartModule`.
private func isOfTopLevel(_ name: String) -> Bool {
  var name = name
  return name.withUTF8 { registry_is_top_level($0.baseAddress, $0.count) }
}
