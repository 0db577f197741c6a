public import Foundation
public import Lifecycle
public import Registry

/// An activity of the user, here, on another device, or on the web: `NSUserActivity` in Foundation.
public struct UserActivity: Sendable, Hashable {
  /// The activity of a link to a web page: `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The type, by convention `com.example.reading`.
  public var type: String
  public var title: String?
  /// The page, for a link to a web page.
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
  /// The app will continue an activity of this type, which is being fetched.
  ///
  /// The outcome is true if a module informs the user.
  ///
  /// UIKit, AppKit: `application(_:willContinueUserActivityWithType:)`.
  public static var willContinueUserActivity: Self { .init("activity.willContinue") }
}

extension Event where Payload == UserActivity, Outcome == Bool {
  /// The app should continue an activity, which can be a link to a web page.
  ///
  /// The outcome is true if a module continued it.
  ///
  /// UIKit, AppKit: `application(_:continue:restorationHandler:)`. WatchKit: `handle(_:)`.
  public static var continueUserActivity: Self { .init("activity.continue") }
}

extension Event where Payload == UserActivityFailure, Outcome == Void {
  /// An activity could not be fetched.
  ///
  /// UIKit, AppKit: `application(_:didFailToContinueUserActivityWithType:error:)`.
  public static var didFailToContinueUserActivity: Self { .init("activity.didFailToContinue") }
}

extension Event where Payload == UserActivity, Outcome == Void {
  /// An activity of the app was updated. UIKit, AppKit: `application(_:didUpdate:)`.
  public static var didUpdateUserActivity: Self { .init("activity.didUpdate") }
}
