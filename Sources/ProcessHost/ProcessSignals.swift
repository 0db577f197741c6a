import Foundation
import Lifecycle
import Registry
import RegistryC

/// The signals of a process as a stream.
///
/// A separate thread reads them and never waits for other code, so a second signal to end the
/// process takes effect at once, even if the main actor and all other threads are blocked.
final class ProcessSignals: Sendable {
  enum Event: Sendable {
    case end
    case reload
    case suspend
    case resume
  }

  let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let first = Locked<Int32?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Installs the signal handlers.
  ///
  /// - Parameter isReloading: A Boolean value that indicates whether SIGHUP reloads the
  ///   configuration.
  /// - Throws: An error if another host handles the signals.
  init(isReloading: Bool) throws {
    (stream, continuation) = AsyncStream.makeStream()
    var numbers = [SIGTERM, SIGINT, SIGTSTP, SIGCONT]
    // A process that was started to ignore SIGHUP, as by nohup, continues to ignore it.
    if isReloading || !registry_signal_is_ignored(SIGHUP) { numbers.append(SIGHUP) }
    let pipe = registry_signals_catch(numbers, numbers.count)
    guard pipe >= 0 else { throw ProcessHost.SignalHandlingError(number: errno) }
    let thread = Thread {
      while let number = Self.next(pipe), number != 0 { self.receive(number, isReloading) }
      self.hasEnded.signal()
    }
    thread.name = "signals"
    thread.start()
  }

  /// The signal that should end the process; nil if there was none.
  var ending: Int32? { first.withLock { $0 } }

  /// Restores the previous actions of the signals.
  func stop() {
    registry_signals_release()
    // The thread waits for no other code, so this takes no time. Otherwise it could read signals
    // for the thread of the next host.
    hasEnded.wait()
    continuation.finish()
  }

  /// Waits for the next signal.
  private static func next(_ pipe: Int32) -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = read(pipe, &byte, 1)
      if count == 1 { return Int32(byte) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  private func receive(_ number: Int32, _ isReloading: Bool) {
    switch number {
    case SIGHUP where isReloading: continuation.yield(.reload)
    case SIGTSTP: continuation.yield(.suspend)
    case SIGCONT: continuation.yield(.resume)
    default:
      let isSecond = first.withLock { first in
        defer { first = first ?? number }
        return first != nil
      }
      // Discard unwritten output, because the thread that writes it can be the one that blocks the
      // end.
      if isSecond { Self.end(by: number, flushing: false) }
      continuation.yield(.end)
    }
  }

  /// Ends the process by a signal's default action.
  static func end(by number: Int32, flushing: Bool = true) -> Never {
    if flushing { fflush(nil) }
    signal(number, SIG_DFL)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    kill(getpid(), number)
    // If the signal did not end the process, exit with the status that a shell would report.
    _exit(128 + number)
  }

  /// Suspends the process, as SIGTSTP would have, until SIGCONT.
  ///
  /// If SIGCONT arrived in the meantime, the process continues, because no second one follows. One
  /// that arrives between that check and the suspension is lost; shells send it only to a process
  /// that they have observed suspended.
  func suspend() {
    fflush(nil)
    guard registry_signals_take_suspension() else { return }
    kill(getpid(), SIGSTOP)
  }
}
