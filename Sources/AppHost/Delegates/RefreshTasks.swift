package import Lifecycle

/// A background task, which keeps an app running until the app completes the task. WatchKit and a
/// simulation in tests implement the protocol.
@MainActor package protocol RefreshTask {
  /// The identifier of the background session whose transfers ended, or nil for another type of
  /// task.
  var urlSession: String? { get }

  func complete()
}

extension ModuleManager {
  /// Triggers an event for each task of a background session.
  ///
  /// Every task is completed once: after the modules have answered, or immediately if there's no
  /// event for its type. A system terminates an app that leaves a task incomplete.
  package func handle(_ tasks: [any RefreshTask]) {
    for task in tasks where task.urlSession == nil { task.complete() }
    let sessions = tasks.compactMap { task in task.urlSession.map { (id: $0, task: task) } }
    for session in sessions.sorted(by: { $0.id < $1.id }) {
      // The system gives some tasks only 15 seconds, and counts from before this call.
      trigger(.handleBackgroundURLSession, session.id, timeLimit: min(systemEventTimeLimit, 10)) { _ in
        session.task.complete()
      }
    }
  }
}
