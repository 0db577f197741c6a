public import Lifecycle
package import Registry

extension Diagnostic.Code {
  /// An error that prevented a delegate of this package from starting the modules.
  ///
  /// The app runs without them.
  package static let startFailed: Self = "start-failed"
}

extension Diagnostic {
  /// Creates the diagnostic for an error of the start.
  package static func startFailed(_ error: any Error) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .startFailed, subject: "start", image: nil,
      message:
        "the modules failed to start, and the app runs without them: \(error); override 'modulesFailedToStart(_:)' to"
        + " handle the error")
  }
}

extension ContextKey where Value == LaunchOptions? {
  /// The options with which the system launched the app.
  ///
  /// The delegates and hooks of this package set the value in ``/Lifecycle/Context/launch``.
  public static var launchOptions: Self { .init("app.launchOptions") }
}
