extension ModuleManager {
  /// Asks every module that subscribed, waits until all have answered, and combines the answers in the order of handlers.
  ///
  /// ```swift
  /// let result = await modules.ask(.didReceiveRemoteNotification, notification)
  /// ```
  ///
  /// Does first what ``trigger(_:_:)`` does. No answer is that of a handler that throws, which is reported; of a module that is
  /// taken out meanwhile, or whose manager is stopped; and of one that takes longer than the limit, which is reported by name
  /// (``Registry/Diagnostic/Code/noAnswer``). The tasks of the last two are cancelled, and what they still answer is dropped. When
  /// the task that asks is cancelled, so are the handlers', and their answers count as ever.
  ///
  /// - Parameter timeLimit: How many seconds modules have, by ``time``. UIKit gives an app 30.
  /// - Returns: The combined outcome; the event's initial one, at once, if nobody subscribed, or if the manager is not
  ///   started, which is reported.
  public func ask<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25
  ) async -> Outcome {
    await put(event, payload).outcome(within: timeLimit)
  }

  /// Asks every module that subscribed to an event without a payload.
  public func ask<Outcome>(_ event: AsyncEvent<Void, Outcome>, timeLimit: Double = 25) async -> Outcome {
    await ask(event, (), timeLimit: timeLimit)
  }

  /// Asks every module that subscribed, and calls back with the combined outcome.
  ///
  /// ```swift
  /// modules.ask(.didReceiveRemoteNotification, notification) { result in completionHandler(result) }
  /// ```
  ///
  /// As ``ask(_:_:timeLimit:)``, for systems with a completion handler.
  ///
  /// - Parameter completion: Called exactly once, on the main actor, after all have answered or the limit has passed; before this
  ///   returns if nobody subscribed or the manager is not started.
  public func ask<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25,
    completion: @escaping @MainActor (Outcome) -> Void
  ) {
    put(event, payload).wait(timeLimit, completion)
  }

  /// Asks every module that subscribed to an event without a payload, and calls back.
  public func ask<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, timeLimit: Double = 25, completion: @escaping @MainActor (Outcome) -> Void
  ) {
    ask(event, (), timeLimit: timeLimit, completion: completion)
  }

  /// Asks every module that subscribed and the app itself, and calls back with the combined outcome.
  ///
  /// ```swift
  /// modules.ask(.didReceiveRemoteNotification, notification) { answer in
  ///   appDelegate.fetch { result in answer(result) }
  /// } completion: { result in completionHandler(result) }
  /// ```
  ///
  /// As ``ask(_:_:timeLimit:completion:)``. The app is asked once, before this returns and also if the manager is not started; its answer
  /// comes after the modules'. One that does not come within the limit is reported with the event
  /// (``Registry/Diagnostic/Code/noAnswer``).
  ///
  /// - Parameter host: The app's own handling; nil if there is none. Is given what it calls with its answer, on any thread; only the
  ///   first call counts.
  public func ask<Payload, Outcome: Sendable>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25,
    host: ((@escaping @Sendable (Outcome) -> Void) -> Void)?, completion: @escaping @MainActor (Outcome) -> Void
  ) {
    let question = put(event, payload)
    if let host { question.askHost(host) }
    question.wait(timeLimit, completion)
  }

  private func put<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload
  ) -> AsyncQuestion<Payload, Outcome> {
    let question = AsyncQuestion(event.rule, payload, self)
    trigger(event.question, question)
    return question
  }
}
