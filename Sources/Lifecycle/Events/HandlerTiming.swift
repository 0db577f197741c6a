/// The time at which a handler runs relative to the app's own handling of the event.
///
/// The app handles an event in the `app` closure of a `trigger` method, such as
/// ``ModuleManager/trigger(_:_:app:)``. Handlers with the same timing run in module order. Without
/// a closure, ``afterApp`` handlers run right after ``beforeApp`` handlers.
@nonexhaustive public enum HandlerTiming: Sendable, Hashable {
  /// Before the app's own handling.
  ///
  /// Handlers of an ``AsyncEvent`` answer in tasks, concurrently with the app's own handling. Their
  /// answers precede the app's answer in the outcome.
  case beforeApp
  /// After the app's own handling returns or, for an asynchronous event, answers.
  case afterApp
}
