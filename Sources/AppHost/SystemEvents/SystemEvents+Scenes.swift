public import Lifecycle

/// An instance of the app's user interface.
///
/// It corresponds to `UISceneSession` in UIKit.
public struct AppScene: Sendable, Hashable {
  /// The purpose of a scene.
  ///
  /// UIKit and CarPlay declare other roles as constants of `UISceneSession.Role`.
  public struct Role: RawRepresentable, Sendable, Hashable {
    /// The system's name for the role.
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A window on the device, `UIWindowSceneSessionRoleApplication`.
    public static let application = Self(rawValue: "UIWindowSceneSessionRoleApplication")
  }

  /// The session's persistent identifier, which doesn't change when the scene is closed and
  /// reopened.
  public var identifier: String
  public var role: Role

  public init(identifier: String, role: Role = .application) {
    self.identifier = identifier
    self.role = role
  }

  package static func inOrder(_ scenes: [AppScene]) -> [AppScene] { scenes.sorted { $0.identifier < $1.identifier } }
}

/// A scene that connects, with the reasons for the connection.
///
/// It corresponds to `UIScene.ConnectionOptions` in UIKit.
public struct SceneConnection: Sendable {
  public var scene: AppScene
  public var urls: [OpenedURL]
  public var userActivities: [UserActivity]
  /// The type of an activity that the system is still fetching from another device, or nil.
  ///
  /// The activity itself arrives later, as `Event.continueUserActivity`.
  public var handoffUserActivityType: String?
  public var notificationResponse: NotificationResponse?
  public var quickAction: QuickAction?
  public var cloudKitShare: CloudKitShare?
  /// The state that modules saved for the scene, or nil.
  ///
  /// UIKit encrypts the state. If the device is locked, the value is nil, and
  /// `Event.sceneRestoreState` provides the state later.
  public var savedState: UserActivity?
  /// The bundle identifier of the app that requested the scene, if the system provides it.
  public var sourceApplication: String?

  public init(
    _ scene: AppScene, urls: [OpenedURL] = [], userActivities: [UserActivity] = [],
    handoffUserActivityType: String? = nil, notificationResponse: NotificationResponse? = nil,
    quickAction: QuickAction? = nil, cloudKitShare: CloudKitShare? = nil, savedState: UserActivity? = nil,
    sourceApplication: String? = nil
  ) {
    self.scene = scene
    self.urls = urls
    self.userActivities = userActivities
    self.handoffUserActivityType = handoffUserActivityType
    self.notificationResponse = notificationResponse
    self.quickAction = quickAction
    self.cloudKitShare = cloudKitShare
    self.savedState = savedState
    self.sourceApplication = sourceApplication
  }
}

extension Event where Payload == SceneConnection, Outcome == Void {
  /// An event that is triggered when a scene connects.
  ///
  /// UIKit: `scene(_:willConnectTo:options:)`.
  public static var sceneWillConnect: Self { .init("scene.willConnect") }
}

extension Event where Payload == AppScene, Outcome == Void {
  /// An event that is triggered after a scene disconnects. The scene can connect again.
  ///
  /// UIKit: `sceneDidDisconnect(_:)`.
  public static var sceneDidDisconnect: Self { .init("scene.didDisconnect") }

  /// An event that is triggered after the user or the app permanently removes a scene.
  ///
  /// For scenes that were removed while the app wasn't running, the event is triggered soon after
  /// the launch.
  ///
  /// UIKit: `application(_:didDiscardSceneSessions:)`, with an event for each scene.
  public static var sceneWasDiscarded: Self { .init("scene.wasDiscarded") }

  /// An event that is triggered after a scene becomes active.
  ///
  /// UIKit: `sceneDidBecomeActive(_:)`. SwiftUI: `scenePhase`.
  public static var sceneDidBecomeActive: Self { .init("scene.didBecomeActive") }

  /// An event that is triggered when a scene is about to become inactive.
  ///
  /// UIKit: `sceneWillResignActive(_:)`. SwiftUI: `scenePhase`.
  public static var sceneWillResignActive: Self { .init("scene.willResignActive") }

  /// An event that is triggered when a scene is about to enter the foreground.
  ///
  /// UIKit: `sceneWillEnterForeground(_:)`. SwiftUI: `scenePhase`.
  public static var sceneWillEnterForeground: Self { .init("scene.willEnterForeground") }

  /// An event that is triggered after a scene enters the background.
  ///
  /// UIKit: `sceneDidEnterBackground(_:)`. SwiftUI: `scenePhase`.
  public static var sceneDidEnterBackground: Self { .init("scene.didEnterBackground") }
}

extension Event where Payload == UserActivity, Outcome == Void {
  /// An event that is triggered when a scene should show the state that modules saved.
  ///
  /// The payload's scene is never nil. The event follows `Event.sceneWillConnect`, whose payload
  /// can contain the state, too (``SceneConnection/savedState``). The scene's views already exist.
  ///
  /// UIKit: `scene(_:restoreInteractionStateWith:)`.
  public static var sceneRestoreState: Self { .init("scene.restoreState") }
}

extension Event where Payload == AppScene, Outcome == UserActivity? {
  /// An event that is triggered when the system saves the state of a scene.
  ///
  /// Each module that has state returns an activity. The outcome is the first activity, with the
  /// user info of all other activities added. If several activities have values for a key, the
  /// first value wins. An activity created from an `NSUserActivity` is treated as the first, and
  /// stores the values of the others under a separate key of its user info. List the type of the
  /// resulting activity under `NSUserActivityTypes` in the `Info.plist`.
  ///
  /// UIKit: `stateRestorationActivity(for:)`.
  public static var sceneSaveState: Self {
    .init("scene.saveState", combining: .init(initial: nil) { $0 = $0?.merging($1) ?? $1 })
  }
}
