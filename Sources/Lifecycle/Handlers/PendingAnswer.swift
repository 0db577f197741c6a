/// An answer to an asynchronous event that has not arrived.
///
/// The subscriber knows its pending answers, so that they are withdrawn when its module is removed.
@MainActor final class PendingAnswer {
  let subscriber: Subscriber
  var task: Task<Void, Never>?
  private(set) var isOpen = true
  private let closed: @MainActor () -> Void
  private let withdrawn: @MainActor () -> Void

  /// Creates an open answer.
  ///
  /// - Parameters:
  ///   - subscriber: The subscriber whose handler answers.
  ///   - closed: A closure that is called when the answer arrives or is given up.
  ///   - withdrawn: A closure that is called after `closed` when the module is removed.
  init(
    _ subscriber: Subscriber, closed: @escaping @MainActor () -> Void, withdrawn: @escaping @MainActor () -> Void
  ) {
    self.subscriber = subscriber
    self.closed = closed
    self.withdrawn = withdrawn
    subscriber.pendingAnswers.append(self)
  }

  /// Stops waiting for the answer.
  ///
  /// - Returns: `true` if the answer was open.
  func close() -> Bool {
    guard isOpen else { return false }
    isOpen = false
    subscriber.pendingAnswers.removeAll { $0 === self }
    closed()
    return true
  }

  /// Stops waiting for the answer because the module is removed.
  func withdraw() {
    guard close() else { return }
    task?.cancel()
    withdrawn()
  }
}
