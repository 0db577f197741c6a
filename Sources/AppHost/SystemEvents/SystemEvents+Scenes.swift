public import Lifecycle

/// One of the app's user interfaces: UIKit's `UISceneSession`.
public struct AppScene: Sendable, Hashable {
  /// What a scene is for.
  public struct Role: RawRepresentable, Sendable, Hashable {
    /// The system's own name.
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A window on the device: `UIWindowSceneSessionRoleApplication`.
    public static let application = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    /// A window on another screen that nobody touches: `UIWindowSceneSessionRoleExternalDisplayNonInteractive`.
    public static let externalDisplay = Self(rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    /// A car's screen: `CPTemplateApplicationSceneSessionRoleApplication`.
    public static let carPlay = Self(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
  }

  /// The session's persistent identifier: the same when the scene is closed and opened again.
  public var identifier: String
  public var role: Role

  public init(identifier: String, role: Role = .application) {
    self.identifier = identifier
    self.role = role
  }
}

/// A scene that appears, and what for: UIKit's `UIScene.ConnectionOptions`.
public struct SceneConnection: Sendable {
  public var scene: AppScene
  public var urls: [OpenedURL]
  public var userActivities: [UserActivity]
  public var notificationResponse: NotificationResponse?
  public var quickAction: QuickAction?
  /// The bundle identifier of the app that asked for it, where the system tells.
  public var sourceApplication: String?

  public init(
    _ scene: AppScene, urls: [OpenedURL] = [], userActivities: [UserActivity] = [],
    notificationResponse: NotificationResponse? = nil, quickAction: QuickAction? = nil, sourceApplication: String? = nil
  ) {
    self.scene = scene
    self.urls = urls
    self.userActivities = userActivities
    self.notificationResponse = notificationResponse
    self.quickAction = quickAction
    self.sourceApplication = sourceApplication
  }
}

/// A link that a scene is to open.
public struct SceneURL: Sendable, Hashable {
  public var scene: AppScene
  public var opened: OpenedURL

  public init(_ scene: AppScene, _ opened: OpenedURL) {
    self.scene = scene
    self.opened = opened
  }
}

/// An activity that a scene is to continue.
public struct SceneUserActivity: Sendable, Hashable {
  public var scene: AppScene
  public var activity: UserActivity

  public init(_ scene: AppScene, _ activity: UserActivity) {
    self.scene = scene
    self.activity = activity
  }
}

extension Event where Payload == SceneConnection, Outcome == Void {
  /// A scene appears. UIKit: `scene(_:willConnectTo:options:)`.
  public static var sceneWillConnect: Self { .init("scene.willConnect") }
}

extension Event where Payload == AppScene, Outcome == Void {
  /// A scene is gone; it may come again. UIKit: `sceneDidDisconnect(_:)`.
  public static var sceneDidDisconnect: Self { .init("scene.didDisconnect") }

  /// A scene is in front and gets events. UIKit: `sceneDidBecomeActive(_:)`.
  public static var sceneDidBecomeActive: Self { .init("scene.didBecomeActive") }

  /// A scene will not be in front any more. UIKit: `sceneWillResignActive(_:)`.
  public static var sceneWillResignActive: Self { .init("scene.willResignActive") }

  /// A scene will be seen. UIKit: `sceneWillEnterForeground(_:)`.
  public static var sceneWillEnterForeground: Self { .init("scene.willEnterForeground") }

  /// A scene is not seen any more. UIKit: `sceneDidEnterBackground(_:)`.
  public static var sceneDidEnterBackground: Self { .init("scene.didEnterBackground") }
}

extension Event where Payload == SceneURL, Outcome == Bool {
  /// A scene is to open a link. True if one module says that it did; UIKit does not ask.
  ///
  /// UIKit: `scene(_:openURLContexts:)`, once for each link.
  public static var sceneOpenURL: Self { .init("scene.openURL") }
}

extension Event where Payload == SceneUserActivity, Outcome == Bool {
  /// A scene is to continue an activity. True if one module says that it did; UIKit does not ask. UIKit: `scene(_:continue:)`.
  public static var sceneContinueUserActivity: Self { .init("scene.continueUserActivity") }
}
