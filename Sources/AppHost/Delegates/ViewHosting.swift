import Lifecycle

extension SystemEventHost {
  /// Starts the modules for a delegate, hooks, or a view, unless one of them has tried before.
  ///
  /// SwiftUI creates a view's modifier for every update. After a failed start, or after the app has
  /// stopped the modules, only the app starts them again.
  ///
  /// - Parameters:
  ///   - start: A closure that starts the modules. It has no effect if the app has started them
  ///     itself.
  ///   - onFailure: A closure that receives the error of the start.
  package func startOnce(_ start: () throws -> Void, onFailure: (any Error) -> Void) {
    let state = modules.sharedHostState
    guard !state.hasTriedToStart else { return }
    state.hasTriedToStart = true
    do {
      try start()
    } catch ModuleError.alreadyStarted {
      // The app started the modules itself.
    } catch {
      onFailure(error)
    }
  }

  /// Starts the modules with the options of the launch, and reports a failure.
  ///
  /// The asynchronous phases continue in the background.
  package func startOnce(_ launch: LaunchOptions = LaunchOptions()) {
    let report = { @MainActor [modules] (error: any Error) in modules.report(.startFailed(error)) }
    startOnce(
      { try modules.runInBackground(launch: ContextValues { $0[.launchOptions] = launch }, onFailure: report) },
      onFailure: report)
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
