#if canImport(ObjectiveC)
import CloudKit
import Foundation
import Registry

extension UserActivity {
  /// The key for the modules' values in an activity's user info. They're kept apart from the app's
  /// own values, because the app can answer with the same activity, or with the saved one, again.
  private static let modulesKey = "SwiftSectionRegistry.modules"

  /// Creates a payload from a Foundation activity.
  ///
  /// - Parameters:
  ///   - restoration: The collector for objects that show the activity, or nil.
  ///   - isAnswer: True to omit the values that modules saved in the activity before.
  init(
    _ activity: NSUserActivity, in scene: AppScene? = nil, _ restoration: ActivityRestoration? = nil,
    isAnswer: Bool = false
  ) {
    var userInfo = [String: PropertyValue](userInfo: activity.userInfo ?? [:])
    let saved = userInfo.removeValue(forKey: Self.modulesKey)?.dictionary ?? [:]
    if !isAnswer { userInfo.merge(saved) { own, _ in own } }
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL, userInfo: userInfo,
      referrerURL: activity.referrerURL, scene: scene)
    object = SystemObject(activity)
    self.restoration = SystemObject(restoration)
  }

  /// A Foundation activity with the payload's values. If the payload has a system object, which can
  /// hold more than the payload, the property adds the modules' user info to it and returns it.
  @MainActor var systemActivity: NSUserActivity {
    guard let activity = systemObject as? NSUserActivity else {
      let activity = NSUserActivity(activityType: type)
      activity.title = title
      activity.addUserInfoEntries(from: userInfo.objects)
      // Foundation raises an exception for other schemes.
      if let webpageURL, ["http", "https"].contains(webpageURL.scheme?.lowercased()) {
        activity.webpageURL = webpageURL
      }
      return activity
    }
    let own = UserActivity(activity, isAnswer: true).userInfo
    let added = userInfo.filter { own[$0.key] != $0.value }.objects
    if !added.isEmpty || activity.userInfo?[Self.modulesKey] != nil {
      activity.addUserInfoEntries(from: [Self.modulesKey: added])
    }
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
