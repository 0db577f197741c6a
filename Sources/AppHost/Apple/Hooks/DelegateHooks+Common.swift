#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !canImport(UIKit))
import Foundation
import Lifecycle
import ObjectiveC

extension DelegateHooks {
  /// Creates the replacement for a method that delegates of UIKit and AppKit share.
  ///
  /// - Returns: Nil if only one of them has the method.
  func commonMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP? {
    let modules = host.modules
    switch selector {
    case "application:didRegisterForRemoteNotificationsWithDeviceToken:":
      return hook.void2 { _, token, original in
        guard let token = token as? Data else { return original() }
        modules.trigger(.didRegisterForRemoteNotifications, token) { _ in original() }
      }
    case "application:didFailToRegisterForRemoteNotificationsWithError:":
      return hook.void2 { _, error, original in
        guard let error = error as? any Error else { return original() }
        modules.trigger(.didFailToRegisterForRemoteNotifications, error) { _ in original() }
      }
    case "application:willContinueUserActivityWithType:":
      return hook.bool2 { type, original in
        modules.trigger(.willContinueUserActivity, type as? String ?? "") { _ in original?() ?? false }
      }
    case "application:continueUserActivity:restorationHandler:":
      return hook.bool3 { activity, _, original in
        guard let activity = activity as? NSUserActivity else { return original?() ?? false }
        return modules.trigger(.continueUserActivity, UserActivity(activity)) { _ in original?() ?? false }
      }
    case "application:didFailToContinueUserActivityWithType:error:":
      return hook.void3 { _, type, error, original in
        guard let error = error as? any Error else { return original() }
        let failure = UserActivityFailure(type: type as? String ?? "", error: error)
        modules.trigger(.didFailToContinueUserActivity, failure) { _ in original() }
      }
    case "application:didUpdateUserActivity:":
      return hook.void2 { _, activity, original in
        guard let activity = activity as? NSUserActivity else { return original() }
        modules.trigger(.didUpdateUserActivity, UserActivity(activity)) { _ in original() }
      }
    default: return nil
    }
  }
}
#endif
