import Foundation
import Lifecycle
import Registry
import RegistryC

/// The signals of a process as a stream.
///
/// A separate thread reads them and never waits for other code, so a second signal to end the
/// process takes effect immediately, even if the main actor and all other threads are blocked.
final class ProcessSignals: Sendable {
  /// The effect of a signal.
  enum Action: Sendable {
    case stop
    case cancel
    case reload
    case suspend
    case resume
    case event
    case reap
  }

  private struct Requests {
    /// The first signal that should end the process.
    var first: Int32?
    var hasCanceled = false
  }

  /// A signal that the host acts on, with its effect.
  typealias Received = (number: Int32, action: Action)

  let stream: AsyncStream<Received>
  private let continuation: AsyncStream<Received>.Continuation
  private let actions: [Int32: Action]
  private let reaper: OrphanReaper?
  private let requests = Locked(Requests())
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Installs the signal handlers.
  ///
  /// - Parameters:
  ///   - actions: The effects of the signals to handle.
  ///   - nanoseconds: The time after the first signal that ends the process, at which the process
  ///     ends in any case; nil for none.
  ///   - reaper: The reaper that reacts to SIGCHLD.
  /// - Throws: An error if a signal cannot be handled, or if another host handles the signals.
  init(_ actions: [Int32: Action], nanosecondsToEnd nanoseconds: UInt64? = nil, reaper: OrphanReaper? = nil) throws {
    (stream, continuation) = AsyncStream.makeStream()
    var actions = actions
    if reaper != nil { actions[SIGCHLD] = .reap }
    self.actions = actions
    self.reaper = reaper
    if let number = actions.keys.sorted().first(where: { !registry_signal_can_be_handled($0) }) {
      throw ProcessHost.SignalHandlingError(number: EINVAL, signal: number)
    }
    let signals = Self.handled(actions)
    let pipe = registry_signals_catch(signals, signals.count)
    guard pipe >= 0 else { throw ProcessHost.SignalHandlingError(number: errno) }
    let thread = Thread {
      // The program that started the process may have blocked signals, which all threads inherit.
      registry_signals_unblock(signals, signals.count)
      self.read(pipe, nanoseconds)
      self.hasEnded.signal()
    }
    thread.name = "signals"
    thread.start()
    // Processes can have ended before SIGCHLD was handled.
    reaper?.scan()
  }

  /// Returns the signals to handle.
  ///
  /// A process that was started to ignore a signal continues to ignore it. Examples are SIGHUP with
  /// nohup, and SIGINT for a command in the background of a shell script. A host that reloads its
  /// configuration handles SIGHUP even then, because it does not end the process.
  private static func handled(_ actions: [Int32: Action]) -> [registry_signal] {
    var signals: [registry_signal] = []
    for (number, action) in actions.sorted(by: { $0.key < $1.key }) {
      if registry_signal_is_ignored(number), action != .reload { continue }
      let request: UInt8 = action == .stop ? 1 : action == .cancel ? 2 : 0
      signals.append(registry_signal(number: number, request: request, is_discarded: false))
    }
    // A client that closes its connection must not end the process.
    if actions[SIGPIPE] == nil, registry_signal_has_default_action(SIGPIPE) {
      signals.append(registry_signal(number: SIGPIPE, request: 0, is_discarded: true))
    }
    return signals
  }

  /// The signal that should end the process; nil if there was none.
  var ending: Int32? { requests.withLock { $0.first } }

  /// Restores the previous actions of the signals.
  func stop() {
    // The thread waits for no other code, so this takes no time. Otherwise it could read signals
    // for the thread of the next host.
    if registry_signals_release() { hasEnded.wait() }
    reaper?.stop()
    continuation.finish()
  }

  /// Waits for the next signal.
  private static func next(_ pipe: Int32) -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = Foundation.read(pipe, &byte, 1)
      if count == 1 { return Int32(byte) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  /// Reads signals until the handlers are removed.
  private func read(_ pipe: Int32, _ nanosecondsToEnd: UInt64?) {
    var end: UInt64?
    while Self.isReadable(pipe, until: end) {
      guard let number = Self.next(pipe), number != 0 else { return }
      receive(number)
      if end == nil, ending != nil, let nanosecondsToEnd { end = registry_now() + nanosecondsToEnd }
    }
    // The modules have not stopped in time, although their phases have limits, so the main actor is
    // blocked.
    if let number = ending { Self.end(by: number, flushing: false) }
  }

  /// Waits until a pipe can be read.
  ///
  /// - Returns: `false` if the time was reached first.
  private static func isReadable(_ pipe: Int32, until end: UInt64?) -> Bool {
    guard let end else { return true }
    while true {
      let now = registry_now()
      var descriptor = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      // Wait for at least a millisecond, because the number is rounded down, and at most for a day.
      let count = poll(&descriptor, 1, now < end ? Int32(min((end - now) / 1_000_000, 86_400_000)) + 1 : 0)
      if count > 0 { return true }
      if count == 0, registry_now() >= end { return false }
    }
  }

  private func receive(_ number: Int32) {
    guard let action = actions[number] else { return }
    switch action {
    case .reload, .suspend, .event: continuation.yield((number, action))
    case .reap: reaper?.scan()
    // The handler has recorded that the process continues.
    case .resume: break
    case .stop, .cancel:
      let endsAtOnce = requests.withLock { requests in
        defer {
          requests.first = requests.first ?? number
          if action == .cancel { requests.hasCanceled = true }
        }
        return action == .cancel ? requests.hasCanceled : requests.first != nil
      }
      // Discard unwritten output, because the thread that writes it can be the thread that blocks
      // the end.
      if endsAtOnce { Self.end(by: number, flushing: false) }
      continuation.yield((number, action))
    }
  }

  /// Ends the process by a signal's default action.
  static func end(by number: Int32, flushing: Bool = true) -> Never {
    if flushing { fflush(nil) }
    registry_signal_perform_default(number)
    // The system ignores the signal for the first process of a container. Exit with the status that
    // a shell would report.
    _exit(128 + number)
  }

  /// Suspends the process, as SIGTSTP would have, until SIGCONT.
  ///
  /// The method returns immediately if the process must not be suspended: if SIGCONT arrived in the
  /// meantime, because no second one follows, and in an orphaned process group, which no shell
  /// could continue. A SIGCONT that arrives between the check and the suspension is lost; shells
  /// send it only to a process that they have observed suspended.
  func suspend() {
    fflush(nil)
    guard registry_signals_take_suspension() else { return }
    registry_signal_perform_default(SIGTSTP)
  }
}
