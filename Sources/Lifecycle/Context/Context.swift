public import Registry

/// The state that the modules of one manager share.
///
/// All modules see changes to the context immediately.
@MainActor public final class Context {
  /// The environment that an app runs in.
  @nonexhaustive public enum Environment: Sendable {
    case development
    case test
    case staging
    case production

    /// The name of the case. It doesn't depend on reflection.
    package var text: String {
      switch self {
      case .development: "development"
      case .test: "test"
      case .staging: "staging"
      case .production: "production"
      }
    }
  }

  /// The environment that the app runs in. The app sets it before the start.
  public var environment: Environment

  /// A key that distinguishes apps that share modules; empty unless the app sets it.
  public var appKey: String

  /// The settings under typed keys.
  ///
  /// To observe changes, use ``observe(_:notify:)`` or ``Event/configurationDidChange``. Each
  /// assignment that changes a setting causes one notification. To change several settings with one
  /// notification, assign a new value to the property.
  public var configuration: ContextValues {
    didSet {
      if configuration.owner !== observers.owner { configuration.owner = observers.owner }
      observers.configurationDidChange(to: configuration)
    }
  }

  /// The values that the app passed when it started the manager.
  public internal(set) var launch = ContextValues() {
    didSet { launch.owner = ContextValuesOwner(log) }
  }

  /// The service manager for the modules.
  ///
  /// A module's registrations through this property belong to the module, and are removed after its
  /// ``Module/tearDown(_:)``, or after its ``Module/setUp(_:)`` if that throws:
  ///
  /// ```swift
  /// func setUp(_ context: Context) throws {
  ///   context.services.register(CartService.self) { DefaultCart() }
  ///   context.permanentServices.register(Clock.self) { SystemClock() }  // stays
  /// }
  /// ```
  ///
  /// The same applies to all phases and handlers of a module, to tasks of its asynchronous phases
  /// and handlers, and to handlers without a module. In a synchronous phase or handler, capture the
  /// value of this property before creating a task, because the property can't tell which module
  /// the task belongs to.
  ///
  /// In other code, such as the app's, the property returns ``permanentServices``.
  public var services: ServiceManager { collecting?.services ?? permanentServices }

  /// The same manager, for services that stay after the module that registers them is torn down.
  public let permanentServices: ServiceManager

  /// The innermost event in progress, or nil if there is none.
  ///
  /// The property also returns the event during the app's own handling; see ``HandlerTiming``.
  public var event: CurrentEvent? { deliveries.currentEvent }

  package let log: DiagnosticLog
  let time: TimeSource
  let workObservers = WorkObservers()
  let deferred = DeferredWork()
  weak var manager: (any ContextManager)?
  let observers: ConfigurationObservers
  private let deliveries: any EventDeliveries
  /// The owner of the code that `perform(for:_:)` runs, and the event depth when that code began.
  private var phases: [(owner: (any RegistrationOwner)?, depth: Int)] = []
  nonisolated let shutdown = GracefulShutdown()
  /// The request for a graceful shutdown, reset when the modules have stopped.
  nonisolated let shutdownRequest = GracefulShutdown()

  init(
    environment: Environment, appKey: String, configuration: ContextValues, services: ServiceManager,
    deliveries: any EventDeliveries, time: TimeSource, log: DiagnosticLog
  ) {
    self.deliveries = deliveries
    self.time = time
    self.log = log
    self.appKey = appKey
    var configuration = configuration
    configuration.owner = ContextValuesOwner(log)
    observers = ConfigurationObservers(configuration, log)
    self.environment = environment
    self.configuration = configuration
    permanentServices = services
  }

  // MARK: - Ownership

  /// The owner of the running handler; nil without an event or while the app handles the event.
  var currentOwner: (any RegistrationOwner)? { deliveries.currentOwner }

  /// Runs code whose registrations belong to a module or handler, or to the app if `owner` is nil.
  func perform(for owner: (any RegistrationOwner)?, _ body: () throws -> Void) rethrows {
    phases.append((owner, deliveries.depth))
    defer {
      phases.removeLast()
      endRegistrations(ofTornDown: owner)
    }
    try body()
  }

  // Not inlined: the compiler specializes `perform` for each closure.
  @inline(never) private func endRegistrations(ofTornDown owner: (any RegistrationOwner)?) {
    guard let owner, owner.wasTornDown else { return }
    // A teardown can call the module's observers, and its registrations end after it.
    for outer in phases where outer.owner === owner { return }
    owner.registrations?.end()
  }

  /// The registrations of the module or handler whose code is running; nil in the app's code.
  var collecting: (registrations: OwnedRegistrations?, services: ServiceManager)? {
    let depth = deliveries.depth
    // Compare depths to find the innermost code: a handler can run inside the phase that triggered
    // its event, and a phase can run inside the handler that registered its module.
    let phase = phases.last
    let isPhase = phase?.depth == depth
    let current = depth == 0 && !isPhase ? ModuleWork.current : nil
    let work = current?.manager === shutdown ? current : nil
    guard let owner = isPhase ? phase?.owner : work?.owner ?? currentOwner else { return nil }
    var registrations = work?.registrations ?? self.registrations(of: owner, isPhase: isPhase)
    return (registrations, permanentServices.collecting(&registrations))
  }

  func registrations(of owner: any RegistrationOwner, isPhase: Bool = false) -> OwnedRegistrations? {
    var registrations = owner.registrations
    _ = permanentServices.collecting(&registrations)
    // A handler or a task can outlive its module. If it does, its registrations end immediately.
    if isPhase || !owner.wasTornDown { owner.registrations = registrations } else { registrations?.end() }
    return registrations
  }

  /// Reports a diagnostic, even if it was reported before.
  package func report(_ diagnostic: Diagnostic) { log.report(diagnostic, always: true) }

  // MARK: - Graceful shutdown

  /// A Boolean value that indicates whether a graceful shutdown has begun.
  ///
  /// In ``AsyncModule/run(_:)``, and in tasks that inherit its task-local values, the property
  /// describes the module: it is true as soon as the modules that wait for this one have shut down,
  /// right before ``AsyncModule/shutDown(_:)`` is called. Removing a module shuts it down, too.
  /// Elsewhere, and in handlers that `run` triggers, the property describes the manager: it is true
  /// from the beginning of a stop until all modules are torn down.
  ///
  /// You can read the property on any thread. Each read acquires a lock. A `run` that reads it
  /// observes the shutdown, so its task is canceled only after ``PhaseLimits/gracePeriod``.
  public nonisolated var isShuttingDownGracefully: Bool { observedShutdown.query() }

  /// Waits until a graceful shutdown begins.
  ///
  /// ```swift
  /// func run(_ context: Context) async throws {
  ///   let heartbeat = Task { try await sendHeartbeats() }
  ///   try await context.gracefulShutdown()
  ///   heartbeat.cancel()
  /// }
  /// ```
  ///
  /// ``isShuttingDownGracefully`` describes which shutdown applies. If that shutdown has begun, the
  /// method returns immediately. Otherwise, the method begins to observe it before suspending, on
  /// the caller's actor.
  ///
  /// - Throws: `CancellationError` if the task is canceled first.
  public nonisolated(nonsending) func gracefulShutdown() async throws {
    let shutdown = observedShutdown
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let handler = shutdown.add { continuation.yield() }
    defer { if let handler { shutdown.remove(handler) } }
    // A manager's shutdown can be over when this task continues, so don't read the state.
    for await _ in stream { return }
    // The stream ended because the task was canceled.
    throw CancellationError()
  }

  /// Performs an operation, and calls a handler if a graceful shutdown begins during it.
  ///
  /// ```swift
  /// func run(_ context: Context) async throws {
  ///   try await context.withGracefulShutdownHandler {
  ///     for await job in queue { try await process(job) }
  ///   } onGracefulShutdown: {
  ///     queue.finish()  // the loop completes the jobs that are left
  ///   }
  /// }
  /// ```
  ///
  /// ``isShuttingDownGracefully`` describes which shutdown applies. Handlers are called in the
  /// order they were added, outer handlers first. The task of `run` is canceled when its grace
  /// period ends; see ``PhaseLimits/gracePeriod``.
  ///
  /// - Parameters:
  ///   - operation: The operation to perform, on the caller's actor.
  ///   - handler: A closure that is called at most once, on the main actor, when the shutdown
  ///     begins. If the shutdown has already begun, the closure is called on the caller's actor,
  ///     before the operation. The closure must return quickly. It can outlast the operation.
  /// - Returns: The result of the operation.
  /// - Throws: Any error that `operation` throws.
  public nonisolated(nonsending) func withGracefulShutdownHandler<Result>(
    operation: () async throws -> Result, onGracefulShutdown handler: @escaping @Sendable () -> Void
  ) async rethrows -> Result {
    let shutdown = observedShutdown
    let added = shutdown.add(handler)
    defer { if let added { shutdown.remove(added) } }
    return try await operation()
  }

  /// Requests a graceful shutdown of the manager, from any thread, and returns immediately.
  ///
  /// See ``ModuleManager/triggerGracefulShutdown()``.
  public nonisolated func triggerGracefulShutdown() { shutdownRequest.begin() }

  private nonisolated var observedShutdown: GracefulShutdown {
    guard let work = ModuleWork.current, work.manager === shutdown else { return shutdown }
    // A handler or phase that the work calls belongs to another module.
    // Not `assumeIsolated`, as in `RegistrationToken`.
    let isIdle = withoutIsolation { @MainActor in self.deliveries.depth == 0 && self.phases.isEmpty }
    let isInWork = !MainActor.shared.isCurrent || (try? isIdle()) == true
    return isInWork ? work.shutdown ?? shutdown : shutdown
  }
}

/// Reports a problem on the main actor: in a later turn if the code that finds it runs elsewhere.
@inline(never)
func onMainActor(_ report: @escaping @Sendable () -> Void) {
  if MainActor.shared.isCurrent { report() } else { Task { @MainActor in report() } }
}

extension DiagnosticLog {
  /// Reports a problem that doesn't belong to a single module.
  package func report(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ subject: String, _ message: String, always: Bool = true
  ) {
    report(Diagnostic(severity: severity, code: code, subject: subject, image: nil, message: message), always: always)
  }

  /// Reports a probable mistake once, and only in a debug build. A message of nil reports nothing.
  @inline(__always)
  package func remark(
    _ code: Diagnostic.Code, _ subject: @autoclosure () -> String, _ message: @autoclosure () -> String?
  ) {
    #if DEBUG
    if let message = message() { report(.warning, code, subject(), message, always: false) }
    #endif
  }
}

@MainActor protocol ContextManager: AnyObject {
  /// Ends the registration of a one-time handler that is about to run.
  func consume(_ owner: any RegistrationOwner)

  var requiresNeeds: Bool { get }
}

@MainActor protocol RegistrationOwner: AnyObject, Sendable {
  /// The registrations since the last setup, which may have ended.
  var registrations: OwnedRegistrations? { get set }

  /// A Boolean value that indicates whether registrations end immediately, as after a teardown, or
  /// in a phase, when that returns.
  var wasTornDown: Bool { get }
}

/// An observer's registrations belong to its owner, even if nothing retains the owner anymore.
extension OwnedRegistrations: RegistrationOwner {
  var registrations: OwnedRegistrations? {
    get { self }
    set {}
  }
  var wasTornDown: Bool { false }
}
