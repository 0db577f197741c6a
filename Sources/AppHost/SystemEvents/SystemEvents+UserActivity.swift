public import Foundation
public import Lifecycle
public import Registry

/// What the user was doing, here, on another device or on the web: Foundation's `NSUserActivity`.
public struct UserActivity: Sendable, Hashable {
  /// The activity of a link to a web page: `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// By convention `com.example.reading`.
  public var type: String
  public var title: String?
  /// Of a link to a web page, the page.
  public var webpageURL: URL?
  public var userInfo: [String: PropertyValue]

  public init(type: String, title: String? = nil, webpageURL: URL? = nil, userInfo: [String: PropertyValue] = [:]) {
    self.type = type
    self.title = title
    self.webpageURL = webpageURL
    self.userInfo = userInfo
  }
}

/// An activity that could not be fetched from where it was begun.
public struct UserActivityFailure: Sendable {
  public var type: String
  public var error: any Error

  public init(type: String, error: any Error) {
    self.type = type
    self.error = error
  }
}

extension Event where Payload == String, Outcome == Bool {
  /// An activity of this type will be continued, and is being fetched. True if one module tells the user of it.
  ///
  /// UIKit, AppKit: `application(_:willContinueUserActivityWithType:)`.
  public static var willContinueUserActivity: Self { .init("activity.willContinue") }
}

extension Event where Payload == UserActivity, Outcome == Bool {
  /// An activity is to be continued, a link to a web page among them. True if one module says that it did.
  ///
  /// UIKit, AppKit: `application(_:continue:restorationHandler:)`. WatchKit: `handle(_:)`.
  public static var continueUserActivity: Self { .init("activity.continue") }
}

extension Event where Payload == UserActivityFailure, Outcome == Void {
  /// An activity could not be fetched. UIKit, AppKit: `application(_:didFailToContinueUserActivityWithType:error:)`.
  public static var didFailToContinueUserActivity: Self { .init("activity.didFailToContinue") }
}

extension Event where Payload == UserActivity, Outcome == Void {
  /// The app's own activity was brought up to date. UIKit, AppKit: `application(_:didUpdate:)`.
  public static var didUpdateUserActivity: Self { .init("activity.didUpdate") }
}
