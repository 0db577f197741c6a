/// The beginning or the end of an interval of work, such as creating a service.
public struct ObservedInterval: Sendable, CustomStringConvertible {
  /// A number that the beginning and the end share, unique among the intervals of one source.
  public let id: Int
  /// The name of the work's subject, such as a module, an implementation, or a route.
  ///
  /// Use the name at the end of an interval, because it may be unknown at the beginning.
  public let name: String
  /// The image that contains the subject, or nil.
  public let image: LoadedImage?
  package let work: Work
  /// A Boolean value that indicates whether the interval can overlap other intervals.
  ///
  /// The value is false for synchronous work on the main actor, whose intervals nest. It is true
  /// for work off the main actor, and for asynchronous work, whose intervals include suspensions.
  public let isConcurrent: Bool
  /// A Boolean value that indicates whether the interval has ended.
  public internal(set) var hasEnded: Bool

  /// The work that takes place during an interval.
  // An enumeration is small, which matters because a timeline keeps an interval for each call.
  package enum Work: Sendable {
    case handler(of: StaticString)
    case phase(String)
    case other(kind: String)
  }

  /// Creates the beginning or the end of an interval.
  ///
  /// Pass `true` for `isConcurrent` for asynchronous work and for all work off the main actor.
  public init(id: Int, kind: String, name: String, image: LoadedImage? = nil, isConcurrent: Bool, hasEnded: Bool) {
    self.init(id, .other(kind: kind), name, image, isConcurrent: isConcurrent, hasEnded: hasEnded)
  }

  package init(
    _ id: Int, _ work: Work, _ name: String, _ image: LoadedImage?, isConcurrent: Bool, hasEnded: Bool = false
  ) {
    self.id = id
    self.work = work
    self.name = name
    self.image = image
    self.isConcurrent = isConcurrent
    self.hasEnded = hasEnded
  }

  /// The kind of work, such as `event`, `phase`, `service`, or `route`.
  public var kind: String {
    switch work {
    case .handler: "event"
    case .phase: "phase"
    case .other(let kind): kind
    }
  }

  /// The event's identifier for a handler, the method for a phase, or the kind for other work.
  ///
  /// For an initializer, the method is `init`.
  public var activity: String {
    switch work {
    case .handler(let event): "\(event)"
    case .phase(let activity), .other(let activity): activity
    }
  }

  public var description: String { "\(name): \(activity)" }
}

package final class IntervalObserver: Sendable {
  fileprivate let notify: @Sendable (ObservedInterval) -> Void

  package init(_ notify: @escaping @Sendable (ObservedInterval) -> Void) {
    self.notify = notify
  }
}

/// An interval, with the observers that existed when it began.
package final class IntervalObservation: Sendable {
  private let interval: ObservedInterval
  private let observers: [IntervalObserver]

  package init(_ interval: ObservedInterval, _ observers: [IntervalObserver]) {
    self.interval = interval
    self.observers = observers
  }

  package func begin() { for observer in observers { observer.notify(interval) } }

  package func end() {
    var interval = interval
    interval.hasEnded = true
    for observer in observers.reversed() { observer.notify(interval) }
  }
}
