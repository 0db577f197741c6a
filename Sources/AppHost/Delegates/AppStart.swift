public import Lifecycle
package import Registry

extension ModuleManager {
  private static weak var started: ModuleManager?

  /// The manager that scene delegates and views use unless the app specifies a different one.
  ///
  /// It's the manager of the app's delegate or hooks, or ``shared`` if there are none. If the app
  /// overrides its delegate's manager, scene events go to the overriding manager, too.
  package static var ofApp: ModuleManager {
    get { started ?? .shared }
    set { started = newValue }
  }
}

extension ModuleManager {
  /// Starts the modules for a delegate, hooks, or a view, unless one of them has already tried.
  ///
  /// SwiftUI recreates a view's modifier for every update, so only the first call has an effect.
  /// After a failed start or a stop, the app must restart the modules itself. The asynchronous
  /// phases continue in the background.
  ///
  /// - Parameters:
  ///   - start: A closure that starts the modules with the values of ``/Lifecycle/Context/launch``.
  ///   - onFailure: A closure that receives the error of a failed start. By default, it's reported.
  package func startOnce(
    _ launch: LaunchOptions = LaunchOptions(), _ start: ((ContextValues) throws -> Void)? = nil,
    onFailure: ((any Error) -> Void)? = nil
  ) {
    let state = sharedHostState
    guard !state.hasTriedToStart else { return }
    state.hasTriedToStart = true
    let report = { @MainActor (error: any Error) in self.report(.startFailed(error)) }
    let values = ContextValues { $0[.launchOptions] = launch }
    do {
      if let start { try start(values) } else { try runInBackground(launch: values, onFailure: report) }
    } catch let error as ModuleError where error.code == .alreadyStarted {
      // The app started the modules itself.
    } catch {
      (onFailure ?? report)(error)
    }
  }

  /// Starts the modules for the app's delegate, unless a view, hooks, or a delegate has already
  /// tried.
  ///
  /// Delegates call the method in each launch callback. The method also sets the notification
  /// center's delegate if there is none and a module needs one.
  func startForDelegate(
    _ launch: LaunchOptions, _ system: some DelegateSystem, _ start: @escaping (ContextValues) throws -> Void,
    onFailure: @escaping (any Error) -> Void
  ) {
    ModuleManager.ofApp = self
    startOnce(launch, start, onFailure: onFailure)
    system.installNotificationDelegateIfWanted(self)
  }
}

extension Diagnostic.Code {
  package static var startFailed: Self { "start-failed" }
}

extension Diagnostic {
  package static func startFailed(_ error: any Error) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .startFailed, subject: "start", image: nil,
      message:
        "the modules failed to start, and the app runs without them: \(error); override 'modulesFailedToStart(_:)' to"
        + " handle the error")
  }
}

extension ContextKey where Value == LaunchOptions? {
  /// The options that the system passed when it launched the app.
  ///
  /// Delegates, hooks, and views set the value in ``/Lifecycle/Context/launch``; views leave it
  /// empty.
  public static var launchOptions: Self { .init("app.launchOptions") }
}
