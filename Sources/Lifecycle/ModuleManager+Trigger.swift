import Registry

extension ModuleManager {
  /// Events within events, beyond which there is no end in sight.
  static let depthLimit = 100

  /// Tells every module that subscribed, in order, and combines what they answer.
  ///
  /// Looks for images opened meanwhile and sets their modules up first (``lookForImages()``). Handlers may
  /// register, unregister and trigger: the list this event goes by is the one it began with, without the
  /// modules removed meanwhile. A handler that throws is reported and the others are called. Of events within events
  /// those beyond a hundred are reported, with the module that triggered them, and not delivered.
  ///
  /// - Returns: The combined outcome; the event's initial one if nobody answered, or if the manager is not
  ///   started, which is reported.
  @discardableResult
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    var outcome = EventOutcome(event)
    if let slot = slot(for: event.id, Payload.self, Outcome.self) {
      withUnsafePointer(to: payload) { payload in
        withUnsafeMutablePointer(to: &outcome) { outcome in deliver(slot, payload, outcome) }
      }
    }
    return outcome.value
  }

  /// Tells every module that subscribed to an event without a payload.
  @discardableResult
  public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome {
    trigger(event, ())
  }

  /// Who gets an event; nil if nobody may, which is reported.
  private func slot(for id: StaticString, _ payload: Any.Type, _ outcome: Any.Type) -> EventSlot? {
    guard state != .idle else {
      report(.warning, .notStarted, id, "it was triggered before start() and is delivered to nobody")
      return nil
    }
    guard depth < Self.depthLimit else {
      if isReportingRefused {
        // Once: it is what the handler was told that makes it trigger.
        report(.error, .tooDeep, id, "a handler of diagnostics triggered it \(Self.tooDeep)", always: false)
      } else {
        // Whose handler it was is known where that returns.
        refused.append(id)
      }
      return nil
    }
    if state == .running {
      look()
      bringUpNewcomers()
    }
    if !slots.isCurrent {
      let mismatches = slots.collect(order())
      // Who was told what is wrong with the order may have changed the modules: it is not kept then.
      slots.isCurrent = ordered != nil
      log.report(mismatches)
    }
    let slot = slots.slot(id, payload, outcome)
    guard slot.carries(payload, outcome) else {
      report(
        .error, .eventMismatch, id,
        "it was triggered as \(EventSlot.spell(payload, outcome)), and the event is \(slot.types)\(slot.hint(payload, outcome));"
          + " it is delivered to nobody")
      return nil
    }
    return slot
  }

  private func deliver(_ slot: EventSlot, _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer) {
    let outer = context.event
    context.event = CurrentEvent(eventID: slot.id)
    depth += 1
    defer {
      context.event = outer
      depth -= 1
    }
    for bound in slot.handlers {
      guard bound.entry.state == .setUp, let module = bound.entry.instance else { continue }
      do {
        try bound.handler.body(module, payload, context, outcome)
      } catch {
        log.report(
          bound.entry.diagnostic(.error, .handlerFailed, "its handler of \(slot.id) threw: \(error)"),
          always: true)
      }
      if !refused.isEmpty { reportRefused(bound.entry, slot) }
    }
  }

  /// Reports the events that a handler triggered beyond the limit.
  private func reportRefused(_ entry: ModuleEntry, _ slot: EventSlot) {
    let events = refused
    refused = []
    // What is triggered by whoever is told is not the module's.
    isReportingRefused = true
    defer { isReportingRefused = false }
    for event in events {
      log.report(
        entry.diagnostic(.error, .tooDeep, "its handler of \(slot.id) triggered \(event) \(Self.tooDeep)"), always: true
      )
    }
  }

  private static let tooDeep =
    "more than \(depthLimit) events deep within each other; that one is not delivered: does a handler trigger what calls it?"

  private func report(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ event: StaticString, _ message: String,
    always: Bool = true
  ) {
    log.report(
      Diagnostic(severity: severity, code: code, subject: "\(event)", image: nil, message: message), always: always)
  }
}
