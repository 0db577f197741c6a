#if os(watchOS)
import Foundation
import WatchKit

extension FetchResult {
  var watchResult: WKBackgroundFetchResult {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}

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

/// The expiring activities of Foundation, which delay the suspension of an app on a watch.
struct ExpiringActivityTime: BackgroundTimeSystem {
  func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)? {
    let isDone = DispatchSemaphore(value: 0)
    ProcessInfo.processInfo.performExpiringActivity(withReason: name) { isExpired in
      // The activity lasts until the first call returns. The system calls the closure a second
      // time, on another thread, when it ends the time. If it grants none, that is the only call.
      if isExpired { Task { @MainActor in expired() } } else { isDone.wait() }
    }
    return { isDone.signal() }
  }
}
#endif
