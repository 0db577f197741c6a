package import Lifecycle

extension ModuleManager {
  private static weak var started: ModuleManager?

  /// The manager that scene delegates and views use unless the app chooses another one.
  ///
  /// It is the manager of the app's delegate or hooks, or ``shared`` if there are none. The app can
  /// override that of its delegate, and the events of scenes belong to the same modules.
  package static var ofApp: ModuleManager {
    get { started ?? .shared }
    set { started = newValue }
  }
}

extension SystemEventHost {
  /// Starts the modules for the app's delegate, unless a view, hooks, or a delegate has tried
  /// before.
  ///
  /// Delegates call the method in each callback of the launch. The notification center receives a
  /// delegate if a module needs one.
  ///
  /// - Parameters:
  ///   - launch: The options of the launch.
  ///   - system: The objects of the system that have delegates.
  ///   - start: A closure that starts the modules with the values of ``/Lifecycle/Context/launch``.
  ///   - onFailure: A closure that receives the error of the start.
  func startForDelegate(
    _ launch: LaunchOptions, _ system: some DelegateSystem, _ start: @escaping (ContextValues) throws -> Void,
    onFailure: @escaping (any Error) -> Void
  ) {
    ModuleManager.ofApp = modules
    startOnce(launch, start, onFailure: onFailure)
    system.installNotificationDelegateIfWanted(self)
  }
}
