import Lifecycle

/// Which method of a class is called for an event: a row of the table that Objective-C modules go by.
@MainActor package struct ObjectiveCEvent {
  /// What the event is called in code, `didBecomeActive`; see ``SystemEvent/name``.
  package let name: String
  /// Ours first, then BeeHive's, where that one is another. The first that a class has is called, and no other.
  package let selectors: [String]
  private let subscribe: @MainActor (Subscriptions<ObjectiveCModule>, String) -> Void

  /// Lets a class hear the event, if it has a method for it; says whether it has.
  func subscribe(_ events: Subscriptions<ObjectiveCModule>, _ responds: (String) -> Bool) -> Bool {
    guard let selector = selectors.first(where: responds) else { return false }
    subscribe(events, selector)
    return true
  }

  /// `modDidBecomeActive:` for `didBecomeActive`.
  static func selector(_ name: String) -> String { "mod\(name.prefix(1).uppercased())\(name.dropFirst()):" }

  private init(
    _ name: String, _ others: [String],
    _ subscribe: @escaping @MainActor (Subscriptions<ObjectiveCModule>, String) -> Void
  ) {
    self.name = name
    selectors = [Self.selector(name)] + others
    self.subscribe = subscribe
  }

  /// An event that is over when the method has returned.
  ///
  /// - Parameter describe: Says what the payload is, if it is of a type that stands for several things.
  init<Payload, Outcome>(
    _ name: String, _ event: Event<Payload, Outcome>, _ outcome: ObjectiveCOutcome<Outcome>, _ others: String...,
    describe: @escaping @Sendable (inout ObjectiveCContents, Payload) -> Void = { $0.add($1) }
  ) {
    self.init(name, others) { events, selector in
      events.on(event) { module, payload, context in
        var contents = ObjectiveCContents(event: "\(event.id)")
        describe(&contents, payload)
        return try module.call(selector, contents, context, outcome)
      }
    }
  }

  /// An event that waits for an answer.
  init<Payload, Outcome>(
    _ name: String, _ event: AsyncEvent<Payload, Outcome>, _ outcome: ObjectiveCOutcome<Outcome>, _ others: String...,
    describe: @escaping @Sendable (inout ObjectiveCContents, Payload) -> Void = { $0.add($1) }
  ) {
    self.init(name, others) { events, selector in
      events.on(event) { module, payload, context in
        var contents = ObjectiveCContents(event: "\(event.id)")
        describe(&contents, payload)
        return try await module.callAndWait(selector, contents, context, outcome)
      }
    }
  }
}

extension ObjectiveCEvent {
  /// Every system event in the order of ``SystemEvent/all``, then ``Lifecycle/Event/custom``.
  package static let all: [ObjectiveCEvent] =
    modules + application + notifications + userActivity + background + scenes + [
      .init("didCustomEvent", .custom, .none)
    ]

  private static let modules: [ObjectiveCEvent] = [
    .init("modulesDidSetUp", .modulesDidSetUp, .none),
    .init("modulesDidInitialize", .modulesDidInitialize, .none),
    .init("modulesDidFinishStarting", .modulesDidFinishStarting, .none),
    .init("modulesWillTearDown", .modulesWillTearDown, .none),
    .init("moduleDidUnmount", .moduleDidUnmount, .none, "modUnmount:") { $0.module = $1 },
  ]

  private static let application: [ObjectiveCEvent] = [
    .init("didFinishLaunching", .didFinishLaunching, .bool(neutral: true)),
    .init("didBecomeActive", .didBecomeActive, .none),
    .init("willResignActive", .willResignActive, .none),
    .init("didEnterBackground", .didEnterBackground, .none),
    .init("willEnterForeground", .willEnterForeground, .none),
    .init("willTerminate", .willTerminate, .none),
    // BeeHive's spelling.
    .init("didReceiveMemoryWarning", .didReceiveMemoryWarning, .none, "modDidReceiveMemoryWaring:"),
    .init("significantTimeDidChange", .significantTimeDidChange, .none),
    .init("protectedDataDidBecomeAvailable", .protectedDataDidBecomeAvailable, .none),
    .init("protectedDataWillBecomeUnavailable", .protectedDataWillBecomeUnavailable, .none),
    .init("openURL", .openURL, .bool()),
    .init("performQuickAction", .performQuickAction, .bool(), "modQuickAction:"),
  ]

  private static let notifications: [ObjectiveCEvent] = [
    .init("didRegisterForRemoteNotifications", .didRegisterForRemoteNotifications, .none),
    .init("didFailToRegisterForRemoteNotifications", .didFailToRegisterForRemoteNotifications, .none) {
      $0.error = $1
    },
    .init("didReceiveRemoteNotification", .didReceiveRemoteNotification, .fetchResult),
    .init("didReceiveLocalNotification", .didReceiveLocalNotification, .none),
    .init("willPresentNotification", .willPresentNotification, .presentation),
    .init("didReceiveNotificationResponse", .didReceiveNotificationResponse, .none),
  ]

  private static let userActivity: [ObjectiveCEvent] = [
    .init("willContinueUserActivity", .willContinueUserActivity, .bool()) { $0.activityType = $1 },
    .init("continueUserActivity", .continueUserActivity, .bool()),
    .init("didFailToContinueUserActivity", .didFailToContinueUserActivity, .none),
    .init("didUpdateUserActivity", .didUpdateUserActivity, .none, "modDidUpdateContinueUserActivity:"),
  ]

  private static let background: [ObjectiveCEvent] = [
    .init("handleBackgroundURLSession", .handleBackgroundURLSession, .none) { $0.identifier = $1 },
    .init("handleWatchKitRequest", .handleWatchKitRequest, .reply, "modHandleWatchKitExtensionRequest:") {
      $0.userInfo = $1
    },
  ]

  private static let scenes: [ObjectiveCEvent] = [
    .init("sceneWillConnect", .sceneWillConnect, .none),
    .init("sceneDidDisconnect", .sceneDidDisconnect, .none),
    .init("sceneDidBecomeActive", .sceneDidBecomeActive, .none),
    .init("sceneWillResignActive", .sceneWillResignActive, .none),
    .init("sceneWillEnterForeground", .sceneWillEnterForeground, .none),
    .init("sceneDidEnterBackground", .sceneDidEnterBackground, .none),
    .init("sceneOpenURL", .sceneOpenURL, .bool()),
    .init("sceneContinueUserActivity", .sceneContinueUserActivity, .bool()),
  ]
}
