public import Lifecycle
public import Registry

extension AsyncEvent where Payload == String, Outcome == Void {
  /// Transfers of a background session have ended while the app did not run: the session's identifier. The completion tells the
  /// system that all has been dealt with.
  ///
  /// UIKit: `application(_:handleEventsForBackgroundURLSession:completionHandler:)`. WatchKit: a
  /// `WKURLSessionRefreshBackgroundTask`.
  public static var handleBackgroundURLSession: Self { .init("background.handleURLSession") }
}

extension AsyncEvent where Payload == [String: PropertyValue]?, Outcome == [String: PropertyValue]? {
  /// The app on the watch asks for something. The first reply, in the order of modules, that is not nil.
  ///
  /// UIKit: `application(_:handleWatchKitExtensionRequest:reply:)`.
  public static var handleWatchKitRequest: Self { .init("background.handleWatchKitRequest") }
}
