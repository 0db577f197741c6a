#if canImport(os)
public import os
public import Registry

extension IntervalSource {
  /// Shows the intervals of this source in Instruments.
  ///
  /// ```swift
  /// modules.showInInstruments()
  /// ```
  ///
  /// The intervals appear under "Points of Interest" or a category of your choice. The message of
  /// each interval contains its name and its activity, such as the module and the event of a
  /// handler. Without a recording, the system drops an interval in a few nanoseconds.
  ///
  /// - Parameter signposter: The signposter that emits the intervals.
  /// - Returns: A token that ends the observation.
  @discardableResult
  @MainActor public func showInInstruments(
    _ signposter: OSSignposter = OSSignposter(subsystem: "swift-section-registry", category: .pointsOfInterest)
  ) -> RegistrationToken {
    // Sources number their intervals independently, so a random base keeps their signposts apart.
    let base = UInt64.random(in: 1 << 32..<1 << 63)
    return observeIntervals { interval in
      let id = OSSignpostID(base + UInt64(truncatingIfNeeded: interval.id))
      if interval.hasEnded {
        signposter.endInterval("interval", .beginState(id: id), "\(interval.name, privacy: .public)")
      } else {
        _ = signposter.beginInterval(
          "interval", id: id, "\(interval.name, privacy: .public): \(interval.activity, privacy: .public)")
      }
    }
  }
}
#endif
