extension ModuleManager {
  /// Calls the handlers of an event one after another and combines their answers.
  ///
  /// The method first scans for new images and sets up their modules, like ``scanImages()``.
  /// Handlers can register and remove modules and trigger events. The event is delivered to the
  /// handlers that existed when it began, except handlers of modules that are removed during the
  /// event. A handler that throws is reported, and the other handlers are called. Events nested
  /// more than a hundred deep are reported and not delivered.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers receive.
  /// - Returns: The combined outcome, or the event's initial outcome if no handler answers. If the
  ///   manager is not started, the event is reported and not delivered.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    dispatcher.trigger(event, payload)
  }

  /// Calls the handlers of an event without a payload.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome {
    trigger(event, ())
  }

  /// Calls the handlers that precede the app's own handling, then the app, then all other handlers.
  ///
  /// ```swift
  /// func application(_ app: UIApplication, open url: URL) -> Bool {
  ///   modules.trigger(.openURL, OpenedURL(url), app: { opened in self.show(opened.url) })
  /// }
  /// ```
  ///
  /// The outcome combines all answers, including the app's, in the order of the calls. The app is
  /// called once, even if the event has no handlers or the manager is not started. Otherwise, the
  /// method works like ``trigger(_:_:)``.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers and the app receive.
  ///   - app: The app's own handling; see ``HandlerTiming``.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, app: @MainActor (Payload) -> Outcome
  ) -> Outcome {
    dispatcher.trigger(event, payload, app: app)
  }

  // MARK: - Asynchronous events

  /// Calls the handlers of an asynchronous event, waits for their answers, and combines them.
  ///
  /// ```swift
  /// let result = await modules.trigger(.didReceiveRemoteNotification, notification)
  /// ```
  ///
  /// The method first scans for new images, like ``trigger(_:_:)-(Event<Payload,Outcome>,_)``. A
  /// handler gives no answer if it throws, if its module is removed, if the manager is stopped, or
  /// if the time limit passes. Errors and exceeded time limits (`no-answer`) are reported. In every
  /// case but an error, the handler's task is canceled. Canceling the task that calls this method
  /// cancels the handlers' tasks, but the handlers' answers still count.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers receive.
  ///   - timeLimit: The handlers' time limit in seconds. The default is below UIKit's limit of 30.
  /// - Returns: The combined outcome, or the event's initial outcome if no handler answers. If the
  ///   manager is not started, the event is reported and not delivered.
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25
  ) async -> Outcome {
    await begin(event, payload).outcome(within: timeLimit)
  }

  /// Calls the handlers of an asynchronous event without a payload and waits for their answers.
  public func trigger<Outcome>(_ event: AsyncEvent<Void, Outcome>, timeLimit: Double = 25) async -> Outcome {
    await trigger(event, (), timeLimit: timeLimit)
  }

  /// Calls the handlers of an asynchronous event and the app itself, and passes the combined
  /// outcome to a closure.
  ///
  /// ```swift
  /// modules.trigger(.didReceiveRemoteNotification, notification) { result in
  ///   completionHandler(result)
  /// }
  /// modules.trigger(.didReceiveRemoteNotification, notification) { answer in
  ///   appDelegate.fetch { result in answer(result) }
  /// } completion: { result in completionHandler(result) }
  /// ```
  ///
  /// The app is called once, before the method returns and even if the manager is not started. In
  /// the outcome, the app's answer follows the answers of handlers that run before the app. If the
  /// app exceeds the time limit, that is reported as `no-answer`, and the handlers that run after
  /// the app are not called. Without handlers, or without a start, the app has unlimited time.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers receive.
  ///   - timeLimit: The time limit of the handlers and the app in seconds.
  ///   - app: The app's own handling, or nil. It receives a completion handler, which any thread
  ///     can call; only the first call counts.
  ///   - completion: A closure that is called once, on the main actor, when the handlers
  ///     and the app have answered or the time limit has passed. Without `app`, it is called
  ///     before the method returns if the event has no handlers or the manager is not started.
  public func trigger<Payload, Outcome: Sendable>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25,
    app: ((@escaping @Sendable (Outcome) -> Void) -> Void)?, completion: @escaping @MainActor (Outcome) -> Void
  ) {
    trigger(event, payload, timeLimit: timeLimit, appTimeLimit: timeLimit, app: app, completion: completion)
  }

  /// Triggers an asynchronous event without the app, so the outcome need not be `Sendable`.
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25,
    completion: @escaping @MainActor (Outcome) -> Void
  ) {
    begin(event, payload).wait(timeLimit, completion)
  }

  /// Triggers an asynchronous event without the app or a payload.
  public func trigger<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, timeLimit: Double = 25, completion: @escaping @MainActor (Outcome) -> Void
  ) {
    trigger(event, (), timeLimit: timeLimit, completion: completion)
  }

  /// Triggers an asynchronous event with a separate time limit for the app.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payload: The value that handlers receive.
  ///   - timeLimit: The handlers' time limit in seconds. A handler that runs after the app is not
  ///     called if the app takes longer.
  ///   - appTimeLimit: The app's time limit in seconds, at least `timeLimit`.
  ///   - app: The app's own handling, or nil.
  ///   - completion: A closure that receives the combined outcome.
  /// - Returns: A closure that does immediately what otherwise happens at the handlers' time limit:
  ///   it cancels and reports late handlers. Without `app`, it calls the completion before it
  ///   returns. Its argument completes the report's sentence "its handler did not answer …".
  @discardableResult
  package func trigger<Payload, Outcome: Sendable>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double, appTimeLimit: Double,
    app: ((@escaping @Sendable (Outcome) -> Void) -> Void)?, completion: @escaping @MainActor (Outcome) -> Void
  ) -> @MainActor (_ reason: String) -> Void {
    let question = AsyncQuestion(event, payload, context)
    trigger(event.question, question, app: { question in if let app { question.askApp(app) } })
    question.wait(timeLimit, app: appTimeLimit, completion)
    return { question.interrupt($0) }
  }

  private func begin<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload
  ) -> AsyncQuestion<Payload, Outcome> {
    let question = AsyncQuestion(event, payload, context)
    trigger(event.question, question)
    return question
  }
}
