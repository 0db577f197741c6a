#if canImport(ObjectiveC)
import Foundation
import Registry

extension UserActivity {
  /// What Foundation calls an activity.
  init(_ activity: NSUserActivity) {
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
      userInfo: [String: PropertyValue](userInfo: activity.userInfo ?? [:]))
  }
}

/// Something of a system that is handed on to the main actor and used there only.
// Unchecked: systems hand these objects over for good, whoever made this no longer touches it, and it is read on the main actor.
struct HandedOver<Value>: @unchecked Sendable {
  private let value: Value

  init(_ value: Value) {
    self.value = value
  }

  @MainActor func take() -> Value { value }
}
#endif
