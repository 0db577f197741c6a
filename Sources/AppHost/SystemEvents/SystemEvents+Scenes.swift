public import Lifecycle

/// A user interface of the app: `UISceneSession` in UIKit.
public struct AppScene: Sendable, Hashable {
  /// The purpose of a scene.
  public struct Role: RawRepresentable, Sendable, Hashable {
    /// The system's name for it.
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A window on the device: `UIWindowSceneSessionRoleApplication`.
    public static let application = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    /// A window on another screen without touch:
    /// `UIWindowSceneSessionRoleExternalDisplayNonInteractive`.
    public static let externalDisplay = Self(rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    /// A car's screen: `CPTemplateApplicationSceneSessionRoleApplication`.
    public static let carPlay = Self(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
  }

  /// The session's persistent identifier, which stays the same when the scene is closed and
  /// reopened.
  public var identifier: String
  public var role: Role

  public init(identifier: String, role: Role = .application) {
    self.identifier = identifier
    self.role = role
  }
}

/// A scene that connects, and the reasons: `UIScene.ConnectionOptions` in UIKit.
public struct SceneConnection: Sendable {
  public var scene: AppScene
  public var urls: [OpenedURL]
  public var userActivities: [UserActivity]
  public var notificationResponse: NotificationResponse?
  public var quickAction: QuickAction?
  /// The bundle identifier of the app that requested the scene, if the system provides it.
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

/// A link that a scene should open.
public struct SceneURL: Sendable, Hashable {
  public var scene: AppScene
  public var opened: OpenedURL

  public init(_ scene: AppScene, _ opened: OpenedURL) {
    self.scene = scene
    self.opened = opened
  }
}

/// An activity that a scene should continue.
public struct SceneUserActivity: Sendable, Hashable {
  public var scene: AppScene
  public var activity: UserActivity

  public init(_ scene: AppScene, _ activity: UserActivity) {
    self.scene = scene
    self.activity = activity
  }
}

extension Event where Payload == SceneConnection, Outcome == Void {
  /// A scene connects. UIKit: `scene(_:willConnectTo:options:)`.
  public static var sceneWillConnect: Self { .init("scene.willConnect") }
}

extension Event where Payload == AppScene, Outcome == Void {
  /// A scene disconnected and can connect again. UIKit: `sceneDidDisconnect(_:)`.
  public static var sceneDidDisconnect: Self { .init("scene.didDisconnect") }

  /// A scene is active and receives events. UIKit: `sceneDidBecomeActive(_:)`.
  public static var sceneDidBecomeActive: Self { .init("scene.didBecomeActive") }

  /// A scene will become inactive. UIKit: `sceneWillResignActive(_:)`.
  public static var sceneWillResignActive: Self { .init("scene.willResignActive") }

  /// A scene will enter the foreground. UIKit: `sceneWillEnterForeground(_:)`.
  public static var sceneWillEnterForeground: Self { .init("scene.willEnterForeground") }

  /// A scene is in the background. UIKit: `sceneDidEnterBackground(_:)`.
  public static var sceneDidEnterBackground: Self { .init("scene.didEnterBackground") }
}

extension Event where Payload == SceneURL, Outcome == Bool {
  /// A scene should open a link. The outcome is true if a module opened it; UIKit ignores it.
  ///
  /// UIKit: `scene(_:openURLContexts:)`, with an event for each link.
  public static var sceneOpenURL: Self { .init("scene.openURL") }
}

extension Event where Payload == SceneUserActivity, Outcome == Bool {
  /// A scene should continue an activity.
  ///
  /// The outcome is true if a module continued it; UIKit ignores it. UIKit: `scene(_:continue:)`.
  public static var sceneContinueUserActivity: Self { .init("scene.continueUserActivity") }
}
