public import Foundation
public import Lifecycle
public import Registry

/// An activity of the user on this device, on another device, or on the web.
///
/// It corresponds to `NSUserActivity` in Foundation.
public struct UserActivity: Sendable, Hashable {
  /// The type of the activity for a link to a web page.
  ///
  /// It is `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The type of the activity. By convention, it has the form of a reversed domain name.
  public var type: String
  public var title: String?
  /// The page, or nil if the activity is not a link to a web page.
  public var webpageURL: URL?
  public var userInfo: [String: PropertyValue]

  public init(type: String, title: String? = nil, webpageURL: URL? = nil, userInfo: [String: PropertyValue] = [:]) {
    self.type = type
    self.title = title
    self.webpageURL = webpageURL
    self.userInfo = userInfo
  }
}

/// An activity that could not be fetched from its origin.
public struct UserActivityFailure: Sendable {
  public var type: String
  public var error: any Error

  public init(type: String, error: any Error) {
    self.type = type
    self.error = error
  }
}

extension Event where Payload == String, Outcome == Bool {
  /// An event that is triggered before the app continues an activity of a type.
  ///
  /// The activity is being fetched. The outcome is `true` if a module informs the user.
  ///
  /// UIKit, AppKit: `application(_:willContinueUserActivityWithType:)`.
  public static var willContinueUserActivity: Self { .init("activity.willContinue") }
}

extension Event where Payload == UserActivity, Outcome == Bool {
  /// An event that is triggered when the app should continue an activity.
  ///
  /// The activity can be a link to a web page. The outcome is `true` if a module continued it.
  ///
  /// UIKit, AppKit: `application(_:continue:restorationHandler:)`. WatchKit: `handle(_:)`.
  public static var continueUserActivity: Self { .init("activity.continue") }
}

extension Event where Payload == UserActivityFailure, Outcome == Void {
  /// An event that is triggered when an activity could not be fetched.
  ///
  /// UIKit, AppKit: `application(_:didFailToContinueUserActivityWithType:error:)`.
  public static var didFailToContinueUserActivity: Self { .init("activity.didFailToContinue") }
}

extension Event where Payload == UserActivity, Outcome == Void {
  /// An event that is triggered when an activity of the app was updated.
  ///
  /// UIKit, AppKit: `application(_:didUpdate:)`.
  public static var didUpdateUserActivity: Self { .init("activity.didUpdate") }
}
