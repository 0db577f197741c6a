public import Foundation
public import Lifecycle
public import Registry

/// Why the app was launched: what UIKit hands to `application(_:didFinishLaunchingWithOptions:)`.
public struct LaunchOptions: Sendable {
  /// The link that it was launched to open.
  public var url: OpenedURL?
  /// The notification that it was launched for.
  public var notification: RemoteNotification?
  /// The entry of the home screen's menu that it was launched with.
  public var quickAction: QuickAction?
  /// The type of the activity that it was launched to continue.
  public var userActivityType: String?
  /// All else, under the system's names.
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

/// A link that the app is to open, and what the system says of it.
public struct OpenedURL: Sendable, Hashable {
  public var url: URL
  /// The bundle identifier of the app that asks, where the system tells.
  public var sourceApplication: String?
  /// What that app passed along.
  public var annotation: PropertyValue?
  /// Whether the file must be copied before it is changed, otherwise than in place.
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

/// An entry of the menu of the app's icon: UIKit's `UIApplicationShortcutItem`.
public struct QuickAction: Sendable, Hashable {
  /// The app's own name for what is to be done.
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
  /// The app was launched. False if one module says that it does not handle the link it was launched with.
  ///
  /// As UIKit has it: true is what an app says that has no objection, and so is the outcome if nobody answers.
  /// UIKit: `application(_:didFinishLaunchingWithOptions:)`. AppKit: `applicationDidFinishLaunching(_:)`. WatchKit:
  /// `applicationDidFinishLaunching()`.
  public static var didFinishLaunching: Self {
    .init("app.didFinishLaunching", initial: true, combine: { $0 = $0 && $1 })
  }
}

extension Event where Payload == Void, Outcome == Void {
  /// Memory is short. UIKit: `applicationDidReceiveMemoryWarning(_:)`.
  public static var didReceiveMemoryWarning: Self { .init("app.didReceiveMemoryWarning") }

  /// Midnight, another time zone or a corrected clock. UIKit: `applicationSignificantTimeChange(_:)`.
  public static var significantTimeDidChange: Self { .init("app.significantTimeDidChange") }

  /// Protected files can be read: the device is unlocked. UIKit: `applicationProtectedDataDidBecomeAvailable(_:)`. AppKit:
  /// `applicationProtectedDataDidBecomeAvailable(_:)`.
  public static var protectedDataDidBecomeAvailable: Self { .init("app.protectedDataDidBecomeAvailable") }

  /// Protected files will not be readable: the device is being locked. UIKit, AppKit:
  /// `applicationProtectedDataWillBecomeUnavailable(_:)`.
  public static var protectedDataWillBecomeUnavailable: Self { .init("app.protectedDataWillBecomeUnavailable") }
}

extension Event where Payload == OpenedURL, Outcome == Bool {
  /// A link is to be opened. True if one module says that it did.
  ///
  /// UIKit: `application(_:open:options:)`. AppKit: `application(_:open:)`, once for each link.
  public static var openURL: Self { .init("app.openURL") }
}

extension AsyncEvent where Payload == QuickAction, Outcome == Bool {
  /// An entry of the icon's menu was chosen. True if one module says that it did what it asks for.
  ///
  /// UIKit: `application(_:performActionFor:completionHandler:)`, and `windowScene(_:performActionFor:completionHandler:)`.
  public static var performQuickAction: Self { .init("app.performQuickAction") }
}
