public import Registry

/// What the modules of one manager share. Live: a change is seen by everybody at once.
@MainActor public final class Context {
  /// The environment that the app runs in, which the host sets before the start.
  public var environment: Environment

  /// Which app this is: to tell apart those that share modules. Empty unless the host says.
  public var appKey: String

  /// Settings under typed keys. Who wants to know of changes: ``onChange(of:notify:)``, and
  /// ``Event/configurationDidChange``.
  ///
  /// To change several at once, with one notice, replace the whole: what is set one after the other is told one after the other.
  public var configuration: ContextValues {
    // Without the old value here, so that setting one key does not copy all.
    didSet {
      if configuration.log !== log { configuration.log = log }
      notices.note(configuration)
    }
  }

  /// What the host passed to ``ModuleManager/start(launch:)``.
  public internal(set) var launch = ContextValues() {
    didSet { launch.log = log }
  }

  /// Where services are looked up.
  public let services: ServiceManager

  /// The event under way; nil outside of handlers. In a handler that triggers another event it is the
  /// other one's for as long as that one takes.
  public var event: CurrentEvent? {
    dispatch.numberedFrame.map { frame, number in
      CurrentEvent(eventID: frame.pointee.head.pointee.id, dispatch: dispatch, number: number)
    }
  }

  private let dispatch: Dispatch
  weak var manager: ModuleManager?
  let log: DiagnosticLog
  let notices: ConfigurationNotices

  init(
    environment: Environment, appKey: String, configuration: ContextValues, services: ServiceManager,
    dispatch: Dispatch, log: DiagnosticLog
  ) {
    self.dispatch = dispatch
    self.log = log
    self.appKey = appKey
    var configuration = configuration
    configuration.log = log
    notices = ConfigurationNotices(configuration, log)
    self.environment = environment
    self.configuration = configuration
    self.services = services
  }
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
