/// The result of a background fetch.
///
/// It corresponds to `UIBackgroundFetchResult` in UIKit. The most informative of several answers is
/// used: ``newData``, then ``failed``, then ``noData``. UIKit's raw values are not in this order.
/// New data in one module is new data for the app, and a module that had nothing to fetch does not
/// hide a failure.
@nonexhaustive public enum BackgroundFetchResult: Sendable, Hashable, CaseIterable {
  case newData
  /// No new data. This is also the outcome if no module answers.
  case noData
  case failed

  package func combined(with other: BackgroundFetchResult) -> BackgroundFetchResult {
    for telling in [BackgroundFetchResult.newData, .failed] where self == telling || other == telling { return telling }
    return .noData
  }

  /// Creates a result from its raw value in UIKit and WatchKit, or nil for another number.
  package init?(systemValue: UInt) {
    guard systemValue < Self.allCases.count else { return nil }
    self = Self.allCases[Int(systemValue)]
  }

  /// The raw value in UIKit and WatchKit, which number the results in the order of the cases.
  package var systemValue: UInt { UInt(Self.allCases.firstIndex(of: self)!) }
}
