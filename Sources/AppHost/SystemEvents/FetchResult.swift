/// The result of a background fetch.
///
/// It corresponds to `UIBackgroundFetchResult` in UIKit. If several modules answer, the most
/// informative answer counts: ``newData``, then ``failed``, then ``noData``. New data in one module
/// is new data for the app, and a module that had nothing to fetch doesn't hide a failure. UIKit's
/// raw values don't follow this order.
@nonexhaustive public enum BackgroundFetchResult: Sendable, Hashable, CaseIterable {
  case newData
  /// No new data. This is also the outcome if no module answers.
  case noData
  case failed

  package func combined(with other: BackgroundFetchResult) -> BackgroundFetchResult {
    for telling in [BackgroundFetchResult.newData, .failed] where self == telling || other == telling { return telling }
    return .noData
  }

  /// Creates a result from its raw value in UIKit and WatchKit, or returns nil for other numbers.
  package init?(systemValue: UInt) {
    guard systemValue < Self.allCases.count else { return nil }
    self = Self.allCases[Int(systemValue)]
  }

  /// The raw value in UIKit and WatchKit, which number the results in the order of the cases.
  package var systemValue: UInt { UInt(Self.allCases.firstIndex(of: self)!) }
}
