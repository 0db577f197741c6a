import Foundation
import Lifecycle
import Registry
import RegistryC

/// The signals of a process as a stream.
///
/// A separate thread reads the signals and never waits for other code, so a second signal to end
/// the process takes effect immediately, even if the main actor and all other threads are blocked.
final class ProcessSignals: Sendable {
  enum Action: Sendable {
    case stop
    case cancel
    case reload
    case suspend
    case resume
    case event
    case reap
  }

  typealias Received = (number: Int32, action: Action)

  let stream: AsyncStream<Received>
  private let continuation: AsyncStream<Received>.Continuation
  private let actions: [Int32: Action]
  private let reaper: OrphanReaper?
  /// The first signal that requested to end the process, and whether one requested a cancellation.
  private let requests = Locked<(first: Int32?, hasCanceled: Bool)>((nil, false))
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Installs the signal handlers, or throws if a signal can't be handled or another host is
  /// running. After the first signal to end the process, the process ends within `nanoseconds`.
  ///
  /// - Parameter workingModules: A closure that returns the modules to name in the report if the
  ///   time limit ends the process.
  init(
    _ actions: [Int32: Action], nanosecondsToEnd nanoseconds: UInt64? = nil, reaper: OrphanReaper? = nil,
    workingModules: @escaping @Sendable () -> [String] = { [] }
  ) throws(ProcessHost.SignalHandlingError) {
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
      // Threads inherit the set of signals that the parent process blocked.
      registry_signals_unblock(signals, signals.count)
      self.read(pipe, nanoseconds, workingModules)
      self.hasEnded.signal()
    }
    thread.name = "signals"
    thread.start()
    // Child processes may have ended before SIGCHLD was handled.
    reaper?.scan()
  }

  /// Returns the signals to handle. A process that was started with a signal ignored continues to
  /// ignore it: for example, SIGHUP with `nohup`, or SIGINT in a background command of a shell
  /// script. A host that reloads its configuration on SIGHUP handles it even then, because the
  /// signal doesn't end the process.
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

  var ending: Int32? { requests.withLock { $0.first } }

  /// Restores the previous actions of the signals.
  func stop() {
    // Wait for the thread to end, so that it can't read signals meant for the next host's thread.
    // The thread waits for no other code, so it ends quickly.
    if registry_signals_release() { hasEnded.wait() }
    reaper?.stop()
    continuation.finish()
  }

  private func read(_ pipe: Int32, _ nanosecondsToEnd: UInt64?, _ workingModules: () -> [String]) {
    var end: UInt64?
    while let number = Self.next(pipe, until: end) {
      if number == 0 { return }
      receive(number)
      if end == nil, ending != nil, let nanosecondsToEnd { end = registry_now() + nanosecondsToEnd }
    }
    // The modules did not stop in time, although their phases have limits, so the main actor must
    // be blocked.
    guard let number = ending else { return }
    let modules = workingModules()
    let names = modules.isEmpty ? "" : "; these modules have not shut down: \(modules.quotedList("and", limit: 8))"
    let problem = Diagnostic(
      severity: .error, code: .timedOut, subject: "the process", image: nil,
      message: "the signal \(number) ends it, because the main actor is blocked, so the shutdown exceeded its time"
        + " limit\(names); move blocking work off the main actor")
    // The manager's diagnostic handler expects the main actor, so write the message here.
    Self.write(within: 0.1) { "\(problem)".logLine() }
    Self.end(by: number, flushing: false)
  }

  /// Writes on another thread, because a full pipe without a reader, or a thread that uses a
  /// stream, must not delay the end of the process.
  private static func write(within seconds: Double, _ write: @escaping @Sendable () -> Void) {
    let isWritten = DispatchSemaphore(value: 0)
    let writer = Thread {
      write()
      isWritten.signal()
    }
    writer.start()
    _ = isWritten.wait(timeout: .now() + seconds)
  }

  /// Returns the next signal, nil if a time is reached first, or zero at the end of the pipe.
  private static func next(_ pipe: Int32, until end: UInt64?) -> Int32? {
    while true {
      if let end {
        let now = registry_now()
        var descriptor = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        // Wait for at least a millisecond, because the number is rounded down, and at most a day.
        let count = poll(&descriptor, 1, now < end ? Int32(min((end - now) / 1_000_000, 86_400_000)) + 1 : 0)
        if count == 0, registry_now() >= end { return nil }
        if count <= 0 { continue }
      }
      var byte: UInt8 = 0
      let count = Foundation.read(pipe, &byte, 1)
      if count == 1 { return Int32(byte) }
      if count == 0 || errno != EINTR { return 0 }
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
      // Don't flush output, because the thread that writes it may be the thread that hangs.
      if endsAtOnce { Self.end(by: number, flushing: false) }
      continuation.yield((number, action))
    }
  }

  static func end(by number: Int32, flushing: Bool = true) -> Never {
    if flushing { write(within: 1) { registry_flush_output(true) } }
    // These signals would suspend the process, and on the first process of a container, no signal
    // has an effect. Then exit as a shell would.
    if ![SIGTSTP, SIGTTIN, SIGTTOU].contains(number) { registry_signal_perform_default(number) }
    _exit(128 + number)
  }

  /// Suspends the process until SIGCONT, as SIGTSTP would. Returns immediately if SIGCONT has
  /// already arrived, because no other SIGCONT may follow, and in an orphaned process group, which
  /// no shell could continue. A SIGCONT that arrives between the check and the suspension is lost,
  /// but shells send it only to a process that they have seen suspended.
  func suspend() {
    Self.write(within: 1) { registry_flush_output(false) }
    guard registry_signals_take_suspension() else { return }
    registry_signal_perform_default(SIGTSTP)
  }
}
