import Registry

/// A module that a manager knows.
@MainActor final class ModuleEntry {
  enum Source {
    /// A Swift record: its accessor knows the type.
    case accessor(RecordAccessor)
    /// A C record: the type is found by its name.
    case named
    /// The type was given to the manager.
    case type(any Module.Type)
    /// It is no module but a handler that belongs to none, with a place in the order like one.
    case handler(FreeHandler)
  }

  enum State {
    case known
    /// Waits for the first event that it subscribed to.
    case dormant
    /// Its own set-up is under way, and may do anything to its manager.
    case settingUp
    case setUp
    /// A handler that is called once, and was: events do not reach it before the next start.
    case spent
    /// Taken out, and torn down when it has shut down; see ``AsyncPhases``.
    case leaving
    /// Torn down, unregistered or unusable.
    case gone
  }

  nonisolated let attributes: ModuleAttributes
  nonisolated let image: LoadedImage?
  private let source: Source
  private(set) var handlers: [EventHandler] = []
  /// The type to instantiate, once it is known.
  private var type: (any Module.Type)?
  /// The type that is this module's identity; nil as long as it is unknown, and for what is no
  /// module type of its own: a handler, and a class of Objective-C that is a module through an
  /// adapter.
  private(set) var identity: (any Module.Type)?
  /// The runtime's name of the type if the module is recorded under another one: under the name
  /// that the class has in Objective-C, or one that the macro could not spell as the runtime does.
  private(set) var alias: String?
  /// A Boolean value that indicates whether another module had the same name when either was added.
  var sharesName = false
  /// Of a class that is a module by way of another: makes that one.
  private var makeForeign: (@MainActor () throws -> any Module)?
  private(set) var instance: (any Module)?
  var state = State.known {
    didSet {
      if state == .setUp, let instance {
        reachable.pointee = Unmanaged.passUnretained(instance)
      } else {
        reachable.pointee = nil
        if !answering.isEmpty { withdrawAnswers() }
      }
    }
  }
  /// The instance as long as events reach it. In memory of its own, which the dispatch reads.
  // Unsafe: freed by the deinit, which nobody reads beside; else of the main actor.
  nonisolated(unsafe) let reachable: UnsafeMutablePointer<Unmanaged<AnyObject>?>
  /// What it has begun to answer and is waited for.
  var answering: [PendingAnswer] = []
  /// Names in `after` of which was said that nobody has them: once is enough, and an order is made anew with every module
  /// that comes.
  var doubtful: Set<String> = []
  /// Those of which was said that they are normal modules' and this one is basic: they may have been unknown before.
  var misplaced: Set<String> = []
  /// Those of which was said that they wait for their first event and this one does not.
  var asleep: Set<String> = []

  /// Whether this instance was initialised.
  private var isInitialized = false
  /// A Boolean value that indicates whether the type has been asked for its subscriptions.
  private var hasSubscribed = false

  /// What its place among those of its priority goes by.
  nonisolated let orderKey: String
  nonisolated let isHandler: Bool

  /// Among the modules that are being ordered at present.
  var place = 0

  var hasAsyncPhases: Bool { type?.__hasAsyncPhases ?? false }

  nonisolated var name: String { attributes.module }

  /// The runtime's name of the type, as far as it is known: the same under whichever name the
  /// module is recorded.
  var runtimeName: String { alias ?? name }

  /// Returns whether `after` of this module names another one.
  func names(_ other: ModuleEntry) -> Bool {
    for name in attributes.after where name == other.name || name == other.alias { return true }
    return false
  }

  init(attributes: ModuleAttributes, image: LoadedImage?, source: Source) {
    self.attributes = attributes
    self.image = image
    self.source = source
    if case .handler = source { isHandler = true } else { isHandler = false }
    orderKey = isHandler ? attributes.module.naturalOrderKey : attributes.module
    reachable = .allocate(capacity: 1)
    reachable.initialize(to: nil)
  }

  deinit {
    reachable.deallocate()
  }

  /// A Boolean value that indicates whether a record of C or a manifest names the module. Such a
  /// name cannot say which of several types it is for, so it is taken for all of them.
  var isNamed: Bool { if case .named = source { true } else { false } }

  /// Finds the module's type.
  ///
  /// - Returns: The problem that keeps the module from being used.
  func resolve() -> Diagnostic? {
    guard type == nil else { return nil }
    switch source {
    case .type(let given): setIdentity(given)
    case .accessor(let accessor):
      var metadata: UnsafeRawPointer?
      guard accessor(&metadata, nil, 0), let metadata else {
        return diagnostic(.warning, .unavailable, "it is marked as not available on this system")
      }
      // Has the size and alignment of what is stored there, and overwriting it lets go of nothing.
      var result: any Module.Type = NoModule.self
      guard accessor(&result, metadata, 0), result != NoModule.self else {
        return diagnostic(.error, .accessorRefused, "the record's accessor does not give its type; it is left out")
      }
      setIdentity(result)
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
        (type, handlers, makeForeign) = (foreign.type, foreign.handlers, foreign.make)
      } catch {
        return diagnostic(.error, .notConforming, error.message)
      }
    case .handler(let handler):
      do throws(FreeHandler.Refused) {
        handlers = [try handler.subscription()]
      } catch {
        return diagnostic(.error, .accessorRefused, "the record's accessor does not give its handler; it is left out")
      }
      type = HandlerPlaceholder.self
    }
    return nil
  }

  private func setIdentity(_ type: any Module.Type) {
    self.type = type
    identity = type
    // A type that was passed to the manager is recorded under the runtime's name.
    if case .type = source { return }
    // So is a type that nothing encloses. The runtime takes a microsecond or more to spell a name,
    // which would be most of what a module costs before the start.
    if isOfTopLevel(name) { return }
    let runtimeName = recordName(of: type)
    if runtimeName != name { alias = runtimeName }
  }

  /// Collects the handlers of the module's type, which says what it subscribes to.
  func subscribe() {
    if let identity, !hasSubscribed { handlers = subscriptions(of: identity) }
    hasSubscribed = true
  }

  /// Returns whether another module of the same name is the same module.
  ///
  /// Two private types of one name are two modules. In two images they are taken for one type that
  /// was linked twice: a Swift module is in one image, and its name is in the type's name.
  func isSame(as other: ModuleEntry) -> Bool {
    guard let identity, let otherIdentity = other.identity else { return true }
    if isSameType(identity, otherIdentity) { return true }
    if name == other.name, isNamed || other.isNamed { return true }
    guard let image, let otherImage = other.image, image != otherImage else { return false }
    return isPrivateType(identity) && isPrivateType(otherIdentity)
      && recordName(of: identity) == recordName(of: otherIdentity)
  }

  /// The position among modules of one name and priority: of the types in their image, and so the
  /// same however the modules were registered. Zero without a type.
  var typeAddress: UInt { identity.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0 }

  private func subscriptions<M: Module>(of type: M.Type) -> [EventHandler] {
    let subscriptions = Subscriptions<M>()
    M.subscribe(subscriptions)
    return subscriptions.handlers
  }

  /// Makes the module and sets it up.
  ///
  /// - Returns: Whether it is set up now: not if it was taken out, or its manager stopped, meanwhile. It is torn down
  ///   again then. If it throws, ``drop(_:)`` must follow.
  func setUp(_ context: Context) throws(ModuleError) -> Bool {
    guard state == .known || state == .dormant, let type else { return false }
    state = .settingUp
    isInitialized = false
    let made = try attempt(.initializer, context) { try makeForeign?() ?? type.init() }
    // The initializer may have removed the module, or have restarted the manager, which then uses
    // another instance.
    guard state == .settingUp else { return false }
    instance = made
    if case .handler(let handler) = source {
      (made as? HandlerPlaceholder)?.belong(to: self, of: handler.manager)
    }
    try attempt(.setUp, context) { try made.setUp(context) }
    guard state == .settingUp else {
      try attempt(.tearDown, context) { try made.tearDown(context) }
      return false
    }
    state = .setUp
    return true
  }

  func run(_ phase: ModulePhase, _ context: Context) throws(ModuleError) {
    guard state == .setUp || (state == .leaving && phase == .tearDown), let instance else { return }
    // Once: a module may take itself out while it is torn down.
    if phase == .tearDown { state = .gone }
    // Once: it may be made, and initialised, while others are.
    if phase == .initialize {
      if isInitialized { return }
      isInitialized = true
    }
    try attempt(phase, context) {
      switch phase {
      case .initialize: try instance.initialize(context)
      case .didFinishStarting: try instance.didFinishStarting(context)
      case .tearDown: try instance.tearDown(context)
      case .initializer, .setUp, .becomeReady, .run, .shutDown: break
      }
    }
  }

  /// Lets nothing reach a handler any more that was to be called once.
  ///
  /// - Returns: Whether it is to be taken out for good.
  func spend() -> Bool {
    guard state == .setUp, case .handler(let handler) = source else { return false }
    state = .spent
    return handler.isGoneAfterCall
  }

  /// Lets go of the module.
  ///
  /// - Returns: Its instance: an event under way may be in one of its handlers.
  func drop(_ state: State) -> (any Module)? {
    self.state = state
    defer { instance = nil }
    return instance
  }

  private func attempt<Result>(
    _ phase: ModulePhase, _ context: Context, _ body: () throws -> Result
  ) throws(ModuleError) -> Result {
    do {
      // A context without its manager is one that outlived it.
      guard !isHandler, let manager = context.manager else { return try body() }
      return try manager.observing(activity(phase: phase), body)
    } catch {
      throw .setUpFailed(module: name, image: image, phase: phase, underlying: error)
    }
  }

  /// Whether the module is initialised in the turn after the start.
  var isInitializedLater: Bool { attributes.initialization == .inNextTurn && !hasAsyncPhases }

  nonisolated var step: CycleStep { CycleStep(subject: name, image: image) }

  func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(
      severity: severity, code: code, subject: name, image: image,
      message: sharesName ? "\(message); several private types have this name, and this is one of them" : message)
  }
}

/// Stands where a record's accessor is to put its module's type.
private final class NoModule: Module {}

// Not in the manager, where the closure would ask at run time whether it is on the main actor.
extension ModuleAttributes {
  init(of record: ExportedRecord) throws(JSONError) {
    self = try record.withJSON { bytes throws(JSONError) in try ModuleAttributes(bytes) }
  }
}

/// Returns whether a recorded name consists of a module and a type: "Cart.CartModule", but neither
/// "Cart.String.CartModule" nor "CartModule", which Objective-C knows.
private func isOfTopLevel(_ name: String) -> Bool {
  var dots = 0
  for byte in name.utf8 where byte == UInt8(ascii: ".") { dots += 1 }
  return dots == 1
}
