#if canImport(os)
public import Lifecycle
public import os

/// An observer that shows handlers and phases as intervals in Instruments.
///
/// They appear under "Points of Interest" or a category of your choice.
///
/// ```swift
/// modules.observers.append(SignpostObserver())
/// ```
///
/// Each handler and each phase, asynchronous or not, is an interval of `OSSignposter` with the
/// module and the event in its message. Without a recording, the system drops an interval in a few
/// nanoseconds.
@MainActor public final class SignpostObserver: LifecycleObserver {
  private let signposter: OSSignposter
  private var running: [OSSignpostIntervalState] = []

  /// Creates an observer.
  ///
  /// - Parameter signposter: The receiver of the intervals.
  public init(
    _ signposter: OSSignposter = OSSignposter(subsystem: "swift-section-registry", category: .pointsOfInterest)
  ) {
    self.signposter = signposter
  }

  public func willBegin(_ activity: LifecycleActivity) {
    running.append(
      signposter.beginInterval(
        "module", id: signposter.makeSignpostID(),
        "\(activity.module, privacy: .public): \(activity.name, privacy: .public)"))
  }

  public func didEnd(_ activity: LifecycleActivity) {
    // There is none if the handler that ends here added the observer.
    guard let state = running.popLast() else { return }
    signposter.endInterval("module", state)
  }

  public nonisolated func willBeginAsync(_ activity: LifecycleActivity, id: UInt64) {
    _ = signposter.beginInterval(
      "asynchronous module", id: OSSignpostID(id),
      "\(activity.module, privacy: .public): \(activity.name, privacy: .public)")
  }

  public nonisolated func didEndAsync(_ activity: LifecycleActivity, id: UInt64) {
    signposter.endInterval("asynchronous module", .beginState(id: OSSignpostID(id)))
  }
}
#endif
