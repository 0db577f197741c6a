#if canImport(ObjectiveC)
import CloudKit
import Foundation
import Registry

extension UserActivity {
  /// Creates the value that represents an activity of Foundation.
  ///
  /// - Parameters:
  ///   - activity: The activity.
  ///   - scene: The scene that should continue the activity.
  ///   - restoration: The objects to restore, which modules and the app supply during the call of
  ///     the system or later.
  init(_ activity: NSUserActivity, in scene: AppScene? = nil, _ restoration: ActivityRestoration? = nil) {
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
      userInfo: [String: PropertyValue](userInfo: activity.userInfo ?? [:]), referrerURL: activity.referrerURL,
      scene: scene)
    object = SystemObject(activity)
    self.restoration = SystemObject(restoration)
  }

  /// The activity of Foundation that has these values.
  ///
  /// If an app's delegate supplied one, it is that object, with the added user info. The object can
  /// contain values that a payload cannot.
  @MainActor var systemActivity: NSUserActivity {
    let activity: NSUserActivity
    if let own = systemObject as? NSUserActivity {
      activity = own
    } else {
      activity = NSUserActivity(activityType: type)
      activity.title = title
      // Foundation raises an exception for other schemes.
      if let webpageURL, ["http", "https"].contains(webpageURL.scheme?.lowercased()) {
        activity.webpageURL = webpageURL
      }
    }
    let known = activity.userInfo ?? [:]
    activity.addUserInfoEntries(from: userInfo.filter { known[$0.key] == nil }.mapValues(\.object))
    return activity
  }
}

extension RemoteNotification {
  /// Creates the value that represents the user info that a system passes to a delegate.
  init(_ userInfo: [AnyHashable: Any]) { self.init(userInfo: [String: PropertyValue](userInfo: userInfo)) }
}

extension CloudKitShare {
  /// Creates the value that represents an accepted invitation of CloudKit.
  @MainActor init(_ metadata: CKShare.Metadata, in scene: AppScene? = nil) {
    self.init(containerIdentifier: metadata.containerIdentifier, scene: scene)
    object = SystemObject(metadata)
  }
}

/// A value of a system that is transferred to the main actor and used only there.
// Unchecked because systems give up these objects, and only the main actor reads them afterwards.
struct Transferred<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  @MainActor func take() -> Value { value }
}
#endif
