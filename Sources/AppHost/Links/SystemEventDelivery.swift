public import Lifecycle
import Registry

extension ModuleManager {
  /// Opens a link when the modules are ready, as `Event.openLink`.
  ///
  /// Call it from the app's own callbacks. The call has no effect if this package's delegates,
  /// hooks, or views reported the same link, and that link still waits or was delivered within the
  /// last two seconds.
  public func deliver(_ link: AppLink) { links.add(link, by: .app) }

  /// Triggers the event that a system reports, and reports the link in the payload.
  ///
  /// Several paths can report the same invitation, quick action, link, or activity. Only the first
  /// report triggers the event. If a scene connects, the reasons for the connection are reported
  /// after its event.
  ///
  /// `own` is the app's own handling, which always runs and can pass links on to other methods.
  ///
  /// - Returns: The outcome. A Boolean outcome is also `true` if a module receives a link in the
  ///   payload, or if it was `true` for an earlier report.
  @discardableResult package func deliver<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, by path: LinkQueue.Path, own: (() -> Outcome)? = nil
  ) -> Outcome {
    let (isLink, reported) = report(payload, of: "\(event.id)", by: path)
    let own = { own?() ?? event.rule.initial() }
    let outcome = reported?.isNew == false ? own() : trigger(event, payload) { _ in own() }
    if let activity = payload as? UserActivity { (activity.restoration.value as? ActivityRestoration)?.finish() }
    if let connection = payload as? SceneConnection { reportReasons(of: connection, by: path) }
    // Modules answer only the first report, but a system can use the answer to a later one.
    if outcome as? Bool == true { reported?.report.isHandled = true }
    return isLink || reported?.report.isHandled == true ? true as? Outcome ?? outcome : outcome
  }

  /// Triggers the event that a system reports with a completion, and reports the link in the
  /// payload.
  ///
  /// `own` calls the app's own method with a completion handler. If `repeated` is nil, a repeated
  /// report completes with the neutral outcome, or with `true` if a module receives its link.
  package func deliver<Payload, Outcome: Sendable>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, by path: LinkQueue.Path,
    own: ((@escaping @Sendable (Outcome) -> Void) -> Void)? = nil, repeated: (() -> Void)? = nil,
    completion: @escaping @MainActor (Outcome) -> Void
  ) {
    let (isLink, reported) = report(payload, of: "\(event.id)", by: path)
    let complete = { @MainActor outcome in completion(isLink ? true as? Outcome ?? outcome : outcome) }
    if reported?.isNew == false { return repeated?() ?? complete(event.rule.initial()) }
    let limit = systemEventTimeLimit
    // The system shows a notification only after the app has answered.
    let isPresentation = "\(event.id)" == "\(AsyncEvent.willPresentNotification.id)"
    trigger(
      event, payload, timeLimit: isPresentation ? min(limit, 2) : limit, appTimeLimit: limit, app: own,
      completion: complete)
  }

  var systemEventTimeLimit: Double { context.configuration[.systemEventTimeLimit] }

  /// Reports the link in a system's payload. Returns `true` if there's a link and a module or
  /// another handler subscribed to links.
  @discardableResult package func report(
    _ source: AppLink.Source, in scene: AppScene? = nil, by path: LinkQueue.Path, connects: Bool = false
  ) -> Bool {
    let key = context.configuration[.linkKey]
    guard var link = AppLink(source, key: key, scene: scene) else { return false }
    link.object = source.payload.object
    links.add(link, by: path, connects: connects)
    return subscribedEvents.contains(DelegateMethod.linkEvent)
  }

  private var links: LinkQueue { sharedHostState.links }

  /// Reports the link in an event's payload.
  ///
  /// - Returns: `true` if a module receives the link, and the report of the event, or nil for an
  ///   event that only one path reports.
  private func report(
    _ payload: Any, of event: String, by path: LinkQueue.Path
  ) -> (isLink: Bool, reported: (report: LinkQueue.Report, isNew: Bool)?) {
    if let share = payload as? CloudKitShare {
      return (false, links.event(["share", share.containerIdentifier], share.systemObject, by: path))
    }
    guard DelegateMethod.all.contains(where: { $0.event == event && $0.carriesLinks }) else { return (false, nil) }
    let source: AppLink.Source
    switch payload {
    // SwiftUI passes universal links as URLs.
    case let opened as OpenedURL: source = path == .openURL ? AppLink(opened.url).source : .url(opened)
    case let activity as UserActivity: source = AppLink.Source(activity)
    case let response as NotificationResponse: source = .notification(response)
    case let action as QuickAction: source = .quickAction(action)
    default: return (false, nil)
    }
    let isLink = report(source, in: (payload as? OpenedURL)?.scene, by: path)
    switch source {
    case .notification: return (isLink, nil)
    case .quickAction(let action): return (isLink, eventReport(of: action, by: path))
    default:
      // SwiftUI passes a scene delegate's links to views too, and a scene's delegate can call the
      // app's, so several paths can report a link. A scene connection's links don't count, because
      // they trigger no `openURL`. An activity without a link is identified by its type.
      let link = AppLink(source, key: context.configuration[.linkKey])
      let key = link?.key ?? ["activity", (payload as? UserActivity)?.type ?? ""]
      return (isLink, links.event(key, by: path))
    }
  }

  /// Reports the event of a quick action. A delegate can pass the action of a scene connection to
  /// its method for quick actions.
  private func eventReport(of action: QuickAction, by path: LinkQueue.Path) -> (report: LinkQueue.Report, isNew: Bool) {
    links.event(["quickAction", action.type], action.object.value, by: path)
  }

  /// Reports the links that make a scene connect, and triggers the events of a quick action and an
  /// invitation. UIKit reports these reasons in no other way, except that the notification center's
  /// delegate also receives the response to a notification.
  private func reportReasons(of connection: SceneConnection, by path: LinkQueue.Path) {
    let activities = connection.userActivities.map { AppLink.Source($0) }
    let action = connection.quickAction
    let sources =
      connection.urls.map { .url($0) } + activities + (action.map { [.quickAction($0)] } ?? [])
      + (connection.notificationResponse.map { [.notification($0)] } ?? [])
    for source in sources { report(source, in: connection.scene, by: path, connects: true) }
    if let action, eventReport(of: action, by: path).isNew {
      trigger(.performQuickAction, action, timeLimit: systemEventTimeLimit) { _ in }
    }
    if let share = connection.cloudKitShare { deliver(.userDidAcceptCloudKitShare, share, by: path) }
  }
}

extension ContextKey where Value == String {
  /// The key for the link in notifications, quick actions, and activities.
  ///
  /// The default is `url`. Set the value in ``/Lifecycle/Context/configuration``.
  public static var linkKey: Self { .init("app.linkKey", default: "url") }
}

extension ContextKey where Value == Double {
  /// The number of seconds that modules have to answer a system event that has a completion.
  ///
  /// The default is 25, because UIKit gives an app 30 seconds. Modules have at most two seconds to
  /// decide how to present a notification, because the system waits for the answer. The limit
  /// applies to the events that delegates, hooks, and views trigger. Set the value in
  /// ``/Lifecycle/Context/configuration``.
  public static var systemEventTimeLimit: Self { .init("app.systemEventTimeLimit", default: 25) }
}
