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

extension AsyncEvent where Payload == [String: PropertyValue]?, Outcome == [String: PropertyValue]? {
  /// An event that is triggered when the app on the watch has sent a request.
  ///
  /// The outcome is the first reply that is not nil, in the order of modules.
  ///
  /// UIKit: `application(_:handleWatchKitExtensionRequest:reply:)`.
  public static var handleWatchKitRequest: Self { .init("background.handleWatchKitRequest") }
}
