public import Lifecycle
public import Registry

extension AsyncEvent where Payload == String, Outcome == Void {
  /// An event that is triggered when transfers of a background session ended while the app was not
  /// running.
  ///
  /// The payload is the session's identifier. The completion tells the system that the app is done.
  ///
  /// UIKit: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. WatchKit: a
  /// `WKURLSessionRefreshBackgroundTask`.
  public static var handleBackgroundURLSession: Self { .init("background.handleURLSession") }
}

extension AsyncEvent where Payload == Void, Outcome == Void {
  /// An event that is triggered when the app has entered the background and has time to finish its
  /// work.
  ///
  /// It follows `Event.didEnterBackground`, whose handlers save what must not be lost. While the
  /// handlers of this event run, the system does not suspend the app. If the system ends that time
  /// before all handlers have answered, their tasks are canceled, which is reported as
  /// `no-answer`. If the system grants no time, the handlers run until
  /// the app is suspended.
  ///
  /// UIKit: `UIApplication.didEnterBackgroundNotification`, with a background task that begins only
  /// if a module subscribed to the event. WatchKit: `applicationDidEnterBackground()`, with an
  /// expiring activity.
  public static var finishInBackground: Self { .init("background.finish") }
}

extension AsyncEvent where Payload == [String: PropertyValue]?, Outcome == [String: PropertyValue]? {
  /// An event that is triggered when the app on the watch has sent a request.
  ///
  /// The outcome is the first reply that is not nil, in the order of modules.
  ///
  /// UIKit: `application(_:handleWatchKitExtensionRequest:reply:)`.
  public static var handleWatchKitRequest: Self { .init("background.handleWatchKitRequest", combining: .first) }
}
