public import Foundation
public import Lifecycle
public import Registry

/// The reason of a launch: the options of `application(_:didFinishLaunchingWithOptions:)` in UIKit.
public struct LaunchOptions: Sendable {
  /// The link that the app was launched to open.
  public var url: OpenedURL?
  /// The notification that caused the launch.
  public var notification: RemoteNotification?
  /// The quick action that caused the launch.
  public var quickAction: QuickAction?
  /// The type of the activity that the app was launched to continue.
  public var userActivityType: String?
  /// The other options, by the system's names.
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

/// A link that the app should open, with the options of the system.
public struct OpenedURL: Sendable, Hashable {
  public var url: URL
  /// The bundle identifier of the app that requested it, if the system provides it.
  public var sourceApplication: String?
  /// The value that the requesting app passed.
  public var annotation: PropertyValue?
  /// A Boolean value that indicates whether the app opens the file in place; if not, it must copy
  /// the file before it changes it.
  public var opensInPlace: Bool

  public init(
    _ url: URL, sourceApplication: String? = nil, annotation: PropertyValue? = nil, opensInPlace: Bool = false
  ) {
    self.url = url
    self.sourceApplication = sourceApplication
    self.annotation = annotation
    self.opensInPlace = opensInPlace
  }
}

/// A quick action of the app's icon: `UIApplicationShortcutItem` in UIKit.
public struct QuickAction: Sendable, Hashable {
  /// The app's own name for the action.
  public var type: String
  public var title: String
  public var subtitle: String?
  public var userInfo: [String: PropertyValue]

  public init(type: String, title: String = "", subtitle: String? = nil, userInfo: [String: PropertyValue] = [:]) {
    self.type = type
    self.title = title
    self.subtitle = subtitle
    self.userInfo = userInfo
  }
}

extension Event where Payload == LaunchOptions, Outcome == Bool {
  /// The app was launched. The outcome is false if a module does not handle the link of the launch.
  ///
  /// UIKit defines true as the result of an app without an objection, so the outcome is true if no
  /// module answers. UIKit: `application(_:didFinishLaunchingWithOptions:)`. AppKit:
  /// `applicationDidFinishLaunching(_:)`. WatchKit: `applicationDidFinishLaunching()`.
  public static var didFinishLaunching: Self {
    .init("app.didFinishLaunching", initial: true, combine: { $0 = $0 && $1 })
  }
}

extension Event where Payload == Void, Outcome == Void {
  /// Memory is low. UIKit: `applicationDidReceiveMemoryWarning(_:)`.
  public static var didReceiveMemoryWarning: Self { .init("app.didReceiveMemoryWarning") }

  /// Midnight, a change of the time zone, or a corrected clock.
  ///
  /// UIKit: `applicationSignificantTimeChange(_:)`.
  public static var significantTimeDidChange: Self { .init("app.significantTimeDidChange") }

  /// Protected files are available, because the device was unlocked.
  ///
  /// UIKit, AppKit: `applicationProtectedDataDidBecomeAvailable(_:)`.
  public static var protectedDataDidBecomeAvailable: Self { .init("app.protectedDataDidBecomeAvailable") }

  /// Protected files will become unavailable, because the device is being locked.
  ///
  /// UIKit, AppKit: `applicationProtectedDataWillBecomeUnavailable(_:)`.
  public static var protectedDataWillBecomeUnavailable: Self { .init("app.protectedDataWillBecomeUnavailable") }
}

extension Event where Payload == OpenedURL, Outcome == Bool {
  /// The app should open a link. The outcome is true if a module opened it.
  ///
  /// UIKit: `application(_:open:options:)`. AppKit: `application(_:open:)`, with an event for each
  /// link.
  public static var openURL: Self { .init("app.openURL") }
}

extension AsyncEvent where Payload == QuickAction, Outcome == Bool {
  /// The user chose a quick action. The outcome is true if a module performed it.
  ///
  /// UIKit: `application(_:performActionFor:completionHandler:)`,
  /// `windowScene(_:performActionFor:completionHandler:)`.
  public static var performQuickAction: Self { .init("app.performQuickAction") }
}
