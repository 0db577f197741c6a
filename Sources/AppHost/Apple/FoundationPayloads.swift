#if canImport(ObjectiveC)
import Foundation
import Registry

extension UserActivity {
  /// Creates the value that represents an activity of Foundation.
  init(_ activity: NSUserActivity) {
    self.init(
      type: activity.activityType, title: activity.title, webpageURL: activity.webpageURL,
      userInfo: [String: PropertyValue](userInfo: activity.userInfo ?? [:]))
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
