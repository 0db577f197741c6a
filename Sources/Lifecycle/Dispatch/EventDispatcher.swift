import Registry
import RegistryC

@MainActor protocol EventPreparation: AnyObject {
  var deliversEvents: Bool { get }

  var isSettingUp: Bool { get }

  /// A Boolean value that indicates whether an event may have to set up modules.
  var hasPendingModules: Bool { get }

  func prepareForEvent()

  /// A Boolean value that indicates whether the dispatcher has to collect the handlers again.
  var isCollectionRequired: Bool { get }

  /// Returns all subscribers in module order, or only the subscribers added since the last call.
  func subscribersInOrder(all: Bool) -> (subscribers: [Subscriber], areAll: Bool)

  /// Activates the modules that wait for an event, and returns whether any module stopped waiting.
  func activateModules(for handlers: EventHandlers) -> Bool
}

@MainActor @usableFromInline final class EventDispatcher {
  let index = EventIndex()
  nonisolated let stack: DispatchStack
  /// The stack's state, in memory that the stack owns.
  private let state: UnsafeMutablePointer<DispatchState>
  weak var preparation: (any EventPreparation)?
  private let context: Context
  /// A Boolean value that indicates whether `reportDepth` is reporting a diagnostic.
  private var isReportingDepth = false
  private var retained: [AnyObject] = []

  init(_ stack: DispatchStack, _ context: Context) {
    self.stack = stack
    state = stack.state
    self.context = context
  }

  var depth: Int { stack.depth }

  func addObserver(_ observer: IntervalObserver) -> RegistrationToken {
    context.workObservers.list.append(observer)
    state.pointee.isObserved = true
    return .onMainActor { [weak self, weak observer] in
      guard let self, let observer else { return false }
      defer { state.pointee.isObserved = !context.workObservers.list.isEmpty }
      return context.workObservers.list.remove(observer)
    }
  }

  private var log: DiagnosticLog { context.log }

  // MARK: - Invalidation

  /// Hides the handler tables, so that the next event takes the slow path.
  func requirePreparation() { registry_cell_hide(index.byAddress, true) }

  func setGeneration(_ generation: UInt64) { state.pointee.generation = generation }

  // MARK: - Triggering

  // These methods pass pointers by `&`. A closure for `withUnsafePointer` would check the executor
  // on every call.

  @_alwaysEmitIntoClient
  func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    var payload = payload
    if Outcome.self == Void.self {
      // Handlers of an event without an outcome don't use the pointer.
      var none: Void = ()
      trigger(event, to: &payload, &none)
      return unsafeBitCast((), to: Outcome.self)
    }
    var outcome = EventOutcome(event)
    trigger(event, to: &payload, &outcome)
    return outcome.value
  }

  @_alwaysEmitIntoClient func trigger<Payload, Outcome, Combined>(
    _ event: Event<Payload, Outcome>, to payload: UnsafePointer<Payload>, _ outcome: UnsafeMutablePointer<Combined>
  ) {
    trigger(event.id, Payload.self, Outcome.self, UnsafeRawPointer(payload), UnsafeMutableRawPointer(outcome))
  }

  @_alwaysEmitIntoClient func trigger<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, app: @MainActor (Payload) -> Outcome
  ) -> Outcome {
    var outcome = EventOutcome(event)
    guard let table = begin(event.id, Payload.self, Outcome.self) else {
      outcome.add(app(payload))
      return outcome.value
    }
    var payload = payload
    deliver(table, to: &payload, &outcome, around: app)
    return outcome.value
  }

  @_alwaysEmitIntoClient func deliver<Payload, Outcome>(
    _ table: UnsafePointer<EventHandlerTable>, to payload: UnsafePointer<Payload>,
    _ outcome: UnsafeMutablePointer<EventOutcome<Outcome>>, around app: @MainActor (Payload) -> Outcome
  ) {
    deliver(table, UnsafeRawPointer(payload), UnsafeMutableRawPointer(outcome)) {
      outcome.pointee.add(app(payload.pointee))
    }
  }

  // MARK: - Delivering

  /// Triggers an event. The client makes only this call, so that registers are saved once.
  @_optimize(speed)
  @usableFromInline func trigger(
    _ id: StaticString, _ payloadType: Any.Type, _ outcomeType: Any.Type, _ payload: UnsafeRawPointer,
    _ outcome: UnsafeMutableRawPointer
  ) {
    guard let table = begin(id, payloadType, outcomeType) else { return }
    deliver(table, payload, outcome)
  }

  @_optimize(speed) @inline(__always)
  @usableFromInline func begin(
    _ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type
  ) -> UnsafePointer<EventHandlerTable>? {
    if id.hasPointerRepresentation, state.pointee.next != state.pointee.limit,
      state.pointee.generation == 0 || state.pointee.generation == ImageCatalog.generation,
      let found = registry_find(index.byAddress, id.utf8Start)
    {
      let table = found.assumingMemoryBound(to: EventHandlerTable.self)
      if table.pointee.payload == payload, table.pointee.outcome == outcome, !table.pointee.activatesModules {
        return table.pointee.deliveries == nil ? nil : table
      }
    }
    return prepare(id, payload, outcome)
  }

  @inline(never) private func prepare(
    _ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type
  ) -> UnsafePointer<EventHandlerTable>? {
    guard let preparation, preparation.deliversEvents else {
      log.report(
        .warning, .notStarted, "\(id)",
        "the event was triggered while the manager was not started, so it is not delivered; call 'start()' or 'run()'"
          + " first, or, in a module of another manager, 'context.trigger'")
      return nil
    }
    guard depth < EventDepth.limit else {
      reportDepth(id)
      return nil
    }
    var handlers: EventHandlers
    // A module's setup can add handlers, even a new first handler, which determines the types.
    repeat {
      handlers = prepareHandlers(id, payload, outcome, preparation)
    } while handlers.matches(payload, outcome) && activateModules(for: handlers, preparation)
    guard handlers.matches(payload, outcome) else {
      log.report(
        .error, .eventMismatch, "\(id)",
        "the event was triggered with the type '\(EventHandlers.spell(payload, outcome))', but it has the type"
          + " '\(handlers.types)'\(handlers.hint(payload, outcome)); it is not delivered")
      return nil
    }
    if preparation.isSettingUp { handlers.recordMissing() }
    return handlers.table.pointee.deliveries == nil ? nil : UnsafePointer(handlers.table)
  }

  private func prepareHandlers(
    _ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type, _ preparation: any EventPreparation
  ) -> EventHandlers {
    preparation.prepareForEvent()
    if preparation.isCollectionRequired { collect(preparation) }
    // Until all modules are set up, each event takes the slow path, to set them up or record that
    // they miss it. A module that was activated may have stopped the manager.
    let isComplete = !preparation.isCollectionRequired && !preparation.isSettingUp && !preparation.hasPendingModules
    registry_cell_hide(index.byAddress, !isComplete || !preparation.deliversEvents)
    return index.handlers(id, payload, outcome)
  }

  private func activateModules(for handlers: EventHandlers, _ preparation: any EventPreparation) -> Bool {
    guard handlers.table.pointee.activatesModules else { return false }
    handlers.table.pointee.activatesModules = false
    return preparation.activateModules(for: handlers)
  }

  /// Activates the modules that wait for an event, and returns whether any module stopped waiting.
  /// Call the method again if so, because the modules can add others that wait for the event.
  func activateModules(for event: Event<Void, Void>) -> Bool {
    guard let preparation, preparation.deliversEvents, depth < EventDepth.limit else { return false }
    return activateModules(for: prepareHandlers(event.id, Void.self, Void.self, preparation), preparation)
  }

  private func collect(_ preparation: any EventPreparation, all: Bool = false) {
    let (subscribers, areAll) = preparation.subscribersInOrder(all: all)
    let (mismatches, replaced) = index.collect(subscribers, areAll: areAll)
    for list in replaced { retain(list) }
    withExtendedLifetime(replaced) {}
    // The first handler in module order determines the types, and a new handler may be the first.
    if !mismatches.isEmpty, !areAll { return collect(preparation, all: true) }
    log.report(mismatches)
  }

  @_optimize(speed) @inline(__always)
  func deliver(
    _ table: UnsafePointer<EventHandlerTable>, _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) {
    guard let deliveries = table.pointee.deliveries else { return }
    let frame = state.pointee.begin(table, deliveries.first, payload)
    call(deliveries.first, deliveries.end, frame, payload, outcome)
    finish(frame)
  }

  /// - Parameter app: A closure that calls the app's own handling.
  @usableFromInline func deliver(
    _ table: UnsafePointer<EventHandlerTable>, _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer,
    around app: @MainActor () -> Void
  ) {
    // Keep the deliveries, because handlers and the app can replace the table's deliveries.
    guard let deliveries = table.pointee.deliveries else { return app() }
    let frame = state.pointee.begin(table, deliveries.first, payload)
    call(deliveries.first, deliveries.afterApp, frame, payload, outcome)
    frame.pointee.isAppsTurn = true
    app()
    // All events that the app triggered have ended, so this event's frame is the last one again.
    frame.pointee.isAppsTurn = false
    call(deliveries.afterApp, deliveries.end, frame, payload, outcome)
    finish(frame)
  }

  @_optimize(speed) @inline(__always)
  private func call(
    _ first: UnsafePointer<Delivery>, _ end: UnsafePointer<Delivery>, _ frame: UnsafeMutablePointer<DispatchFrame>,
    _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) {
    if state.pointee.isObserved { return callObserved(first, end, frame, payload, outcome) }
    var delivery = first
    while delivery != end {
      do {
        try DispatchStack.call(delivery, frame, payload, context, outcome)
      } catch {
        reportFailure(frame, error)
      }
      delivery += 1
    }
  }

  // Not inlined: `call` would reserve registers for a rarely taken path.
  @inline(never) private func reportFailure(_ frame: UnsafeMutablePointer<DispatchFrame>, _ error: any Error) {
    frame.pointee.subscriber?.report(error, of: frame.pointee.table.pointee.id, context)
  }

  /// Calls handlers, and notifies observers of each call that runs the client's code immediately.
  // Not inlined: each call would take 8% longer when there are no observers.
  @inline(never) @_optimize(speed) private func callObserved(
    _ first: UnsafePointer<Delivery>, _ end: UnsafePointer<Delivery>, _ frame: UnsafeMutablePointer<DispatchFrame>,
    _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) {
    var delivery = first
    while delivery != end {
      do {
        if delivery.pointee.work == .immediate, delivery.pointee.module.pointee != nil {
          let subscriber = delivery.pointee.subscriber.takeUnretainedValue()
          // Set this before the observers run, so that they see this handler's subscriber as the
          // current one.
          frame.pointee.current = delivery
          let event = frame.pointee.table.pointee.id
          try context.workObservers.observing(.handler(of: event), subscriber.name, subscriber.image) {
            try DispatchStack.call(delivery, frame, payload, context, outcome)
          }
        } else {
          // This call schedules work or does nothing. Observers are notified when the work runs.
          try DispatchStack.call(delivery, frame, payload, context, outcome)
        }
      } catch {
        reportFailure(frame, error)
      }
      delivery += 1
    }
  }

  private func finish(_ frame: UnsafeMutablePointer<DispatchFrame>) {
    state.pointee.next = frame
    if state.pointee.hasRetainedObjects { releaseObjects() }
  }

  // MARK: - Lifetimes

  func retain(_ object: AnyObject) {
    guard depth > 0 else { return }
    retained.append(object)
    state.pointee.hasRetainedObjects = true
  }

  @inline(never) private func releaseObjects() {
    guard depth == 0 else { return }
    state.pointee.hasRetainedObjects = false
    // Empty the list first, because destroying an object can run code that triggers events.
    let objects = retained
    retained = []
    withExtendedLifetime(objects) {}
  }

  // MARK: - Diagnostics

  func reportDepth(_ id: StaticString) {
    guard !isReportingDepth, let frame = stack.frame?.pointee, let subscriber = frame.subscriber else {
      // Report this only once, because a diagnostic handler can trigger events for each report.
      let cause = isReportingDepth ? "a diagnostic handler" : "the app's own handling of an event"
      let message = "\(cause) triggered the event \(EventDepth.problem)"
      return log.report(.error, .tooDeep, "\(id)", message, always: false)
    }
    isReportingDepth = true
    defer { isReportingDepth = false }
    log.report(
      subscriber.diagnostic(
        .error, .tooDeep, "its handler of '\(frame.table.pointee.id)' triggered '\(id)' \(EventDepth.problem)"),
      always: true)
  }
}
