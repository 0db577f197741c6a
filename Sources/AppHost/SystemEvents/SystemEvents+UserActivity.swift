public import Foundation
public import Lifecycle
public import Registry

/// A user's activity on this device, on another device, or on the web.
///
/// It corresponds to `NSUserActivity` in Foundation.
public struct UserActivity: Sendable, Hashable, ObjectPayload {
  package static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// `CSSearchableItemActionType` in Core Spotlight.
  package static let spotlight = "com.apple.corespotlightitem"

  /// The type of the activity. By convention, it's a reversed domain name.
  ///
  /// A link to a web page has the type `NSUserActivityTypeBrowsingWeb`, and a Spotlight search
  /// result has the type `com.apple.corespotlightitem` (`CSSearchableItemActionType`).
  public var type: String
  public var title: String?
  /// The web page that shows the activity, or nil if there is none.
  public var webpageURL: URL?
  public var userInfo: [String: PropertyValue]
  /// The page that the user opened a universal link from, or nil if it's unknown.
  public var referrerURL: URL?
  /// The scene that should continue the activity, or nil in an app without scenes.
  public var scene: AppScene?
  package var object = SystemObject(nil)
  /// The restoration that receives modules' objects, or nil.
  package var restoration = SystemObject(nil)

  public init(
    type: String, title: String? = nil, webpageURL: URL? = nil, userInfo: [String: PropertyValue] = [:],
    referrerURL: URL? = nil, scene: AppScene? = nil
  ) {
    self.type = type
    self.title = title
    self.webpageURL = webpageURL
    self.userInfo = userInfo
    self.referrerURL = referrerURL
    self.scene = scene
  }

  /// The system's object that the values were read from, or nil.
  ///
  /// On Apple systems, it's an `NSUserActivity`. It doesn't affect equality.
  @MainActor public var systemObject: AnyObject? { object.value }

  /// Returns an activity with the user info of both activities. The activity with a system object,
  /// such as the app's own, takes precedence and supplies all other values. If both or neither have
  /// an object, this activity takes precedence.
  func merging(_ other: UserActivity?) -> UserActivity {
    guard let other else { return self }
    let isOthers = !object.exists && other.object.exists
    var result = isOthers ? other : self
    result.userInfo.merge((isOthers ? self : other).userInfo) { first, _ in first }
    return result
  }
}

/// An activity that couldn't be fetched from its origin.
public struct UserActivityFailure: Sendable {
  public var type: String
  public var error: any Error
  /// The scene that should have continued the activity, or nil in an app without scenes.
  public var scene: AppScene?

  public init(type: String, error: any Error, scene: AppScene? = nil) {
    self.type = type
    self.error = error
    self.scene = scene
  }
}

/// An accepted invitation to shared CloudKit records.
///
/// It corresponds to `CKShare.Metadata` in CloudKit.
public struct CloudKitShare: Sendable {
  /// The identifier of the container that holds the records.
  public var containerIdentifier: String
  /// The scene that should show the records, or nil in an app without scenes.
  public var scene: AppScene?
  package var object: SystemObject?

  public init(containerIdentifier: String, scene: AppScene? = nil) {
    self.containerIdentifier = containerIdentifier
    self.scene = scene
  }

  /// The metadata that the system passed, or nil.
  ///
  /// On Apple systems, it's a `CKShare.Metadata`, which `CKAcceptSharesOperation` needs.
  @MainActor public var systemObject: AnyObject? { object?.value }
}

extension Event where Payload == CloudKitShare, Outcome == Void {
  /// An event that is triggered when the user accepts an invitation to shared records.
  ///
  /// UIKit: `application(_:userDidAcceptCloudKitShareWith:)`,
  /// `windowScene(_:userDidAcceptCloudKitShareWith:)`, and the options of a scene's connection.
  /// AppKit: `application(_:userDidAcceptCloudKitShareWith:)`. WatchKit:
  /// `userDidAcceptCloudKitShare(with:)`.
  public static var userDidAcceptCloudKitShare: Self { .init("activity.didAcceptCloudKitShare") }
}

extension Event where Payload == UserActivity, Outcome == Bool {
  /// An event that is triggered before the app continues an activity.
  ///
  /// The system is still fetching the activity, so the payload has only a type and a scene. The
  /// outcome is `true` if a module informs the user; UIKit ignores the outcome for a scene's
  /// activity.
  ///
  /// UIKit, AppKit: `application(_:willContinueUserActivityWithType:)`. UIKit, in an app with
  /// scenes: `scene(_:willContinueUserActivityWithType:)`.
  public static var willContinueUserActivity: Self { .init("activity.willContinue", combining: .any) }

  /// An event that is triggered when the app should continue an activity.
  ///
  /// The activity can be a link to a web page. The outcome is `true` if a module continued the
  /// activity; UIKit ignores the outcome for a scene's activity. In UIKit and AppKit, a module
  /// calls `UserActivity.restore(with:)` to supply the objects that show the activity.
  ///
  /// UIKit, AppKit: `application(_:continue:restorationHandler:)`. UIKit, in an app with scenes:
  /// `scene(_:continue:)`. WatchKit: `handle(_:)`. SwiftUI: `onContinueUserActivity`.
  public static var continueUserActivity: Self { .init("activity.continue", combining: .any) }
}

extension Event where Payload == UserActivityFailure, Outcome == Void {
  /// An event that is triggered when fetching an activity fails.
  ///
  /// UIKit, AppKit: `application(_:didFailToContinueUserActivityWithType:error:)`. UIKit, in an app
  /// with scenes: `scene(_:didFailToContinueUserActivityWithType:error:)`.
  public static var didFailToContinueUserActivity: Self { .init("activity.didFailToContinue") }
}

extension Event where Payload == UserActivity, Outcome == Void {
  /// An event that is triggered after one of the app's activities is updated.
  ///
  /// UIKit, AppKit: `application(_:didUpdate:)`. UIKit, in an app with scenes:
  /// `scene(_:didUpdate:)`.
  public static var didUpdateUserActivity: Self { .init("activity.didUpdate") }
}
