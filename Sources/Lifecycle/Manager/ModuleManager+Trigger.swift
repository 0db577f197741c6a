import Registry
import RegistryC

extension ModuleManager {
  /// Tells every module that subscribed, in order, and combines what they answer.
  ///
  /// Looks for images opened meanwhile and sets their modules up first (``scanImages()``). Handlers may
  /// register, unregister and trigger: the list this event goes by is the one it began with, without the
  /// modules removed meanwhile. A handler that throws is reported and the others are called. Of events within events
  /// those beyond a hundred are reported, with the module that triggered them, and not delivered.
  ///
  /// - Returns: The combined outcome; the event's initial one if nobody answered, or if the manager is not
  ///   started, which is reported.
  @discardableResult @inlinable
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    guard let head = begin(event.id, Payload.self, Outcome.self) else { return event.initial() }
    var payload = payload
    var outcome = EventOutcome(event)
    deliver(head, to: &payload, &outcome)
    return outcome.value
  }

  // Pointers by `&` and not by a closure: one that is handed from the main actor's code to the standard library asks at
  // every call which executor this is.
  @inlinable func deliver<Payload, Outcome>(
    _ head: UnsafePointer<EventHead>, to payload: UnsafePointer<Payload>,
    _ outcome: UnsafeMutablePointer<EventOutcome<Outcome>>
  ) {
    deliver(head, UnsafeRawPointer(payload), UnsafeMutableRawPointer(outcome))
  }

  /// Tells every module that subscribed to an event without a payload.
  @discardableResult @inlinable
  public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome {
    trigger(event, ())
  }

  /// Tells the modules that come before the app's own handling, then the app itself, then those that come after it.
  ///
  /// ```swift
  /// func application(_ app: UIApplication, open url: URL) -> Bool {
  ///   modules.trigger(.openURL, url, host: { url in self.show(url) })
  /// }
  /// ```
  ///
  /// As ``trigger(_:_:)`` otherwise. The app's own answer is combined with the modules' in its place between them. It is asked once,
  /// also if no module subscribed and if the manager is not started.
  ///
  /// - Parameter host: The app's own handling; see ``HandlerTiming``.
  @discardableResult @inlinable
  public func trigger<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, host: @MainActor (Payload) -> Outcome
  ) -> Outcome {
    var outcome = EventOutcome(event)
    guard let head = begin(event.id, Payload.self, Outcome.self) else {
      outcome.add(host(payload))
      return outcome.value
    }
    var payload = payload
    deliver(head, to: &payload, &outcome, around: host)
    return outcome.value
  }

  @inlinable func deliver<Payload, Outcome>(
    _ head: UnsafePointer<EventHead>, to payload: UnsafePointer<Payload>,
    _ outcome: UnsafeMutablePointer<EventOutcome<Outcome>>, around host: @MainActor (Payload) -> Outcome
  ) {
    deliverBeforeHost(head, to: UnsafeRawPointer(payload), UnsafeMutableRawPointer(outcome))
    outcome.pointee.add(host(payload.pointee))
    deliverAfterHost(to: UnsafeRawPointer(payload), UnsafeMutableRawPointer(outcome))
  }

  @usableFromInline func deliverBeforeHost(
    _ head: UnsafePointer<EventHead>, to payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) {
    // Who gets an event is never nobody.
    let frame = dispatch.begin(head, head.pointee.deliveries.baseAddress.unsafelyUnwrapped, payload)
    let end = frame.pointee.end
    frame.pointee.end = frame.pointee.next + head.pointee.before
    call(frame, payload, outcome)
    frame.pointee.end = end
    frame.pointee.isHostsTurn = true
  }

  @usableFromInline func deliverAfterHost(to payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer) {
    // What the host triggered is over, so the innermost event is its own again.
    guard let frame = dispatch.frame else { return }
    frame.pointee.isHostsTurn = false
    call(frame, payload, outcome)
    finish()
  }

  /// Who gets an event; nil if nobody does.
  @usableFromInline func begin(
    _ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type
  ) -> UnsafePointer<EventHead>? {
    let state = dispatch.state
    if state.pointee.isReady, id.hasPointerRepresentation, state.pointee.depth < Dispatch.depthLimit,
      state.pointee.generation == 0 || state.pointee.generation == ImageCatalog.generation,
      let found = registry_find(slots.byAddress, id.utf8Start)
    {
      let head = found.assumingMemoryBound(to: EventHead.self)
      if head.pointee.payload == payload, head.pointee.outcome == outcome, !head.pointee.wakes {
        return head.pointee.deliveries.isEmpty ? nil : head
      }
    }
    return prepare(id, payload, outcome)
  }

  /// The same after what is to be done first.
  @inline(never) private func prepare(
    _ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type
  ) -> UnsafePointer<EventHead>? {
    guard state != .idle else {
      report(.warning, .notStarted, id, "it was triggered before start() and is delivered to nobody")
      return nil
    }
    guard depth < Dispatch.depthLimit else {
      refuse(id)
      return nil
    }
    if state == .running {
      look()
      bringUpNewcomers()
    }
    if !hasCollected {
      let (mismatches, old) = slots.collect(order())
      // Who was told what is wrong with the order may have changed the modules: it is not kept then.
      hasCollected = ordered != nil
      for list in old { park(list) }
      withExtendedLifetime(old) {}
      log.report(mismatches)
    }
    dispatch.state.pointee.isReady = hasCollected
    let slot = slots.slot(id, payload, outcome)
    guard slot.carries(payload, outcome) else {
      report(
        .error, .eventMismatch, id,
        "it was triggered as \(EventSlot.spell(payload, outcome)), and the event is \(slot.types)\(slot.hint(payload, outcome));"
          + " it is delivered to nobody")
      return nil
    }
    wake(for: slot)
    return slot.head.pointee.deliveries.isEmpty ? nil : UnsafePointer(slot.head)
  }

  @usableFromInline func deliver(
    _ head: UnsafePointer<EventHead>, _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) {
    guard let first = head.pointee.deliveries.baseAddress else { return }
    let frame = dispatch.begin(head, first, payload)
    call(frame, payload, outcome)
    finish()
  }

  /// Calls the handlers of an event up to where its frame ends for now.
  private func call(
    _ frame: UnsafeMutablePointer<DispatchFrame>, _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) {
    while frame.pointee.next != frame.pointee.end {
      do {
        if dispatch.state.pointee.isObserved {
          try callObserved(frame, payload, outcome)
        } else {
          try Dispatch.call(frame, payload, context, outcome)
        }
      } catch {
        if let entry = frame.pointee.entry { reportHandler(of: frame.pointee.head.pointee.id, entry, threw: error) }
      }
    }
  }

  private func finish() {
    dispatch.end()
    if dispatch.state.pointee.hasParked, depth == 0 { unpark() }
  }

  // Not inlined into `call`, which would set up its registers for what almost never happens.
  @inline(never)
  func reportHandler(of event: StaticString, _ entry: ModuleEntry, threw error: any Error) {
    log.report(entry.diagnostic(.error, .handlerFailed, "its handler of \(event) threw: \(error)"), always: true)
  }

  /// Reports an event that is triggered too deep, with the handler that does so.
  func refuse(_ id: StaticString) {
    let message =
      "more than \(Dispatch.depthLimit) events deep within each other; that one is not delivered: does a handler"
      + " trigger what calls it?"
    guard !isReportingRefused, let frame = dispatch.frame?.pointee, let entry = frame.entry else {
      // Once: it is what a handler of diagnostics was told that makes it trigger, and not the module.
      return report(.error, .tooDeep, id, "a handler of diagnostics triggered it \(message)", always: false)
    }
    isReportingRefused = true
    defer { isReportingRefused = false }
    log.report(
      entry.diagnostic(.error, .tooDeep, "its handler of \(frame.head.pointee.id) triggered \(id) \(message)"),
      always: true)
  }

  /// Keeps something alive as long as an event is under way: its dispatch does not.
  func park(_ object: AnyObject) {
    guard depth > 0 else { return }
    parked.append(object)
    dispatch.state.pointee.hasParked = true
  }

  private func unpark() {
    dispatch.state.pointee.hasParked = false
    // What goes now may run code that triggers events.
    let objects = parked
    parked = []
    withExtendedLifetime(objects) {}
  }

  private func report(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ event: StaticString, _ message: String,
    always: Bool = true
  ) {
    log.report(
      Diagnostic(severity: severity, code: code, subject: "\(event)", image: nil, message: message), always: always)
  }
}
