public import Registry

/// What a module is doing on the main actor: a handler of an event, or a phase of its life.
public struct LifecycleActivity: Sendable, CustomStringConvertible {
  /// The module's name, as in its record.
  public let module: String
  /// The image that exports it; nil if it was registered at run time.
  public let image: LoadedImage?
  let eventID: StaticString?
  /// The phase; nil in a handler.
  public let phase: ModulePhase?

  /// The event's id; nil in a phase.
  public var event: String? { eventID.map { "\($0)" } }

  /// The event's id, or the phase.
  public var name: String { event ?? phase?.rawValue ?? "" }

  public var description: String { "\(module): \(name)" }

  /// As part of a sentence.
  package var phrase: String {
    guard let event else { return "\(module)'s \(name)" }
    return "\(module)'s handler of \(event)"
  }
}

/// Is told what modules are doing, as they begin and end: ``LifecycleTimeline``, ``StallWatchdog``, or one of your own.
///
/// Calls come on the main actor, nested as the activities are: an event that a handler triggers begins and ends within it. What an
/// observer does counts as the activity's around it. A handler of a task of its own, off the main actor, is not among them.
@MainActor public protocol LifecycleObserver: AnyObject {
  /// A handler or a phase begins.
  func willBegin(_ activity: LifecycleActivity)
  /// It ended, whether it threw or not.
  func didEnd(_ activity: LifecycleActivity)
}

extension ModuleManager {
  /// Are told what modules are doing. None at first, which costs a branch for each event and each phase; with one, each handler
  /// costs what the observer does and some tens of nanoseconds more.
  ///
  /// ```swift
  /// let timeline = LifecycleTimeline()
  /// modules.observers.append(timeline)
  /// ```
  public var observers: [any LifecycleObserver] {
    get { activityObservers }
    set {
      activityObservers = newValue
      dispatch.state.pointee.isObserved = !newValue.isEmpty
    }
  }

  /// Tells the observers what is done.
  func observing<Result>(
    _ activity: @autoclosure () -> LifecycleActivity, _ body: () throws -> Result
  ) rethrows -> Result {
    guard dispatch.state.pointee.isObserved else { return try body() }
    let activity = activity()
    // Those that were told of its beginning are told of its end.
    let observers = activityObservers
    for observer in observers { observer.willBegin(activity) }
    defer { for observer in observers.reversed() { observer.didEnd(activity) } }
    return try body()
  }

  /// Calls the handlers of an event up to where its frame ends for now, each one observed.
  func callObserved(
    _ frame: UnsafeMutablePointer<DispatchFrame>, _ payload: UnsafeRawPointer, _ outcome: UnsafeMutableRawPointer
  ) throws {
    let end = frame.pointee.end
    defer { frame.pointee.end = end }
    while frame.pointee.next != end {
      let delivery = frame.pointee.next
      frame.pointee.end = delivery + 1
      guard delivery.pointee.module.pointee != nil else {
        frame.pointee.next = delivery + 1
        continue
      }
      let entry = delivery.pointee.entry.takeUnretainedValue()
      let event = frame.pointee.head.pointee.id
      // The observers count as its handler: who asks whose that is asks for what is before the next.
      frame.pointee.next = delivery + 1
      try observing(entry.activity(event: event)) {
        frame.pointee.next = delivery
        try Dispatch.call(frame, payload, context, outcome)
      }
    }
  }
}

extension ModuleEntry {
  nonisolated func activity(event: StaticString? = nil, phase: ModulePhase? = nil) -> LifecycleActivity {
    LifecycleActivity(module: name, image: image, eventID: event, phase: phase)
  }
}
