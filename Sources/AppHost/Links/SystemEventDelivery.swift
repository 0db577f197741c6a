public import Lifecycle
import Registry

extension ModuleManager {
  /// Delivers a link when the modules are ready.
  ///
  /// Call this method from the app's own callbacks. It triggers `Event.openLink`, unless this
  /// package's delegates, hooks, or views already reported the link and the link is still waiting
  /// or was delivered within the last two seconds. A second call for the link delivers it again,
  /// unless a recent report had the same ``AppLink/systemObject``.
  public func deliver(_ link: AppLink) { links.add(link, by: .app) }

  /// Triggers an event that a system reports, and queues any link in the event's payload.
  ///
  /// Several paths can report the same invitation, quick action, link, or activity. Only the first
  /// report triggers the event. If the event is `sceneWillConnect`, the reasons for the connection
  /// are reported after the event.
  ///
  /// `own` is the app's own handling, which always runs and can pass links on to other methods.
  ///
  /// - Returns: The outcome. Regardless of the answers, a Boolean outcome is `true` if a handler
  ///   receives a link in the payload, or if an earlier report's outcome was `true`.
  @discardableResult package func deliver<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, by path: LinkQueue.Path, own: (() -> Outcome)? = nil
  ) -> Outcome {
    let (isLink, reported) = report(payload, of: "\(event.id)", by: path)
    let own = { own?() ?? event.rule.initial() }
    let outcome = reported?.isNew == false ? own() : trigger(event, payload) { _ in own() }
    if let (report, isNew) = reported, isNew { report.delivery = time.now() }
    if let activity = payload as? UserActivity { (activity.restoration.value as? ActivityRestoration)?.finish() }
    if let connection = payload as? SceneConnection { reportReasons(of: connection, by: path) }
    // Modules answer only the first report, but a system can use the answer to a later report.
    if outcome as? Bool == true { reported?.report.isHandled = true }
    return isLink || reported?.report.isHandled == true ? true as? Outcome ?? outcome : outcome
  }

  /// Triggers an event that a system reports with a completion handler, and queues any link in the
  /// event's payload.
  ///
  /// `own` calls the app's own method with a completion handler. A repeated report calls only
  /// `repeated` or, if that's nil, completes with the neutral outcome. A Boolean outcome is `true`
  /// if a handler receives a link in the payload.
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
    reported?.report.delivery = time.now()
  }

  var systemEventTimeLimit: Double { context.configuration[.systemEventTimeLimit] }

  /// Queues the link in a system's payload. Returns `true` if the payload contains a link that a
  /// handler receives.
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

  /// Queues the link in an event's payload.
  ///
  /// - Returns: `true` if a handler receives the link, and the event's report; nil for events that
  ///   only one path can report.
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
    case let opened as OpenedURL: source = path == .openURL ? AppLink.source(of: opened) : .url(opened)
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
      // SwiftUI passes a scene delegate's links to views, too, and a scene delegate can call the
      // app delegate, so several paths can report the event. A connection's links don't count: they
      // trigger only `openLink`. An activity without a link is identified by its type.
      let link = AppLink(source, key: context.configuration[.linkKey])
      let key = link?.key ?? ["activity", (payload as? UserActivity)?.type ?? ""]
      return (isLink, links.event(key, by: path))
    }
  }

  /// Reports the event of a quick action. A scene delegate can report the action of a connection
  /// again, by calling its own method for quick actions.
  private func eventReport(of action: QuickAction, by path: LinkQueue.Path) -> (report: LinkQueue.Report, isNew: Bool) {
    links.event(["quickAction", action.type], action.object.value, by: path)
  }

  /// Queues the links that make a scene connect, and triggers the events of a quick action and an
  /// invitation. UIKit reports these reasons nowhere else, except that the notification center's
  /// delegate also receives the response to a notification.
  private func reportReasons(of connection: SceneConnection, by path: LinkQueue.Path) {
    let activities = connection.userActivities.map { AppLink.Source($0) }
    let action = connection.quickAction
    let sources =
      connection.urls.map { .url($0) } + activities + (action.map { [.quickAction($0)] } ?? [])
      + (connection.notificationResponse.map { [.notification($0)] } ?? [])
    for source in sources { report(source, in: connection.scene, by: path, connects: true) }
    if let action, case (let report, true) = eventReport(of: action, by: path) {
      trigger(.performQuickAction, action, timeLimit: systemEventTimeLimit) { _ in }
      report.delivery = time.now()
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
  /// The time limit, in seconds, for answers to asynchronous events that this package triggers.
  ///
  /// It applies to modules, and to the app's own methods that hooks wrap. The default is 25,
  /// because UIKit gives an app 30 seconds. To decide how to present a notification, modules have
  /// at most two seconds, because the system waits for the answer. For a background session, they
  /// have at most ten on watchOS, which terminates the app after 15 or 25. Set the value in
  /// ``/Lifecycle/Context/configuration``.
  public static var systemEventTimeLimit: Self { .init("app.systemEventTimeLimit", default: 25) }
}
