#if os(watchOS)
import WatchKit

extension WKRefreshBackgroundTask: RefreshTask {
  package var urlSession: String? { (self as? WKURLSessionRefreshBackgroundTask)?.sessionIdentifier }

  package func complete() {
    // Apple documents `setTaskCompletedWithSnapshot(_:)` for all tasks except snapshot tasks. The
    // app's current snapshot stays valid, because no module has changed the user interface.
    if let snapshot = self as? WKSnapshotRefreshBackgroundTask {
      snapshot.setTaskCompleted(
        restoredDefaultState: false, estimatedSnapshotExpiration: .distantFuture, userInfo: nil)
    } else {
      setTaskCompletedWithSnapshot(false)
    }
  }
}
#endif
