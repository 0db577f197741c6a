public import Foundation
public import Lifecycle
public import Registry

/// The reason for a launch.
///
/// It corresponds to the options of `application(_:didFinishLaunchingWithOptions:)` in UIKit, and
/// to the user info of `applicationDidFinishLaunching(_:)` in AppKit, which contains no link.
public struct LaunchOptions: Sendable {
  /// The link that the app was launched to open.
  public var url: OpenedURL?
  /// The notification that caused the launch.
  public var notification: RemoteNotification?
  /// The quick action that caused the launch.
  public var quickAction: QuickAction?
  /// The type of the activity that the app was launched to continue.
  public var userActivityType: String?
  /// The other options, keyed by the system's names.
  public var others: [String: PropertyValue]

  public init(
    url: OpenedURL? = nil, notification: RemoteNotification? = nil, quickAction: QuickAction? = nil,
    userActivityType: String? = nil, others: [String: PropertyValue] = [:]
  ) {
    self.url = url
    self.notification = notification
    self.quickAction = quickAction
    self.userActivityType = userActivityType
    self.others = others
  }
}

/// A link that the app should open, with the system's options.
public struct OpenedURL: Sendable, Hashable, ObjectPayload {
  public var url: URL
  /// The bundle identifier of the app that requested the link, if the system provides it.
  public var sourceApplication: String?
  /// The value that the requesting app passed along.
  public var annotation: PropertyValue?
  /// A Boolean value that indicates whether to open the file at its current location.
  ///
  /// If it's `false`, copy the file to the app's container before you open it, because the app can
  /// lose access to the original. The value applies only to files. AppKit opens every file at its
  /// current location.
  public var opensInPlace: Bool
  /// The scene that should open the link, or nil in an app without scenes.
  public var scene: AppScene?
  /// The `UIOpenURLContext` of a scene's link.
  package var object = SystemObject(nil)

  public init(
    _ url: URL, sourceApplication: String? = nil, annotation: PropertyValue? = nil, opensInPlace: Bool = false,
    scene: AppScene? = nil
  ) {
    self.url = url
    self.sourceApplication = sourceApplication
    self.annotation = annotation
    self.opensInPlace = opensInPlace
    self.scene = scene
  }
}

/// A quick action on the app's icon.
///
/// It corresponds to `UIApplicationShortcutItem` in UIKit.
public struct QuickAction: Sendable, Hashable, ObjectPayload {
  /// The app's own name for the action.
  public var type: String
  public var title: String
  public var subtitle: String?
  public var userInfo: [String: PropertyValue]
  /// The scene that should perform the action, or nil in an app without scenes.
  public var scene: AppScene?
  package var object = SystemObject(nil)

  public init(
    type: String, title: String = "", subtitle: String? = nil, userInfo: [String: PropertyValue] = [:],
    scene: AppScene? = nil
  ) {
    self.type = type
    self.title = title
    self.subtitle = subtitle
    self.userInfo = userInfo
    self.scene = scene
  }
}

extension Event where Payload == LaunchOptions, Outcome == Bool {
  /// An event that is triggered after the app launches.
  ///
  /// The outcome is `false` if a module answers `false`, for example for a link that it can't open.
  /// Otherwise, it's `true`, because UIKit expects `true` from an app that doesn't object.
  ///
  /// UIKit: `application(_:didFinishLaunchingWithOptions:)`. AppKit:
  /// `applicationDidFinishLaunching(_:)`. WatchKit: `applicationDidFinishLaunching()`.
  public static var didFinishLaunching: Self {
    .init("app.didFinishLaunching", combining: .all)
  }
}

extension Event where Payload == Void, Outcome == Void {
  /// An event that is triggered when memory is low.
  ///
  /// UIKit: `applicationDidReceiveMemoryWarning(_:)`.
  public static var didReceiveMemoryWarning: Self { .init("app.didReceiveMemoryWarning") }

  /// An event that is triggered at midnight, when the time zone changes, or when the clock is
  /// corrected.
  ///
  /// UIKit: `applicationSignificantTimeChange(_:)`.
  public static var significantTimeDidChange: Self { .init("app.significantTimeDidChange") }

  /// An event that is triggered when unlocking the device makes protected files available.
  ///
  /// UIKit, AppKit: `applicationProtectedDataDidBecomeAvailable(_:)`.
  public static var protectedDataDidBecomeAvailable: Self { .init("app.protectedDataDidBecomeAvailable") }

  /// An event that is triggered before protected files become unavailable because the device locks.
  ///
  /// UIKit, AppKit: `applicationProtectedDataWillBecomeUnavailable(_:)`.
  public static var protectedDataWillBecomeUnavailable: Self { .init("app.protectedDataWillBecomeUnavailable") }
}

extension Event where Payload == OpenedURL, Outcome == Bool {
  /// An event that is triggered when the app should open a link.
  ///
  /// The outcome, which UIKit ignores for a scene's link, is `true` if a module opened the link.
  ///
  /// UIKit: `application(_:open:options:)`, or, in an app with scenes, `scene(_:openURLContexts:)`.
  /// AppKit: `application(_:open:)`. SwiftUI: `onOpenURL`. Each link triggers its own event.
  public static var openURL: Self { .init("app.openURL", combining: .any) }
}

extension AsyncEvent where Payload == QuickAction, Outcome == Bool {
  /// An event that is triggered when the user chooses a quick action.
  ///
  /// The outcome is `true` if a module performed the action. UIKit ignores the outcome for an
  /// action that causes a scene to connect.
  ///
  /// UIKit: `application(_:performActionFor:completionHandler:)`,
  /// `windowScene(_:performActionFor:completionHandler:)`, and the options of a scene's connection.
  public static var performQuickAction: Self { .init("app.performQuickAction", combining: .any) }
}

// MARK: - Background

extension AsyncEvent where Payload == String, Outcome == Void {
  /// An event that is triggered after a background session's transfers end while the app is
  /// suspended or not running.
  ///
  /// The payload is the session's identifier. The completion tells the system that the app is done.
  ///
  /// UIKit: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. WatchKit: a
  /// `WKURLSessionRefreshBackgroundTask`.
  public static var handleBackgroundURLSession: Self { .init("background.handleURLSession") }
}

extension AsyncEvent where Payload == Void, Outcome == Void {
  /// An event that is triggered after the app enters the background, while it has time to finish
  /// its work.
  ///
  /// It follows `Event.didEnterBackground`, whose handlers save data that mustn't be lost. The
  /// system delays suspending the app while the handlers of this event run. If the time expires
  /// before all handlers answer, the remaining handlers are canceled and reported as `no-answer`.
  /// If the system grants no time, the handlers run until the app is suspended.
  ///
  /// UIKit: `UIApplication.didEnterBackgroundNotification`, with a background task. WatchKit:
  /// `WKApplication.didEnterBackgroundNotification`, with an expiring activity. The task or
  /// activity begins only if the event has a handler.
  public static var finishInBackground: Self { .init("background.finish") }
}
