#if canImport(os)
public import Lifecycle
public import os

/// Shows what modules do as intervals in Instruments, under "Points of Interest" or a category of yours.
///
/// ```swift
/// modules.observers.append(SignpostObserver())
/// ```
///
/// One interval of `OSSignposter` for each handler and each phase, with the module and the event in its message. While nobody
/// records, the system drops them for some nanoseconds each.
@MainActor public final class SignpostObserver: LifecycleObserver {
  private let signposter: OSSignposter
  private var running: [OSSignpostIntervalState] = []

  /// - Parameter signposter: Where intervals go.
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
    // Nothing if it was added by what ends here.
    guard let state = running.popLast() else { return }
    signposter.endInterval("module", state)
  }
}
#endif
