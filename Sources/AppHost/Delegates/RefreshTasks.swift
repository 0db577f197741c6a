package import Lifecycle

/// A reason for which a system runs an app in the background until the app completes it.
///
/// The background tasks of WatchKit implement the members, and so does a simulation in tests.
@MainActor package protocol RefreshTask {
  /// The identifier of the background session whose transfers ended, or nil if the task has another
  /// kind.
  var urlSession: String? { get }

  func complete()
}

extension ModuleManager {
  /// Triggers an event for each task of a background session.
  ///
  /// Every task is completed once: after the modules have answered, or immediately if there's no
  /// event for its kind. A system terminates an app that leaves a task incomplete.
  package func handle(_ tasks: [any RefreshTask]) {
    for task in tasks where task.urlSession == nil { task.complete() }
    let sessions = tasks.compactMap { task in task.urlSession.map { (id: $0, task: task) } }
    for session in sessions.sorted(by: { $0.id < $1.id }) {
      deliver(.handleBackgroundURLSession, session.id, by: .appDelegate) { _ in session.task.complete() }
    }
  }
}
