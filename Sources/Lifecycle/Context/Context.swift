public import Registry

/// The state that the modules of one manager share.
///
/// The context is live: a change is visible to all modules at once.
@MainActor public final class Context {
  /// The environment that the app runs in, which the host sets before the start.
  public var environment: Environment

  /// A key that distinguishes apps that share modules. It is empty unless the host sets it.
  public var appKey: String

  /// The settings under typed keys.
  ///
  /// To observe changes, use ``onChange(of:notify:)`` or ``Event/configurationDidChange``. Each
  /// assignment causes one notification; to change several settings with one notification, assign
  /// a new value to the property.
  public var configuration: ContextValues {
    // The observer does not use `oldValue`, because keeping it would copy all values when one key
    // is set.
    didSet {
      if configuration.log !== log { configuration.log = log }
      observers.configurationDidChange(to: configuration)
    }
  }

  /// The values that the host passed to the start of the manager.
  public internal(set) var launch = ContextValues() {
    didSet { launch.log = log }
  }

  /// The manager that creates services for the modules.
  public let services: ServiceManager

  /// The event whose handlers are running, or nil outside of handlers.
  ///
  /// While a handler triggers another event, the property is that other event.
  public var event: CurrentEvent? { deliveries.currentEvent }

  let log: DiagnosticLog
  let activities = LifecycleObservers()
  /// The operations of the manager that handlers use, or nil after the manager was deallocated.
  weak var handlerHost: (any HandlerHost)?
  let observers: ConfigurationObservers
  private let deliveries: any EventDeliveries
  /// The graceful shutdown of the manager.
  nonisolated let shutdown = GracefulShutdown()
  nonisolated let shutdownRequest: ShutdownRequest

  init(
    environment: Environment, appKey: String, configuration: ContextValues, services: ServiceManager,
    deliveries: any EventDeliveries, shutdownRequest: ShutdownRequest, log: DiagnosticLog
  ) {
    self.deliveries = deliveries
    self.shutdownRequest = shutdownRequest
    self.log = log
    self.appKey = appKey
    var configuration = configuration
    configuration.log = log
    observers = ConfigurationObservers(configuration, log)
    self.environment = environment
    self.configuration = configuration
    self.services = services
  }

  /// Reports a diagnostic, even if the same one has been reported before.
  package func report(_ diagnostic: Diagnostic) { log.report(diagnostic, always: true) }
}

extension Context {
  /// The environment that an app runs in.
  public enum Environment: String, Sendable, Hashable, CaseIterable {
    case development
    case test
    case staging
    case production
  }
}

/// The operations that the handlers of an event need from the manager that calls them.
@MainActor protocol HandlerHost: AnyObject {
  /// Runs work of the current handler in the next turn of the main actor, if its module is still
  /// set up by then.
  func runInNextTurn(_ event: StaticString, _ work: @escaping @MainActor () throws -> Void)

  /// Runs work of the current handler in a task off the main actor.
  func runInTask(
    _ event: StaticString, _ priority: TaskPriority, _ work: @escaping @Sendable () async throws -> Void)

  /// Ends the registration of the current handler, which runs only once.
  func consumeCurrentHandler()
}
