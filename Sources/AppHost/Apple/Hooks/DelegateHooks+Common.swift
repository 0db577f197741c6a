#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !canImport(UIKit))
import CloudKit
import Foundation
import Lifecycle
import ObjectiveC

extension DelegateHooks {
  /// Creates the replacement for a method that delegates of UIKit and AppKit share.
  ///
  /// - Returns: Nil if only one of them has the method.
  func commonMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP? {
    let (host, modules) = (host, host.modules)
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
      return hook.bool3 { activity, handler, original in
        guard let activity = activity as? NSUserActivity else { return original?(handler) ?? false }
        // Modules and the delegate can call the handler after this call.
        let restore = Block.object(Block.copied(handler))
        let restoration = ActivityRestoration { restore($0 as NSArray) }
        return host.deliver(
          .continueUserActivity, UserActivity(activity, restoration), by: .hooks,
          own: original.map { original in { original(Self.collect(for: restoration, activity)) } })
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
    case "application:userDidAcceptCloudKitShareWithMetadata:":
      return hook.void2 { _, metadata, original in
        guard let metadata = metadata as? CKShare.Metadata else { return original() }
        host.deliver(.userDidAcceptCloudKitShare, CloudKitShare(metadata), by: .hooks, own: original)
      }
    default: return nil
    }
  }

  /// Creates the handler that a delegate receives in place of the system's.
  ///
  /// The system's handler is called once, with the objects of the delegate and of all modules.
  private static func collect(for restoration: ActivityRestoration, _ activity: NSUserActivity) -> AnyObject {
    let activity = Transferred(activity)
    return Block.object { objects in
      let objects = Transferred(objects as? [AnyObject] ?? [])
      let add = { @MainActor @Sendable in
        let objects = objects.take()
        if restoration.add(objects) { return }
        for object in objects { UserActivity.restore(object, activity.take()) }
      }
      // UIKit requires a call on the main thread.
      if Thread.isMainThread { MainActor.assumeIsolated(add) } else { DispatchQueue.main.async(execute: add) }
    }
  }
}
#endif
