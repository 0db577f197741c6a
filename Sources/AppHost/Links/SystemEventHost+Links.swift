public import Lifecycle
import Registry

extension SystemEventHost {
  /// Opens a link when the modules are ready, as `Event.openLink`.
  ///
  /// Call it from the app's own callbacks. If a delegate or a view of this package has reported the
  /// same link, the call has no effect while that link waits, and for two seconds after its
  /// delivery.
  public func open(_ link: AppLink) { modules.sharedHostState.links.add(link, by: .app) }

  /// Reports a link that a system's payload contains.
  ///
  /// - Parameters:
  ///   - source: The payload with the reason for the link.
  ///   - object: The object of the system that the payload was read from.
  ///   - scene: The scene that should open the link.
  ///   - path: The way in which the system reported the link.
  ///   - connects: A Boolean value that indicates whether the scene connects for the link.
  /// - Returns: `true` if the payload contains a link and a module subscribed to it.
  @discardableResult package func report(
    _ source: AppLink.Source, _ object: AnyObject?, in scene: AppScene? = nil, by path: LinkQueue.Path,
    connects: Bool = false
  ) -> Bool {
    let key = modules.context.configuration[.linkKey]
    guard var link = AppLink(source, key: key, scene: scene) else { return false }
    link.object = object.map { SystemObject($0) }
    modules.sharedHostState.links.add(link, by: path, connects: connects)
    return modules.subscribedEvents.contains(DelegateMethod.linkEvent)
  }

  // MARK: - The app's delegate

  /// Triggers the event of a link that the app should open, and reports the link.
  package func openURL(_ opened: OpenedURL) -> Bool {
    let isLink = report(.url(opened), nil, by: .appDelegate)
    return trigger(.openURL, opened) || isLink
  }

  /// Triggers the event of an activity that the app should continue, and reports its link.
  ///
  /// - Parameters:
  ///   - activity: The activity.
  ///   - object: The object of the system that the activity was read from.
  ///   - path: The way in which the system reported the activity.
  ///   - restoration: The objects to restore, which modules and the app supply during the call or
  ///     later.
  ///   - own: The app's own handling, or nil.
  /// - Returns: `true` if a module or the app continued the activity, or if it is a link that a
  ///   module receives.
  package func continueActivity(
    _ activity: UserActivity, _ object: AnyObject?, by path: LinkQueue.Path = .appDelegate,
    restoration: ActivityRestoration? = nil, own: (() -> Bool)? = nil
  ) -> Bool {
    var activity = activity
    activity.restoration = SystemObject(restoration)
    let isLink = report(AppLink.Source(activity), object, by: path)
    let isContinued = modules.trigger(.continueUserActivity, activity) { _ in own?() ?? false }
    restoration?.finish()
    return isContinued || isLink
  }

  /// Triggers the event of a quick action, and reports its link.
  ///
  /// The delegate of the action's scene received the action. If it has no scene, the app's delegate
  /// received it.
  package func performQuickAction(
    _ action: QuickAction, _ object: AnyObject?, completion: @escaping @MainActor (Bool) -> Void
  ) {
    let path: LinkQueue.Path = action.scene == nil ? .appDelegate : .sceneDelegate
    let isLink = report(.quickAction(action), object, by: path)
    guard isNewEvent(action, object, by: path) else { return completion(isLink) }
    trigger(.performQuickAction, action) { completion($0 || isLink) }
  }

  /// Returns `true` unless the quick action has already been reported for its event.
  ///
  /// A delegate can pass the action of a scene's connection on to its other methods.
  package func isNewEvent(_ action: QuickAction, _ object: AnyObject?, by path: LinkQueue.Path) -> Bool {
    modules.sharedHostState.links.isNewEvent(["quickAction", action.type], object, by: path)
  }

  /// Triggers the event of an invitation, unless the invitation has already been reported.
  ///
  /// - Parameters:
  ///   - share: The invitation.
  ///   - path: The way in which the system reported the invitation.
  ///   - own: The app's own handling, which is called in any case.
  package func accept(_ share: CloudKitShare, by path: LinkQueue.Path, own: () -> Void = {}) {
    let key = ["share", share.containerIdentifier]
    guard modules.sharedHostState.links.isNewEvent(key, share.systemObject, by: path) else { return own() }
    modules.trigger(.userDidAcceptCloudKitShare, share) { _ in own() }
  }

  // MARK: - Scene delegates

  /// The objects that the payload of a scene's connection was read from, in the same order.
  package struct ConnectionObjects {
    package var urls: [AnyObject] = []
    package var userActivities: [AnyObject] = []
    package var notificationResponse: AnyObject?
    package var quickAction: AnyObject?

    package init() {}
  }

  /// Triggers the event of a scene that connects, and reports the reasons for which it connects.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - objects: The objects of the system that the connection was read from.
  ///   - path: The way in which the system reported the connection.
  ///   - own: The app's own handling, which can pass links on to other methods.
  package func connect(
    _ connection: SceneConnection, _ objects: ConnectionObjects = ConnectionObjects(),
    by path: LinkQueue.Path = .sceneDelegate, own: () -> Void = {}
  ) {
    modules.trigger(.sceneWillConnect, connection) { _ in own() }
    reportReasons(of: connection, objects, by: path)
  }

  /// Reports the links for which a scene connects, and triggers the events of a quick action and of
  /// an invitation.
  ///
  /// UIKit calls no other method for them. It passes the response to a notification to the
  /// notification center's delegate as well.
  private func reportReasons(
    of connection: SceneConnection, _ objects: ConnectionObjects, by path: LinkQueue.Path
  ) {
    let scene = connection.scene
    for (index, opened) in connection.urls.enumerated() {
      report(.url(opened), objects.urls.dropFirst(index).first, in: scene, by: path, connects: true)
    }
    for (index, activity) in connection.userActivities.enumerated() {
      let object = objects.userActivities.dropFirst(index).first
      report(AppLink.Source(activity), object, in: scene, by: path, connects: true)
    }
    if let action = connection.quickAction {
      report(.quickAction(action), objects.quickAction, in: scene, by: path, connects: true)
      if isNewEvent(action, objects.quickAction, by: path) { trigger(.performQuickAction, action) { _ in } }
    }
    if let response = connection.notificationResponse {
      report(.notification(response), objects.notificationResponse, in: scene, by: path, connects: true)
    }
    if let share = connection.cloudKitShare { accept(share, by: path) }
  }

  /// Triggers the event of a link that a scene should open, and reports the link.
  ///
  /// SwiftUI passes a link that its scene delegate received to views as well. The event is
  /// triggered only for the first of these reports.
  package func openURL(
    _ opened: OpenedURL, _ object: AnyObject?, in scene: AppScene, by path: LinkQueue.Path = .sceneDelegate
  ) {
    // SwiftUI passes universal links as URLs.
    let source = path == .openURL ? AppLink(opened.url).source : .url(opened)
    report(source, object, in: scene, by: path)
    if isNewEvent(source, activityType: "", by: path) { trigger(.sceneOpenURL, SceneURL(scene, opened)) }
  }

  /// Triggers the event of an activity that a scene should continue, and reports its link.
  ///
  /// Like a link, an activity that several paths report has one event.
  ///
  /// - Parameter own: The app's own handling, which is called in any case.
  package func continueActivity(
    _ activity: UserActivity, _ object: AnyObject?, in scene: AppScene, by path: LinkQueue.Path = .sceneDelegate,
    own: () -> Void = {}
  ) {
    let source = AppLink.Source(activity)
    report(source, object, in: scene, by: path)
    guard isNewEvent(source, activityType: activity.type, by: path) else { return own() }
    modules.trigger(.sceneContinueUserActivity, SceneUserActivity(scene, activity)) { _ in
      own()
      return false
    }
  }

  /// Returns `true` unless the same link or activity has been reported for an event of a scene.
  ///
  /// The links of a scene's connection do not count, because the connection has another event. The
  /// type identifies an activity without a link.
  private func isNewEvent(_ source: AppLink.Source, activityType: String, by path: LinkQueue.Path) -> Bool {
    let link = AppLink(source, key: modules.context.configuration[.linkKey])
    return modules.sharedHostState.links.isNewEvent(link?.key ?? ["activity", activityType], by: path)
  }

  // MARK: - Notifications

  /// Triggers the event of the user's response to a notification, and reports its link.
  package func respond(
    _ response: NotificationResponse, _ object: AnyObject?, completion: @escaping @MainActor () -> Void
  ) {
    report(.notification(response), object, by: .notificationCenter)
    trigger(.didReceiveNotificationResponse, response) { _ in completion() }
  }
}

extension ContextKey where Value == String {
  /// The key under which notifications, quick actions, and activities contain a link.
  ///
  /// The default is `url`. Set the value in ``/Lifecycle/Context/configuration``.
  public static var linkKey: Self { .init("app.linkKey", default: "url") }
}
