/// The result of a fetch in the background: `UIBackgroundFetchResult` in UIKit.
///
/// Of several answers the most informative one counts: ``newData``, then ``failed``, then
/// ``noData``. UIKit defines no combination, and its raw values are no order. New data in one
/// module is new data for the app, and a module that had nothing to fetch does not hide a failure.
public enum FetchResult: String, Sendable, Hashable, CaseIterable {
  case newData
  /// The app has no new data; also the outcome if there is no answer.
  case noData
  case failed

  /// Returns the more informative of two results.
  package func combined(with other: FetchResult) -> FetchResult {
    for telling in [FetchResult.newData, .failed] where self == telling || other == telling { return telling }
    return .noData
  }
}
