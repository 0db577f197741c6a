import Foundation
import Lifecycle
import Registry
import RegistryC

/// The signals of a process as a stream.
///
/// Read by a thread of its own, which waits for nobody: the second signal that is to end the process does, at once, whatever the main
/// actor and all other threads are doing.
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

  /// - Parameter isReloading: Whether SIGHUP is for reading the configuration anew.
  /// - Throws: If another host has the signals.
  init(isReloading: Bool) throws {
    (stream, continuation) = AsyncStream.makeStream()
    var numbers = [SIGTERM, SIGINT, SIGTSTP, SIGCONT]
    // What was started to outlive its terminal, as by nohup, does.
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

  /// The signal that was to end the process, if one came.
  var ending: Int32? { first.withLock { $0 } }

  /// Gives the signals their own actions back.
  func stop() {
    registry_signals_release()
    // It waits for nobody, so this takes no time. Else it could read what is for the next one's thread.
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
      // What is not written yet is lost: whoever is writing may be what holds the end up.
      if isSecond { Self.end(by: number, flushing: false) }
      continuation.yield(.end)
    }
  }

  /// Ends the process by a signal's own action.
  static func end(by number: Int32, flushing: Bool = true) -> Never {
    if flushing { fflush(nil) }
    signal(number, SIG_DFL)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    kill(getpid(), number)
    // As a shell would put it, should the signal be held back elsewhere.
    _exit(128 + number)
  }

  /// Suspends the process as SIGTSTP would have, until SIGCONT; unless that came meanwhile, as nobody sends it twice. One that comes between
  /// that question and the suspension is lost; shells send it to what they have seen suspended.
  func suspend() {
    fflush(nil)
    guard registry_signals_take_suspension() else { return }
    kill(getpid(), SIGSTOP)
  }
}
