public import Lifecycle
public import Registry

extension Diagnostic.Code {
  /// A delegate of this package could not start the modules; the app runs without them.
  public static let startFailed = Self(rawValue: "start-failed")
}

extension Diagnostic {
  /// Says why the modules were not started.
  package static func startFailed(_ error: any Error) -> Diagnostic {
    Diagnostic(
      severity: .error, code: .startFailed, subject: "start", image: nil,
      message:
        "the modules could not be started, and the app runs without them: \(error); override modulesFailedToStart(_:) to"
        + " do something else, and startModules(launch:) for modules that need run()")
  }
}

extension ContextKey where Value == LaunchOptions? {
  /// What the app was launched for, in ``Lifecycle/Context/launch``: set by delegates and hooks of this package.
  public static var launchOptions: Self { .init("app.launchOptions") }
}
