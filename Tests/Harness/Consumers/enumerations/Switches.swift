import AppHost
import Lifecycle
import ProcessHost
import Registry
import Routing

// Each function switches over all cases of a public enumeration and has no default. If the
// enumeration can get new cases, the compiler must refuse the function.

func refused(_ a: Diagnostic.Severity) {
  switch a {
  case .warning, .error: break
  }
}
func refused(_ a: ImageLoadError) {
  switch a {
  case .notOpened: break
  }
}
func refused(_ a: ServiceCondition) {
  switch a {
  case .debug, .release, .preview, .test, .flag: break
  }
}
func refused(_ a: ServiceScope) {
  switch a {
  case .transient, .shared, .weak, .cached: break
  }
}
func refused(_ a: RouteOrigin) {
  switch a {
  case .local, .remote: break
  }
}
func refused(_ a: RunTermination) {
  switch a {
  case .stopsManager, .continues: break
  }
}
func refused(_ a: ModuleLevel) {
  switch a {
  case .basic, .normal: break
  }
}
func refused(_ a: ModuleActivation) {
  switch a {
  case .atLaunch, .onFirstEvent: break
  }
}
func refused(_ a: ModuleInitialization) {
  switch a {
  case .inStart, .inNextTurn: break
  }
}
func refused(_ a: HandlerTiming) {
  switch a {
  case .beforeApp, .afterApp: break
  }
}
func refused(_ a: Context.Environment) {
  switch a {
  case .development, .test, .staging, .production: break
  }
}
func refused(_ a: BackgroundFetchResult) {
  switch a {
  case .newData, .noData, .failed: break
  }
}
func refused(_ a: AppLink.Source) {
  switch a {
  case .url, .universalLink, .handoff, .spotlight, .quickAction, .notification: break
  }
}
func refused(_ a: ProcessHost.Termination) {
  switch a {
  case .stopped, .signal: break
  }
}

func accepted(_ a: PropertyValue) {
  switch a {
  case .null, .bool, .integer, .double, .string, .date, .bytes, .array, .dictionary: break
  }
}
func accepted(_ a: NotificationResponse.Action) {
  switch a {
  case .open, .dismiss, .custom: break
  }
}
