public import Registry

/// A manager that sets up modules and delivers events to them in a deterministic order.
///
/// ```swift
/// let modules = ModuleManager.shared
/// try modules.start()
/// modules.trigger(.userDidLogIn, user)
/// ```
///
/// The module order is the same for every event and doesn't depend on the order of registration.
/// Basic modules precede normal ones. Within a level, the next module is the one with the highest
/// priority among modules whose `after` names only earlier modules; at equal priority, the smallest
/// name wins. Modules are torn down in reverse order.
///
/// The manager is a facade over three parts: `ModuleRegistry` keeps the modules, `EventDispatcher`
/// delivers events, and `ModuleRunner` starts and stops modules.
@MainActor public final class ModuleManager: CustomReflectable, IntervalSource, ContextManager {
  /// The manager of all modules that images in this process export without a group.
  public static let shared = ModuleManager(services: .shared, records: .loadedImages)

  /// The state that the modules of this manager share.
  public let context: Context

  package let registry: ModuleRegistry
  @usableFromInline let dispatcher: EventDispatcher
  let runner: ModuleRunner
  package var hostState: AnyObject?

  /// Creates a manager. A process can have any number of managers besides the shared one.
  ///
  /// - Parameters:
  ///   - modules: The modules that the manager has from the beginning. A module that an image
  ///     exports has the attributes of its `@ExportModule`; any other module has the level `normal`
  ///     and the priority zero.
  ///   - services: The value of ``Context/services``. By default, it is a separate manager that
  ///     serves the services in `records`.
  ///   - records: The source of exported modules and handlers. By default, no records are read.
  ///   - environment: The initial value of ``Context/environment``.
  ///   - appKey: The initial value of ``Context/appKey``.
  ///   - configuration: The initial value of ``Context/configuration``.
  ///   - time: The clock that measures time limits. Tests can pass a clock that they control.
  ///   - onDiagnostic: A closure that receives diagnostics, on the main actor. By default, they are
  ///     written to standard error.
  public init(
    modules: [any Module.Type] = [], services: ServiceManager? = nil, records: RecordSource = .none,
    environment: Context.Environment = .production, appKey: String = "", configuration: ContextValues = ContextValues(),
    time: TimeSource = .system, onDiagnostic: @escaping @Sendable (Diagnostic) -> Void = Diagnostic.toStandardError
  ) {
    let log = DiagnosticLog(handler: onDiagnostic)
    let stack = DispatchStack()
    context = Context(
      environment: environment, appKey: appKey, configuration: configuration,
      services: services
        ?? ServiceManager(records: records) { diagnostic in onMainActor { log.handler(diagnostic) } },
      deliveries: stack, time: time, log: log)
    dispatcher = EventDispatcher(stack, context)
    registry = ModuleRegistry(log: log)
    runner = ModuleRunner(registry: registry, dispatcher: dispatcher, context: context, records: records)
    runner.needs.managerHasServices = services != nil || !records.isEmpty
    context.manager = self
    for entry in registry.entries(of: modules) { _ = registry.insert(entry) }
  }

  // MARK: - Running

  /// Sets up the modules in module order, and then initializes them in the same order.
  ///
  /// Each module's ``Module/didFinishStarting(_:)`` follows in the next turn of the main actor.
  ///
  /// All modules subscribe to events before the first module is created. Events that are triggered
  /// during the start reach the modules that are already set up.
  ///
  /// - Parameter launch: The value of ``Context/launch``.
  /// - Throws: ``ModuleError``. If a module throws, the modules that were set up are torn down in
  ///   reverse order, and the manager can be started again. Modules with asynchronous phases are
  ///   refused before anything is set up; use ``run(launch:limits:)`` for them. If ``stop()`` is
  ///   called during the start, or ``triggerGracefulShutdown()`` before or during it, the code is
  ///   `stopped`.
  public func start(launch: ContextValues = ContextValues()) throws(ModuleError) {
    try runner.start(launch)
  }

  /// Starts the modules, runs their asynchronous phases, and waits until everything stops.
  ///
  /// ```swift
  /// @main struct Server {
  ///   static func main() async throws { try await ModuleManager.shared.run() }
  /// }
  /// ```
  ///
  /// The method guarantees the following. ``AsyncModule`` describes the phases.
  ///
  /// - It first starts the modules, like ``start(launch:)``. If that throws, no asynchronous phase
  ///   has begun.
  /// - Modules become ready in dependency order, and independent modules concurrently. Each module
  ///   begins its work as soon as it's ready.
  /// - The method waits until ``triggerGracefulShutdown()`` or ``stop()`` is called, its task is
  ///   canceled, or a module fails. By default, it keeps waiting even if all modules have returned
  ///   from their work; see ``AsyncModule/successTerminationBehavior``.
  /// - Everything stops in reverse order. A module that became ready, or began to, shuts down after
  ///   the modules that wait for it. When all modules have shut down, they are torn down as with
  ///   ``stop()``. The method returns or throws after that.
  /// - No module can hold up the others: a phase that exceeds its time limit is reported and
  ///   canceled. The manager waits for a canceled `becomeReady` or `run` for at most
  ///   ``PhaseLimits/shutDown``. ``PhaseLimits/totalShutdown`` limits the stop of all modules.
  /// - The first failure of ``AsyncModule/becomeReady(_:)`` or ``AsyncModule/run(_:)`` that stops
  ///   the manager is thrown. During a requested stop, only an error from a `run` is thrown, unless
  ///   it's a `CancellationError`. All other failures are reported.
  ///
  /// A module that is added later becomes ready in the background. If that fails, the module is
  /// reported and removed. A removed module stops receiving events immediately, shuts down in the
  /// background, and is torn down after that, without waiting for running modules that depend on
  /// it. A new module with the same name becomes ready after the old one is torn down.
  /// ``waitUntilIdle()`` waits for all of this. Modules that are added while everything stops wait
  /// for the next start.
  ///
  /// - Important: If ``triggerGracefulShutdown()`` was called before, the method reports that and
  ///   returns without setting anything up.
  /// - Parameters:
  ///   - launch: The value of ``Context/launch``.
  ///   - limits: The time limits of the asynchronous phases.
  /// - Throws: ``ModuleError``, or `CancellationError` if the task was canceled before a stop. A
  ///   graceful shutdown throws nothing unless a `run` fails.
  public func run(launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits()) async throws {
    try await runner.run(launch, limits)
  }

  /// Starts the modules, and runs their asynchronous phases in the background.
  ///
  /// The method works like ``run(launch:limits:)``, but returns when the modules are set up and
  /// initialized. Use it where the system expects the app to be ready for events when a callback
  /// returns, as in an app delegate's launch method. Modules then receive events, and asynchronous
  /// modules become ready later.
  ///
  /// The manager stays alive, even if the program releases it, until all modules are torn down, for
  /// example after ``stop()``, ``triggerGracefulShutdown()``, or a module's failure.
  ///
  /// ```swift
  /// try modules.runInBackground { error in show(error) }
  /// ```
  ///
  /// - Parameters:
  ///   - launch: The value of ``Context/launch``.
  ///   - limits: The time limits of the asynchronous phases.
  ///   - onFailure: A closure that is called after all modules are torn down, with the error that
  ///     ``run(launch:limits:)`` would throw. It is not called if the start itself throws.
  /// - Throws: The errors from ``start(launch:)``, except `needs-run`.
  public func runInBackground(
    launch: ContextValues = ContextValues(), limits: PhaseLimits = PhaseLimits(),
    onFailure: @escaping @MainActor (any Error) -> Void
  ) throws(ModuleError) {
    try runner.runInBackground(launch, limits, retaining: self, onFailure)
  }

  /// Tears down the modules in reverse order and releases them.
  ///
  /// The manager can be started again, with new instances. The call's effect depends on the state:
  ///
  /// - During a start, the remaining phases are skipped, and modules that are set up are torn down.
  ///   The start throws an error (`stopped`), but ``run(launch:limits:)`` returns normally.
  /// - If the manager runs asynchronous phases, the call begins the shutdown and returns.
  /// - Before the first start, the call has no effect and is reported.
  /// - After a stop, the call has no effect.
  public func stop() { runner.stop() }

  /// Requests a graceful shutdown, from any thread, and returns immediately.
  ///
  /// ``run(launch:limits:)`` stops everything and returns. A manager that was started by
  /// ``start(launch:)`` stops in a later turn of the main actor. If nothing is running, the next
  /// `run` returns immediately, or the next `start` or `runInBackground` throws an error
  /// (`stopped`). Calling the method again has no effect.
  public nonisolated func triggerGracefulShutdown() { context.triggerGracefulShutdown() }

  /// Waits until deferred work and handlers with a task priority have ended, including work that
  /// they begin. It doesn't wait for handlers of asynchronous events.
  ///
  /// If the manager runs asynchronous phases, the method also waits until every module is ready and
  /// every removed module has shut down and is torn down. Don't call it in a module's own
  /// asynchronous phases.
  public func waitUntilIdle() async {
    repeat {
      await context.deferred.waitUntilDone()
    } while await runner.phases?.waitUntilIdle() == true
  }

  // MARK: - Inspecting

  /// The names of the modules that are set up, in module order. Shared names are repeated.
  public var moduleNames: [String] {
    runner.modulesSetUp.map(\.name)
  }

  /// Returns the image that exports a module, or nil.
  ///
  /// - Parameter module: The name in the module's record, or the name of its type from
  ///   `String(reflecting:)`. Exported modules that share the name have the same image.
  public func image(of module: String) -> LoadedImage? {
    registry.entries.described(by: module).first { $0.image != nil }?.image
  }

  /// A closure that receives new diagnostics. Reports also contain earlier diagnostics.
  public var onDiagnostic: @Sendable (Diagnostic) -> Void {
    get { context.log.handler }
    set { context.log.handler = newValue }
  }

  /// Registers a closure that observes each handler and each phase.
  ///
  /// ```swift
  /// let token = modules.observeIntervals { interval in print(interval, interval.hasEnded) }
  /// ```
  ///
  /// An interval's kind is `event` for a handler and `phase` for a phase. Its name is the module's
  /// name, or the location of a handler without a module. Its activity is the event's identifier or
  /// the phase's method. An interval that can't overlap other intervals begins and ends on the main
  /// actor. If a handler triggers an event, the event's intervals lie within the handler's
  /// interval. Creating an asynchronous handler's task is not an interval.
  ///
  /// Without observers, each event and each phase costs one branch. With an observer, each handler
  /// costs tens of nanoseconds plus the observer's time, which counts toward the surrounding
  /// interval.
  ///
  /// - Parameter observer: A closure that is called where the work runs: on the main actor, except
  ///   for handlers that run off the main actor. An observer receives both the beginning and the
  ///   end of an interval, or neither.
  /// - Returns: A token that removes the observer.
  @discardableResult
  public func observeIntervals(_ observer: @escaping @Sendable (ObservedInterval) -> Void) -> RegistrationToken {
    dispatcher.addObserver(IntervalObserver(observer))
  }

  // Every handler of this manager is an entry of its registry.
  func consume(_ owner: any RegistrationOwner) { if let entry = owner as? ModuleEntry { runner.consume(entry) } }

  // MARK: - Other targets of this package

  /// A Boolean value that indicates whether the manager is starting, running, or stopping.
  package var isStarted: Bool { !runner.isIdle }

  /// A Boolean value that indicates whether the manager has been started before.
  package var wasStarted: Bool { runner.wasStarted }

  /// A Boolean value that indicates whether all modules have finished starting and are still
  /// running.
  package var hasFinishedStarting: Bool {
    if let run = runner.state.running { run.milestone >= .didFinishStarting } else { false }
  }

  /// Waits until no module is becoming ready or shutting down, and returns whether it had to wait.
  package func waitUntilReady() async -> Bool { await runner.phases?.waitUntilIdle() == true }

  /// Stops the modules without grace periods, as if the task that runs them were canceled.
  package func cancelRun() { runner.phases?.stop(CancellationError()) }

  package var time: TimeSource { context.time }

  /// The identifiers of all handled events, after a scan for new images.
  package var subscribedEvents: Set<String> {
    runner.scan()
    return registry.handledEventIDs
  }

  /// The names of all modules and handlers, set up or not, after a scan for new images.
  package var knownModules: [String] {
    runner.scan()
    return registry.entries.names
  }

  /// Reports a diagnostic, even if it was reported before.
  package func report(_ diagnostic: Diagnostic) { context.report(diagnostic) }

  /// Scans for new images, and returns the records, and all modules and handlers in module order.
  package func inspect() -> (feed: RecordFeed, entries: [ModuleEntry]) {
    runner.scan()
    let entries = runner.order()
    return (runner.feed, entries)
  }

  /// The identifiers of the app's own events that were triggered but never had handlers.
  package var unhandledEvents: [String] {
    let handled = registry.handledEventIDs
    var unhandled: [String] = []
    for (id, handlers) in dispatcher.index.byID
    where !handlers.wasHandled && !handled.contains(id) && !id.isReserved {
      unhandled.append(id)
    }
    return unhandled.ordered(by: <)
  }

  /// Returns the subscribers that missed an event because they were not set up yet.
  package func subscribersMissing(_ event: String) -> [String] {
    dispatcher.index.byID[event]?.missing.ordered(by: <) ?? []
  }

  #if DEBUG
  /// Returns the handlers that were added after their event in the same run.
  package func handlersAfter(_ event: String) -> [String] { dispatcher.index.byID[event]?.late.ordered(by: <) ?? [] }

  /// Returns whether a module's `run` has ended, although the module isn't shutting down.
  package func hasRunEnded(_ entry: ModuleEntry) -> Bool { runner.phases?.hasRunEnded(entry) ?? false }
  #endif

  /// The names of the modules whose asynchronous phases have not ended.
  package nonisolated var workingModules: [String] {
    runner.workingModules.withLock { $0.byNumber }.ordered { $0.key < $1.key }.map(\.value.name)
  }

  /// A Boolean value that indicates whether unmet needs prevent a start.
  package var requiresNeeds: Bool { runner.needs.policy != .report }

  /// An empty mirror, so that test libraries and debuggers don't traverse all registrations.
  nonisolated public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ModuleManager {
  /// Selected in a file that doesn't import `RegistryReports`.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "add 'import RegistryReports' to this file, and the product to its target")
  public func report() -> RegistryReport { fatalError() }

  /// Selected in a file that doesn't import `RegistryAnalysis`.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "add 'import RegistryAnalysis' to this file, and the product to its target")
  public func snapshot() -> Any { fatalError() }
}

extension String {
  /// A Boolean value that indicates whether this package reserves this event or key name.
  package var isReserved: Bool {
    ["activity.", "app.", "background.", "context.", "modules.", "notification.", "process.", "scene."]
      .contains(where: hasPrefix)
  }
}
