#if canImport(ObjectiveC)
import CloudKit
import Foundation
import Registry

extension UserActivity {
  /// Creates a payload from a Foundation activity.
  ///
  /// - Parameter restoration: The collector for objects that show the activity, or nil.
  init(_ activity: NSUserActivity, in scene: AppScene? = nil, _ restoration: ActivityRestoration? = nil) {
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
      userInfo: [String: PropertyValue](userInfo: activity.userInfo ?? [:]), referrerURL: activity.referrerURL,
      scene: scene)
    object = SystemObject(activity)
    self.restoration = SystemObject(restoration)
  }

  /// A Foundation activity with the payload's values. If the payload has a system object, which can
  /// hold more than the payload, the property adds missing user info to that object and returns it.
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
  init(_ userInfo: [AnyHashable: Any]) { self.init(userInfo: [String: PropertyValue](userInfo: userInfo)) }
}

extension CloudKitShare {
  @MainActor init(_ metadata: CKShare.Metadata, in scene: AppScene? = nil) {
    self.init(containerIdentifier: metadata.containerIdentifier, scene: scene)
    object = SystemObject(metadata)
  }
}

/// A system value that only the main actor uses after the transfer.
// Unchecked because the system doesn't use the value after passing it, and only the main actor
// reads it.
struct Transferred<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  @MainActor func take() -> Value { value }
}
#endif
