public import Registry

/// For whom the app runs.
public enum AppEnvironment: String, Sendable, Hashable, CaseIterable {
  case development
  case test
  case staging
  case production
}

/// The event that is being delivered.
public struct CurrentEvent: Sendable, CustomStringConvertible {
  let eventID: StaticString

  /// The event's id.
  public var id: String { "\(eventID)" }

  public var description: String { id }
}

/// What the modules of one manager share. Live: a change is seen by everybody at once.
@MainActor public final class Context {
  /// For whom the app runs. Set by the host, by the start at the latest.
  public var environment: AppEnvironment

  /// Settings under typed keys.
  public var configuration: ContextValues

  /// What the host passed to ``ModuleManager/start(launch:)``.
  public internal(set) var launch = ContextValues()

  /// Where services are looked up.
  public let services: ServiceManager

  /// The event under way; nil outside of handlers. In a handler that triggers another event it is the
  /// other one's for as long as that one takes.
  public var event: CurrentEvent? { dispatch.frame.map { CurrentEvent(eventID: $0.pointee.head.pointee.id) } }

  private let dispatch: Dispatch
  weak var manager: ModuleManager?

  init(environment: AppEnvironment, configuration: ContextValues, services: ServiceManager, dispatch: Dispatch) {
    self.dispatch = dispatch
    self.environment = environment
    self.configuration = configuration
    self.services = services
  }
}
