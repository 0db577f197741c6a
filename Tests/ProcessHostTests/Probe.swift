import Foundation
import Registry
import TestSupport
import Testing

/// The status with which a process ended; nil while nothing has waited for it.
private final class EndStatus: Sendable {
  let known = Locked<Int32?>(nil)
}

/// A process that runs HostProbe, and whose output a test reads line by line.
///
/// Like `Command`, the class does not use Foundation's `Process`, which forks.
final class Probe {
  let identifier: pid_t
  private var output: LineReader
  private var errors: LineReader
  private let status = EndStatus()

  /// Starts the process.
  ///
  /// - Parameter preparing: Commands that a shell runs first.
  init(_ arguments: String..., preparing: String = "") throws {
    let pipes = try (Self.makePipe(), Self.makePipe())
    #if canImport(Darwin)
    var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
    #else
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, pipes.0.writer, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes.1.writer, 2)
    // Other tests in this process ignore signals, and its threads can block them.
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    // As in a shell, the process leads a group, so it can be suspended.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))

    let words = ["/bin/sh", "-c", "\(preparing)\nexec \"$0\" \"$@\"", try BuiltProgram.path("HostProbe")] + arguments
    var copies = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    var identifier: pid_t = 0
    let problem = posix_spawn(&identifier, words[0], &actions, &attributes, &copies, environ)
    for pipe in [pipes.0, pipes.1] { close(pipe.writer) }
    guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EIO) }
    (self.identifier, output, errors) = (identifier, LineReader(pipes.0.reader), LineReader(pipes.1.reader))
    endLater()
  }

  /// Creates a pipe that other programs do not inherit, because its end would come too late.
  private static func makePipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// The command that runs another one as the first process of a new namespace.
  static let namespace = "unshare --user --map-root-user --pid --fork --mount-proc"

  /// A Boolean value that indicates whether the system permits ``namespace``.
  static var createsNamespaces: Bool {
    (try? Command.run("sh", ["-c", "exec \(namespace) true"]))?.succeeded == true
  }

  deinit {
    if isRunning { kill(identifier, SIGKILL) }
    _ = end()
    output.close()
    errors.close()
  }

  /// A Boolean value that indicates whether the process has not ended.
  var isRunning: Bool {
    guard status.known.withLock({ $0 == nil }) else { return false }
    var info = siginfo_t()
    return waitid(P_PID, id_t(identifier), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_code == 0
  }

  /// A Boolean value that indicates whether the process is suspended.
  ///
  /// Reading the value waits until the process is suspended or ends. The call of `waitid` does not
  /// consume the status.
  var isSuspended: Bool {
    var info = siginfo_t()
    return waitid(P_PID, id_t(identifier), &info, WSTOPPED | WNOWAIT) == 0 && info.si_code == CLD_STOPPED
  }

  /// A Boolean value that indicates whether reading standard output does not block.
  ///
  /// Tests run on few threads, so a test that waits for seconds must not block its thread.
  var isReadable: Bool { output.isReadable }

  /// Returns the next line of standard output, or nil at its end.
  func line() -> String? { output.line() }

  /// Returns the next line of standard error, or nil at its end.
  func errorLine() -> String? { errors.line() }

  /// Returns the lines up to and including a given one.
  func lines(to last: String) -> [String] {
    var lines: [String] = []
    while let line = line() {
      lines.append(line)
      if line == last { break }
    }
    return lines
  }

  func rest(_ limit: Int = 100) -> [String] {
    var lines: [String] = []
    while lines.count < limit, let line = line() { lines.append(line) }
    return lines
  }

  /// Kills the process after twenty minutes, so that a test of a process that hangs fails.
  private func endLater() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1_200) { [identifier, status] in
      status.known.withLock { if $0 == nil { kill(identifier, SIGKILL) } }
    }
  }

  func send(_ signal: Int32) { kill(identifier, signal) }

  /// Waits for the end of the process and returns its signal, or its negated status.
  func end() -> Int32 {
    if let known = status.known.withLock({ $0 }) { return known }
    var info = siginfo_t()
    while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    // The process stays a zombie until its status is known, so that no signal reaches another
    // process with its identifier.
    return status.known.withLock { status in
      var state: Int32 = 0
      waitpid(identifier, &state, 0)
      let signal = state & 0x7f
      let result = signal == 0 ? -((state >> 8) & 0xff) : signal
      status = result
      return result
    }
  }

  /// The rest of standard error.
  var said: String {
    var lines: [String] = []
    while let line = errorLine() { lines.append(line + "\n") }
    return lines.joined()
  }
}

/// Checks that a process treats signals that arrive within 100 ms as one request.
///
/// On a busy machine, the signals sometimes arrive later, and the last one ends the process at once.
/// The function then tries another process. A process that ended within 100 ms had no late signal.
///
/// - Parameters:
///   - start: A closure that returns a process that is ready for the signals.
///   - isOne: A closure that waits for the end of the process, and returns a Boolean value that
///     indicates whether the process stopped as after a single signal.
func expectOneRequest(_ signals: [Int32], start: () throws -> Probe, isOne: (Probe) -> Bool) throws {
  for _ in 0..<20 {
    let probe = try start()
    let begin = ContinuousClock.now
    for signal in signals { probe.send(signal) }
    if isOne(probe) { return }
    try #require(ContinuousClock.now - begin >= .milliseconds(100), "the signals \(signals) were two requests")
  }
  Issue.record("the signals \(signals) were two requests in twenty processes")
}

/// A reader of the lines from a pipe.
private struct LineReader {
  private let file: Int32
  private var rest: [UInt8] = []

  init(_ file: Int32) { self.file = file }

  var isReadable: Bool {
    var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return rest.contains(UInt8(ascii: "\n")) || poll(&descriptor, 1, 0) > 0
  }

  /// Returns the next line, or nil at the end. A line that does not end is dropped.
  mutating func line() -> String? {
    var room = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let count = read(file, &room, room.count)
      if count > 0 { rest += room.prefix(count) } else if count == 0 || errno != EINTR { return nil }
    }
  }

  func close() { _ = Foundation.close(file) }
}
