package import Lifecycle

extension SystemEventHost {
  /// Starts the modules for a delegate, hooks, or a view, unless one of them has tried before.
  ///
  /// SwiftUI creates a view's modifier for every update. After a failed start, or after the app has
  /// stopped the modules, only the app starts them again. The asynchronous phases continue in the
  /// background.
  ///
  /// - Parameters:
  ///   - launch: The options of the launch.
  ///   - start: A closure that starts the modules with the values of ``/Lifecycle/Context/launch``.
  ///   - onFailure: A closure that receives the error of the start. By default, it is reported.
  package func startOnce(
    _ launch: LaunchOptions = LaunchOptions(), _ start: ((ContextValues) throws -> Void)? = nil,
    onFailure: ((any Error) -> Void)? = nil
  ) {
    let state = modules.sharedHostState
    guard !state.hasTriedToStart else { return }
    state.hasTriedToStart = true
    let report = { @MainActor [modules] (error: any Error) in modules.report(.startFailed(error)) }
    let values = ContextValues { $0[.launchOptions] = launch }
    do {
      if let start { try start(values) } else { try modules.runInBackground(launch: values, onFailure: report) }
    } catch ModuleError.alreadyStarted {
      // The app started the modules itself.
    } catch {
      (onFailure ?? report)(error)
    }
  }

  /// Returns the types of the user activities that a view receives.
  ///
  /// - Parameter info: The contents of the `Info.plist`, whose `NSUserActivityTypes` are the app's
  ///   own types.
  package static func activityTypes(_ info: [String: Any]?) -> [String] {
    let own = info?["NSUserActivityTypes"] as? [String] ?? []
    var types = [UserActivity.browsingWeb, UserActivity.spotlight]
    for type in own where !types.contains(type) { types.append(type) }
    return types
  }
}
