#if os(watchOS)
import Foundation
import WatchKit

/// A background task of WatchKit.
struct WatchRefreshTask: RefreshTask {
  let task: WKRefreshBackgroundTask

  var urlSession: String? { (task as? WKURLSessionRefreshBackgroundTask)?.sessionIdentifier }

  func complete() {
    // Apple documents `setTaskCompletedWithSnapshot(_:)` for all tasks except this one. The app's
    // snapshot needs no replacement, because no module has changed the user interface.
    if let snapshot = task as? WKSnapshotRefreshBackgroundTask {
      snapshot.setTaskCompleted(
        restoredDefaultState: false, estimatedSnapshotExpiration: .distantFuture, userInfo: nil)
    } else {
      task.setTaskCompletedWithSnapshot(false)
    }
  }
}

extension ExpiringActivityTime {
  /// Creates the system of Foundation, which delays the suspension of an app on a watch.
  init() {
    self.init { ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1) }
  }
}
#endif
