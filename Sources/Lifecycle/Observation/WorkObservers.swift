import Registry

@MainActor final class WorkObservers {
  var list: [IntervalObserver] = []
  private var count = 0

  func observing(
    _ work: ObservedInterval.Work, _ module: String, _ image: LoadedImage?, _ body: () throws -> Void
  ) rethrows {
    guard let observation = observation(of: work, module, image, isConcurrent: false) else { return try body() }
    observation.begin()
    defer { observation.end() }
    try body()
  }

  /// Returns the observation of a module's work, or nil without observers.
  ///
  /// The observers that receive the beginning also receive the end, even if the list changes.
  func observation(
    of work: ObservedInterval.Work, _ module: String, _ image: LoadedImage?, isConcurrent: Bool
  ) -> IntervalObservation? {
    guard !list.isEmpty else { return nil }
    count += 1
    return IntervalObservation(ObservedInterval(count, work, module, image, isConcurrent: isConcurrent), list)
  }
}
