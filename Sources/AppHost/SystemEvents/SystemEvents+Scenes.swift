public import Lifecycle

/// A user interface of the app.
///
/// It corresponds to `UISceneSession` in UIKit.
public struct AppScene: Sendable, Hashable {
  /// The purpose of a scene.
  public struct Role: RawRepresentable, Sendable, Hashable {
    /// The system's name for the role.
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A window on the device.
    ///
    /// It corresponds to `UIWindowSceneSessionRoleApplication`.
    public static let application = Self(rawValue: "UIWindowSceneSessionRoleApplication")
    /// A window on another screen without touch.
    ///
    /// It corresponds to `UIWindowSceneSessionRoleExternalDisplayNonInteractive`.
    public static let externalDisplay = Self(rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    /// A screen of a car.
    ///
    /// It corresponds to `CPTemplateApplicationSceneSessionRoleApplication`.
    public static let carPlay = Self(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
  }

  /// The session's persistent identifier.
  ///
  /// It stays the same when the scene is closed and reopened.
  public var identifier: String
  public var role: Role

  public init(identifier: String, role: Role = .application) {
    self.identifier = identifier
    self.role = role
  }
}

/// A scene that connects, with the reasons.
///
/// It corresponds to `UIScene.ConnectionOptions` in UIKit.
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
  /// An event that is triggered when a scene connects.
  ///
  /// UIKit: `scene(_:willConnectTo:options:)`.
  public static var sceneWillConnect: Self { .init("scene.willConnect") }
}

extension Event where Payload == AppScene, Outcome == Void {
  /// An event that is triggered when a scene has disconnected. The scene can connect again.
  ///
  /// UIKit: `sceneDidDisconnect(_:)`.
  public static var sceneDidDisconnect: Self { .init("scene.didDisconnect") }

  /// An event that is triggered when a scene has become active.
  ///
  /// UIKit: `sceneDidBecomeActive(_:)`.
  public static var sceneDidBecomeActive: Self { .init("scene.didBecomeActive") }

  /// An event that is triggered when a scene is about to become inactive.
  ///
  /// UIKit: `sceneWillResignActive(_:)`.
  public static var sceneWillResignActive: Self { .init("scene.willResignActive") }

  /// An event that is triggered when a scene is about to enter the foreground.
  ///
  /// UIKit: `sceneWillEnterForeground(_:)`.
  public static var sceneWillEnterForeground: Self { .init("scene.willEnterForeground") }

  /// An event that is triggered when a scene has entered the background.
  ///
  /// UIKit: `sceneDidEnterBackground(_:)`.
  public static var sceneDidEnterBackground: Self { .init("scene.didEnterBackground") }
}

extension Event where Payload == SceneURL, Outcome == Bool {
  /// An event that is triggered when a scene should open a link.
  ///
  /// The outcome is `true` if a module opened it; UIKit ignores it.
  ///
  /// UIKit: `scene(_:openURLContexts:)`, with an event for each link.
  public static var sceneOpenURL: Self { .init("scene.openURL") }
}

extension Event where Payload == SceneUserActivity, Outcome == Bool {
  /// An event that is triggered when a scene should continue an activity.
  ///
  /// The outcome is `true` if a module continued it; UIKit ignores it.
  ///
  /// UIKit: `scene(_:continue:)`.
  public static var sceneContinueUserActivity: Self { .init("scene.continueUserActivity") }
}
