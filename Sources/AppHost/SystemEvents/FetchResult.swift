/// What a module says it fetched in the background: UIKit's `UIBackgroundFetchResult`.
///
/// Of several answers the most telling one counts: ``newData``, then ``failed``, then ``noData``. UIKit itself says nothing of
/// several answers, and its raw values are no order. News of one module are news; and a failure is not hidden by
/// another module that had nothing to fetch.
public enum FetchResult: String, Sendable, Hashable, CaseIterable {
  case newData
  /// Also the outcome if nobody answers.
  case noData
  case failed

  /// Returns the more informative of two results.
  package func combined(with other: FetchResult) -> FetchResult {
    for telling in [FetchResult.newData, .failed] where self == telling || other == telling { return telling }
    return .noData
  }
}
