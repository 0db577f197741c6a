extension ModuleManager {
  /// Calls the handlers of an event in order and combines their answers.
  ///
  /// The method first scans for new images and sets up their modules, as ``scanImages()`` does.
  /// Handlers can register and remove modules and trigger events. The event is delivered to the
  /// handlers that existed when it began, except for those of modules that are removed meanwhile. A
  /// handler that throws is reported, and the others are called. Events that are nested more than a
  /// hundred deep are reported, with the module that triggered them, and not delivered.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers receive.
  /// - Returns: The combined outcome. If no handler answers, or if the manager is not started,
  ///   which is reported, this is the event's initial outcome.
  @discardableResult @inlinable
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    dispatcher.trigger(event, payload)
  }

  /// Calls the handlers of an event without a payload.
  @discardableResult @inlinable
  public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome {
    trigger(event, ())
  }

  /// Calls the handlers that run before the app's own handling, then the app, and then the others.
  ///
  /// ```swift
  /// func application(_ app: UIApplication, open url: URL) -> Bool {
  ///   modules.trigger(.openURL, url, host: { url in self.show(url) })
  /// }
  /// ```
  ///
  /// The app's answer is combined with the others in its position between them. The app is called
  /// once, even if the event has no handlers or the manager is not started. Otherwise, the method
  /// does what ``trigger(_:_:)`` does.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers and the app receive.
  ///   - host: The app's own handling; see ``HandlerTiming``.
  @discardableResult @inlinable
  public func trigger<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, host: @MainActor (Payload) -> Outcome
  ) -> Outcome {
    dispatcher.trigger(event, payload, host: host)
  }
}
