public import Lifecycle
package import Registry

extension ModuleManager {
  private static weak var started: ModuleManager?

  /// The manager that scene delegates and views use unless the app specifies a different one.
  ///
  /// It's the manager of the app's delegate or hooks, or ``shared`` if the app has neither. If a
  /// subclass overrides the app delegate's manager, that manager receives scene events, too.
  package static var ofApp: ModuleManager {
    get { started ?? .shared }
    set { started = newValue }
  }

  /// Starts the modules for a delegate, hooks, or a view, unless one of them or the app has already
  /// tried.
  ///
  /// SwiftUI recreates a view's modifier for every update, so only the first call has an effect.
  /// After a failed start or a stop, the app must restart the modules itself. The asynchronous
  /// phases continue in the background.
  ///
  /// - Parameters:
  ///   - start: A closure that starts the modules with a given ``/Lifecycle/Context/launch``.
  ///   - onFailure: A closure that handles the error of a failed start, or nil to report the error.
  package func startOnce(
    _ launch: LaunchOptions = LaunchOptions(), _ start: ((ContextValues) throws -> Void)? = nil,
    onFailure: ((any Error) -> Void)? = nil
  ) {
    let state = sharedHostState
    guard !state.hasTriedToStart, !wasStarted else { return }
    state.hasTriedToStart = true
    let report = { @MainActor (error: any Error) in
      self.report(.startFailed(error, fix: "call 'start()' before the hooks or the view"))
    }
    let values = ContextValues { $0[.launchOptions] = launch }
    do {
      if let start { try start(values) } else { try runInBackground(launch: values, onFailure: report) }
    } catch let error as ModuleError where error.code == .alreadyStarted {
      // An override of 'startModules(launch:)' started the modules itself.
    } catch {
      (onFailure ?? report)(error)
    }
  }

  /// Starts the modules for the app's delegate, unless the app, a view, hooks, or a delegate has
  /// already tried.
  ///
  /// Delegates call the method in each launch callback. The method also sets a delegate of the
  /// notification center if a module needs one and the center doesn't have one yet.
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
  package static func startFailed(_ error: any Error, fix: String = "override 'modulesFailedToStart(_:)'") -> Self {
    Diagnostic(
      severity: .error, code: .startFailed, subject: "start", image: nil,
      message: "the modules failed to start, and the app runs without them: \(error); \(fix) to handle the error")
  }
}

extension ContextKey where Value == LaunchOptions? {
  /// The options that the system passed when it launched the app.
  ///
  /// Delegates, hooks, and views set the value in ``/Lifecycle/Context/launch``. The options that
  /// views set are empty.
  public static var launchOptions: Self { .init("app.launchOptions") }
}
