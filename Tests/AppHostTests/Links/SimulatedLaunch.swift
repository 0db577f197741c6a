import Foundation
import Lifecycle
import Registry

@testable import AppHost

/// The kind of a link that a simulated system reports.
enum LinkKind: String, CaseIterable, Sendable {
  case url
  case universalLink
  case handoff
  case spotlight
  case quickAction
  case notification
}

/// The objects of an app to which a simulated system reports links.
enum AppSetUp: String, CaseIterable, Sendable {
  case sceneDelegate
  case appDelegate
  /// A SwiftUI app with this package's delegates and a modifier on its view.
  case swiftUI
  /// A SwiftUI app with only the modifier.
  case swiftUIWithoutDelegate
  /// A SwiftUI app whose own delegates are hooked, with the modifier.
  case swiftUIWithHooks
  /// A subclass of this package's scene delegate that passes the links of a connection on to its
  /// other methods.
  case forwardingSceneDelegate
  /// The app's own scene delegate under hooks, which passes the links of a connection on to its
  /// other methods.
  case forwardingWithHooks
  /// The app's own scene delegate under hooks, which passes every link on to the app's delegate.
  case forwardingToAppWithHooks
}

/// A system that opens links in a simulated app.
///
/// It calls the objects of the app as the systems do, according to Apple's documentation of
/// `UIScene.ConnectionOptions`, `application(_:willFinishLaunchingWithOptions:)`, and `onOpenURL`,
/// and to the answers in the Apple Developer Forums 762526 and 746362:
///
/// - A scene that connects for a link has it in its connection options. Its delegate's other
///   methods receive links only later.
/// - An app without scenes has the link in the launch options, and its delegate's method receives
///   the link after the launch.
/// - The delegate of the notification center receives every response, also one that launches the
///   app or connects a scene.
/// - SwiftUI passes links, universal links, and activities to views. A scene delegate that a
///   SwiftUI app supplies receives only the connection and quick actions. Under hooks, SwiftUI's
///   own scene delegate receives a link first.
@MainActor struct SimulatedLaunch {
  let modules: ModuleManager
  let setUp: AppSetUp
  let scene = AppScene(identifier: "s1")

  init(_ modules: ModuleManager, _ setUp: AppSetUp) {
    self.modules = modules
    self.setUp = setUp
  }

  static let webURL = URL(string: "https://shop.example/orders/7")!
  static let ownURL = URL(string: "shop://order/7")!

  let opened = OpenedURL(ownURL)
  private var openedInScene: OpenedURL { OpenedURL(Self.ownURL, scene: scene) }
  let web = UserActivity(type: UserActivity.browsingWeb, webpageURL: webURL)
  let handoff = UserActivity(type: "com.example.order", userInfo: ["url": "shop://order/7"])
  let spotlight = UserActivity(
    type: UserActivity.spotlight, userInfo: ["kCSSearchableItemActivityIdentifier": "shop://order/7"])

  /// The quick action, which contains the scene if a scene's delegate receives it.
  var action: QuickAction {
    QuickAction(type: "order", userInfo: ["url": "shop://order/7"], scene: setUp == .appDelegate ? nil : scene)
  }

  /// The response, which contains the scene that the system chose (`targetScene`).
  var response: NotificationResponse {
    NotificationResponse(
      UserNotification(identifier: "n1", userInfo: ["url": "shop://order/7"]),
      scene: setUp == .appDelegate ? nil : scene)
  }

  /// Opens a link in the running app.
  func open(_ kind: LinkKind) {
    switch (setUp, kind) {
    case (_, .notification): respond()
    case (.appDelegate, .quickAction): modules.deliver(.performQuickAction, action, by: .appDelegate) { _ in }
    case (.sceneDelegate, .quickAction), (.swiftUI, .quickAction), (.forwardingSceneDelegate, .quickAction):
      modules.deliver(.performQuickAction, action, by: .sceneDelegate) { _ in }
    case (.swiftUIWithHooks, .quickAction): modules.report(.quickAction(action), by: .hooks)
    case (.appDelegate, .url): modules.deliver(.openURL, opened, by: .appDelegate)
    case (.appDelegate, _): modules.deliver(.continueUserActivity, activity(kind), by: .appDelegate)
    case (.sceneDelegate, .url), (.forwardingSceneDelegate, .url):
      modules.deliver(.openURL, openedInScene, by: .sceneDelegate)
    case (.sceneDelegate, _), (.forwardingSceneDelegate, _):
      modules.deliver(.continueUserActivity, activity(kind, in: scene), by: .sceneDelegate)
    case (.forwardingWithHooks, _): openInScene(kind, Object())
    case (.forwardingToAppWithHooks, _): openInScene(kind, Object()) { openInApp(kind) }
    case (.swiftUIWithHooks, .url):
      modules.deliver(.openURL, openedInScene, by: .hooks)
      openInView(kind)
    case (.swiftUIWithHooks, _):
      modules.deliver(.continueUserActivity, activity(kind, in: scene), by: .hooks)
      openInView(kind)
    case (.swiftUI, _), (.swiftUIWithoutDelegate, _): openInView(kind)
    }
  }

  /// Launches the app with a link, after its modules were started.
  func launch(_ kind: LinkKind) {
    switch setUp {
    case .appDelegate:
      modules.trigger(.didFinishLaunching, launchOptions(kind))
      open(kind)
    case .sceneDelegate:
      modules.deliver(.sceneWillConnect, connection(kind), by: .sceneDelegate)
      if kind == .notification { respond() }
    case .swiftUI:
      modules.deliver(.sceneWillConnect, connection(kind), by: .sceneDelegate)
      if kind == .notification { respond() } else { openInView(kind) }
    case .swiftUIWithoutDelegate: open(kind)
    case .swiftUIWithHooks:
      modules.deliver(.sceneWillConnect, connection(kind), by: .hooks)
      if kind == .notification { respond() } else { openInView(kind) }
    case .forwardingSceneDelegate:
      let object = Object()
      modules.deliver(.sceneWillConnect, connection(kind, object), by: .sceneDelegate)
      switch kind {
      case .url: modules.deliver(.openURL, openedInScene.from(object), by: .sceneDelegate)
      case .universalLink, .handoff, .spotlight:
        modules.deliver(.continueUserActivity, activity(kind, in: scene).from(object), by: .sceneDelegate)
      case .quickAction: modules.deliver(.performQuickAction, action.from(object), by: .sceneDelegate) { _ in }
      case .notification: respond()
      }
    case .forwardingWithHooks, .forwardingToAppWithHooks:
      let object = Object()
      modules.sharedHostState.links.duringCall {
        modules.deliver(.sceneWillConnect, connection(kind, object), by: .hooks) {
          if setUp == .forwardingWithHooks { openInScene(kind, object) } else { openInApp(kind) }
        }
      }
      if kind == .notification { respond() }
    }
  }

  /// An object of the system.
  private final class Object {}

  /// Opens a link in the app's own scene delegate under hooks.
  private func openInScene(_ kind: LinkKind, _ object: AnyObject, own: @escaping () -> Void = {}) {
    modules.sharedHostState.links.duringCall {
      switch kind {
      case .url: modules.deliver(.openURL, openedInScene.from(object), by: .hooks)
      case .universalLink, .handoff, .spotlight:
        let payload = activity(kind, in: scene).from(object)
        modules.deliver(.continueUserActivity, payload, by: .hooks) {
          own()
          return false
        }
        return
      case .quickAction: modules.report(.quickAction(action.from(object)), by: .hooks)
      case .notification: break
      }
      own()
    }
  }

  /// Opens a link in the app's own delegate under hooks.
  ///
  /// The method for URLs has no object of the system, and the others can receive a copy.
  private func openInApp(_ kind: LinkKind) {
    modules.sharedHostState.links.duringCall {
      switch kind {
      case .url: modules.report(.url(opened), by: .hooks)
      case .universalLink, .handoff, .spotlight:
        modules.deliver(.continueUserActivity, activity(kind).from(Object()), by: .hooks)
      case .quickAction: modules.report(.quickAction(action.from(Object())), by: .hooks)
      case .notification: break
      }
    }
  }

  private func respond() {
    if [.swiftUIWithHooks, .forwardingWithHooks, .forwardingToAppWithHooks].contains(setUp) {
      modules.report(.notification(response), by: .notificationCenter)
    } else {
      modules.deliver(.didReceiveNotificationResponse, response, by: .notificationCenter) { _ in }
    }
  }

  private func openInView(_ kind: LinkKind) {
    switch kind {
    case .url: modules.deliver(.openURL, OpenedURL(Self.ownURL, scene: scene), by: .openURL)
    case .universalLink: modules.deliver(.openURL, OpenedURL(Self.webURL, scene: scene), by: .openURL)
    case .handoff, .spotlight:
      modules.deliver(.continueUserActivity, activity(kind, in: scene), by: .userActivity)
    case .quickAction, .notification: break
    }
  }

  private func activity(_ kind: LinkKind, in scene: AppScene? = nil) -> UserActivity {
    var activity =
      switch kind {
      case .universalLink: web
      case .spotlight: spotlight
      case .url, .handoff, .quickAction, .notification: handoff
      }
    activity.scene = scene
    return activity
  }

  private func launchOptions(_ kind: LinkKind) -> LaunchOptions {
    switch kind {
    case .url: LaunchOptions(url: opened)
    case .universalLink, .handoff, .spotlight: LaunchOptions(userActivityType: activity(kind).type)
    case .quickAction: LaunchOptions(quickAction: action)
    case .notification: LaunchOptions(notification: RemoteNotification(userInfo: response.notification.userInfo))
    }
  }

  private func connection(_ kind: LinkKind, _ object: AnyObject? = nil) -> SceneConnection {
    switch kind {
    case .url: SceneConnection(scene, urls: [opened.from(object)])
    case .universalLink, .handoff, .spotlight: SceneConnection(scene, userActivities: [activity(kind).from(object)])
    case .quickAction: SceneConnection(scene, quickAction: action.from(object))
    case .notification: SceneConnection(scene, notificationResponse: response.from(object))
    }
  }
}

extension ObjectPayload {
  /// Returns the payload as if it had been read from an object.
  func from(_ object: AnyObject?) -> Self {
    var payload = self
    payload.object = SystemObject(object)
    return payload
  }
}
