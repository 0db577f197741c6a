/// The time at which a handler runs relative to the app's own handling of the event.
///
/// The app handles an event in the closure that it passes to
/// ``ModuleManager/trigger(_:_:app:)``, such as an app delegate's method. Handlers with the same
/// timing run in the order of modules. If the app passes no closure, the handlers with the timing
/// ``afterApp`` run right after the others.
@nonexhaustive public enum HandlerTiming: Sendable, Hashable {
  /// Before the app's own handling.
  ///
  /// Handlers of an ``AsyncEvent`` answer in tasks, so they run at the same time as the app's own
  /// handling. Their answers precede the app's answer in the outcome.
  case beforeApp
  /// After the app's own handling has returned or, for an asynchronous event, has answered.
  case afterApp
}
