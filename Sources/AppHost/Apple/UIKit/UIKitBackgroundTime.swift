#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The background tasks of UIKit, which delay the suspension of the app.
///
/// In an app extension, which has no app object, no time is granted.
struct UIKitBackgroundTime: BackgroundTimeSystem {
  func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)? {
    guard let application = UIApplication.running else { return nil }
    let identifier = application.beginBackgroundTask(withName: name, expirationHandler: expired)
    guard identifier != .invalid else { return nil }
    return { application.endBackgroundTask(identifier) }
  }
}
#endif
