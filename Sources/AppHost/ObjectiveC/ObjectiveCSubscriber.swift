import Lifecycle

/// A subscriber that calls a method of an Objective-C module for an event.
struct ObjectiveCSubscriber: SystemEventSubscriber {
  let events: Subscriptions<ObjectiveCModule>
  let selector: String

  func subscribe<Payload, Outcome: Sendable>(
    to event: Event<Payload, Outcome>, _ describe: @escaping SystemEvent.Description<Payload>
  ) {
    events.on(event) { [selector] module, payload, context in
      var contents = SystemEventContents(event: "\(event.id)")
      describe(&contents, payload)
      return try module.call(selector, contents, context, Outcome.self).result(neutral: event.initial())
    }
  }

  func subscribe<Payload, Outcome: Sendable>(
    to event: AsyncEvent<Payload, Outcome>, _ describe: @escaping SystemEvent.Description<Payload>
  ) {
    events.on(event) { [selector] module, payload, context in
      var contents = SystemEventContents(event: "\(event.id)")
      describe(&contents, payload)
      let call = module.call(selector, contents, context, Outcome.self, mayTakeTime: true)
      await call.finish()
      return try call.result(neutral: event.rule.initial())
    }
  }
}
