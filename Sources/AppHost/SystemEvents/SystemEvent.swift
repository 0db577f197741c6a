import Lifecycle
import Registry

/// What there is to know of a system event without its types: for tools, documentation and tests.
public struct SystemEvent: Sendable, Hashable, Identifiable {
  /// What an event is about.
  public enum Family: String, Sendable, Hashable, CaseIterable {
    /// The life of the modules themselves, which ``ModuleManager`` tells of.
    case modules
    case application
    case notifications
    case userActivity
    case background
    case scenes
  }

  /// How an event is answered.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Not at all.
    case told
    /// At once, with an outcome.
    case answered
    /// In a module's own time: an ``AsyncEvent``.
    case awaited
  }

  /// The event's id.
  public let id: String
  /// What it is called in code: `didBecomeActive`.
  public let name: String
  public let family: Family
  public let kind: Kind
  /// The type of what it carries; `Void` if it carries nothing.
  public let payload: String
  /// The type of the outcome; `Void` if there is none.
  public let outcome: String

  private init(
    _ id: StaticString, _ name: String, _ family: Family, _ kind: Kind, _ payload: Any.Type, _ outcome: Any.Type
  ) {
    self.id = "\(id)"
    self.name = name
    self.family = family
    self.kind = kind
    self.payload = Self.spell(payload)
    self.outcome = Self.spell(outcome)
  }

  private init<Payload, Outcome>(_ name: String, _ family: Family, _ event: Event<Payload, Outcome>) {
    self.init(
      event.id, name, family, Outcome.self == Void.self ? .told : .answered, Payload.self, Outcome.self)
  }

  private init<Payload, Outcome>(_ name: String, _ family: Family, _ event: AsyncEvent<Payload, Outcome>) {
    self.init(event.id, name, family, .awaited, Payload.self, Outcome.self)
  }

  /// As it is written in code, which is not how all types describe themselves.
  private static func spell(_ type: Any.Type) -> String {
    if type == Void.self { return "Void" }
    if type == (any Error).self { return "any Error" }
    if type == [String: PropertyValue]?.self { return "[String: PropertyValue]?" }
    return "\(type)"
  }

  /// Every system event, family by family.
  public static let all: [SystemEvent] = modules + application + notifications + userActivity + background + scenes

  private static let modules: [SystemEvent] = [
    .init("modulesDidSetUp", .modules, .modulesDidSetUp),
    .init("modulesDidInitialize", .modules, .modulesDidInitialize),
    .init("modulesDidFinishStarting", .modules, .modulesDidFinishStarting),
    .init("modulesWillTearDown", .modules, .modulesWillTearDown),
    .init("moduleDidUnmount", .modules, .moduleDidUnmount),
  ]

  private static let application: [SystemEvent] = [
    .init("didFinishLaunching", .application, .didFinishLaunching),
    .init("didBecomeActive", .application, .didBecomeActive),
    .init("willResignActive", .application, .willResignActive),
    .init("didEnterBackground", .application, .didEnterBackground),
    .init("willEnterForeground", .application, .willEnterForeground),
    .init("willTerminate", .application, .willTerminate),
    .init("didReceiveMemoryWarning", .application, .didReceiveMemoryWarning),
    .init("significantTimeDidChange", .application, .significantTimeDidChange),
    .init("protectedDataDidBecomeAvailable", .application, .protectedDataDidBecomeAvailable),
    .init("protectedDataWillBecomeUnavailable", .application, .protectedDataWillBecomeUnavailable),
    .init("openURL", .application, .openURL),
    .init("performQuickAction", .application, .performQuickAction),
  ]

  private static let notifications: [SystemEvent] = [
    .init("didRegisterForRemoteNotifications", .notifications, .didRegisterForRemoteNotifications),
    .init("didFailToRegisterForRemoteNotifications", .notifications, .didFailToRegisterForRemoteNotifications),
    .init("didReceiveRemoteNotification", .notifications, .didReceiveRemoteNotification),
    .init("didReceiveLocalNotification", .notifications, .didReceiveLocalNotification),
    .init("willPresentNotification", .notifications, .willPresentNotification),
    .init("didReceiveNotificationResponse", .notifications, .didReceiveNotificationResponse),
  ]

  private static let userActivity: [SystemEvent] = [
    .init("willContinueUserActivity", .userActivity, .willContinueUserActivity),
    .init("continueUserActivity", .userActivity, .continueUserActivity),
    .init("didFailToContinueUserActivity", .userActivity, .didFailToContinueUserActivity),
    .init("didUpdateUserActivity", .userActivity, .didUpdateUserActivity),
  ]

  private static let background: [SystemEvent] = [
    .init("handleBackgroundURLSession", .background, .handleBackgroundURLSession),
    .init("handleWatchKitRequest", .background, .handleWatchKitRequest),
  ]

  private static let scenes: [SystemEvent] = [
    .init("sceneWillConnect", .scenes, .sceneWillConnect),
    .init("sceneDidDisconnect", .scenes, .sceneDidDisconnect),
    .init("sceneDidBecomeActive", .scenes, .sceneDidBecomeActive),
    .init("sceneWillResignActive", .scenes, .sceneWillResignActive),
    .init("sceneWillEnterForeground", .scenes, .sceneWillEnterForeground),
    .init("sceneDidEnterBackground", .scenes, .sceneDidEnterBackground),
    .init("sceneOpenURL", .scenes, .sceneOpenURL),
    .init("sceneContinueUserActivity", .scenes, .sceneContinueUserActivity),
  ]
}
