import ProcessHost
import Foundation
import Lifecycle
import LifecycleTracing
import Registry
import RegistryC

// Tests run this program in a separate process and send it signals. The program writes a line for
// each event that its modules receive.

private func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Sends a signal to the calling thread.
///
/// The signal's handler has run when this function returns. The host waits for the main actor, so
/// it has not observed the signal yet.
private func handle(_ signal: Int32) {
  // This thread can belong to Dispatch, whose threads block signals.
  var mask = sigset_t()
  sigemptyset(&mask)
  sigaddset(&mask, signal)
  pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  raise(signal)
}

/// Replaces the process by one in which all signals are blocked.
///
/// No command of a shell blocks signals.
private func restartWithBlockedSignals() {
  if getenv("SIGNALS_ARE_BLOCKED") != nil { return say("blocked at the start") }
  setenv("SIGNALS_ARE_BLOCKED", "1", 1)
  var mask = sigset_t()
  sigfillset(&mask)
  pthread_sigmask(SIG_SETMASK, &mask, nil)
  var arguments = CommandLine.arguments.map { strdup($0) }
  arguments.append(nil)
  execv(CommandLine.arguments[0], arguments)
}

/// Forks a process, and says by which signal that process ended.
private func forkAndEnd() {
  let child = forkProcess()
  if child == 0 {
    // The child has only this thread, which must do nothing that needs a lock. It can be a thread
    // of Dispatch, which blocks all signals.
    var mask = sigset_t()
    sigemptyset(&mask)
    pthread_sigmask(SIG_SETMASK, &mask, nil)
    while true { pause() }
  }
  kill(child, SIGTERM)
  var status: Int32 = 0
  waitpid(child, &status, 0)
  say("the child ended by \(status & 0x7f)")
}

/// Runs a closure in a forked process, and returns the status with which that process ends.
private func forked(_ work: () -> Int32) -> Int32 {
  let child = forkProcess()
  if child == 0 { _exit(work()) }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return status
}

/// Returns the number of bytes in a pipe.
private func unreadCount(_ pipe: Int32) -> Int32 {
  var count: Int32 = -1
  return ioctl(pipe, UInt(FIONREAD), &count) == 0 ? count : -1
}

/// Handles a signal in a forked process, and returns zero or the number of the step that failed.
private func handleInChild(_ number: Int32) -> Int32 {
  var signal = registry_signal(number: number, request: 1, is_discarded: false)
  let pipe = registry_signals_catch(&signal, 1)
  if pipe < 0 { return 1 }
  handle(number)
  if unreadCount(pipe) != 1 { return 2 }
  if !registry_signals_release() || unreadCount(pipe) != 2 { return 3 }
  return registry_signal_has_default_action(number) ? 0 : 4
}

/// Handles signals, forks processes that do so too, and says the number of bytes that they wrote to
/// the pipe of this process.
private func forkHandlers() {
  var signal = registry_signal(number: SIGTERM, request: 1, is_discarded: false)
  let pipe = registry_signals_catch(&signal, 1)
  let handled = forked { handleInChild(SIGTERM) }
  let stopped = forked { registry_signals_release() ? 1 : registry_signal_has_default_action(SIGTERM) ? 0 : 2 }
  say("a child handled signals \(handled), and stopped \(stopped), during a run; unread \(unreadCount(pipe))")
  registry_signals_release()
  var zero: UInt8 = 0
  _ = read(pipe, &zero, 1)
  let later = forked { handleInChild(SIGTERM) }
  say("a child handled signals \(later) after a run; unread \(unreadCount(pipe))")
}

/// Calls `fork`, which Swift marks as unavailable.
private func forkProcess() -> pid_t {
  typealias Fork = @convention(c) () -> pid_t
  guard let symbol = dlsym(nil, "fork") else { return -1 }
  return unsafeBitCast(symbol, to: Fork.self)()
}

/// Starts a process that leaves another one, and waits until no zombie is left.
private func leaveOrphan() async throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/sh")
  // The orphan ends first. Otherwise, the host would mostly reap it after twice the delay.
  process.arguments = ["-c", "(sleep 0.05 &); sleep 0.5; exit 3"]
  try process.run()
  process.waitUntilExit()
  say("status \(process.terminationStatus)")
  while waitid(P_ALL, 0, nil, WEXITED | WNOHANG | WNOWAIT) == 0 { try await Task.sleep(nanoseconds: 5_000_000) }
  say("no child is left \(errno == ECHILD)")
}

/// Makes the process adopt processes whose parents have ended.
private func becomeSubreaper() {
  typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
  guard let symbol = dlsym(nil, "prctl") else { return }
  let setChildSubreaper: Int32 = 36
  _ = unsafeBitCast(symbol, to: Control.self)(setChildSubreaper, 1, 0, 0, 0)
}

/// Writes to a pipe without a reader, and says the error.
private func writeToClosedPipe() {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  close(ends[0])
  let count = write(ends[1], "x", 1)
  say("wrote \(count), broken \(errno == EPIPE)")
}

extension ContextKey where Value == String {
  fileprivate static var color: Self { .init("probe.color", default: "none") }
}

/// The module that is set up first and torn down last.
private final class Base: Module {
  static func subscribe(_ events: Subscriptions<Base>) {
    events.on(.willTerminate) { _, _ in say("base: will terminate") }
    events.on(.willResignActive) { _, _ in say("will resign active") }
    events.on(.didEnterBackground) { _, _ in say("did enter background") }
    events.on(.willEnterForeground) { _, _ in say("will enter foreground") }
    events.on(.didBecomeActive) { _, _ in say("did become active") }
  }
  func setUp(_ context: Context) { say("base: set up \(context.launch[.arguments].count)") }
  func tearDown(_ context: Context) {
    say("base: torn down")
    if CommandLine.arguments.contains("stuck") { makeOutputStuck() }
  }

  /// Replaces the reader of standard output by none, and locks a stream forever.
  private func makeOutputStuck() {
    print("not read")
    var ends: [Int32] = [0, 0]
    if pipe(&ends) == 0 { dup2(ends[1], STDOUT_FILENO) }
    for end in ends { close(end) }
    let isLocked = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      flockfile(fopen("/dev/null", "r")!)
      isLocked.signal()
      while true { pause() }
    }
    isLocked.wait()
  }
}

private final class Server: AsyncModule {
  private let mode = CommandLine.arguments.dropFirst().first

  static func subscribe(_ events: Subscriptions<Server>) {
    events.on(.willTerminate) { _, _ in say("server: will terminate") }
  }

  func becomeReady(_ context: Context) async throws {
    if mode == "fail" { throw NoPort() }
  }

  func run(_ context: Context) async throws {
    say("ready")
    if mode == "stop" { ModuleManager.shared.triggerGracefulShutdown() }
    // The loop never suspends, so everything that waits for the main actor waits forever.
    if mode == "block" || mode == "block-limited" { while true { sleep(1) } }
    if mode == "fork" { forkAndEnd() }
    if mode == "orphans" { try await leaveOrphan() }
    if mode == "drain" { return try await drain(context) }
    if mode == "pipe" { writeToClosedPipe() }
    if mode == "read" {
      Thread.detachNewThread { _ = readLine() }
      print("printed")
    }
    if mode == "pause" { [SIGTSTP, SIGCONT].forEach(handle) }
    // When the pipe is full and has no reader, this call blocks and holds the lock of the stream.
    if mode == "flood" { while true { print(String(repeating: "x", count: 4096)) } }
    var color = ""
    while !Task.isCancelled {
      if context.configuration[.color] != color {
        color = context.configuration[.color]
        say("color \(color)")
      }
      try? await Task.sleep(nanoseconds: 5_000_000)
    }
    say("server: cancelled")
    if mode == "read" { print("printed") }
  }

  private func drain(_ context: Context) async throws {
    try await context.gracefulShutdown()
    say("server: draining")
    while !Task.isCancelled { try? await Task.sleep(nanoseconds: 5_000_000) }
    say("server: cancelled")
  }

  func shutDown(_ context: Context) async throws {
    say("server: shut down")
    if mode == "hang" { try await Task.sleep(nanoseconds: 1_000_000_000_000) }
  }

  func tearDown(_ context: Context) { say("server: torn down") }
}

/// A module whose failure does not end the process.
private final class Metrics: AsyncModule {
  static var failureTerminationBehavior: RunTermination { .continues }
  func run(_ context: Context) async throws { throw NoPort() }
}

/// A module that ends the process when its work is done.
private final class Import: AsyncModule {
  static var successTerminationBehavior: RunTermination { .stopsManager }
  func run(_ context: Context) async throws { say("import: done") }
}

private struct NoPort: Error, CustomStringConvertible {
  var description: String { "the port is taken" }
}

private struct NoFile: Error, CustomStringConvertible {
  var description: String { "there is no configuration" }
}

private final class EndsAtOnce: Module {
  func initialize(_ context: Context) { ModuleManager.other.stop() }
}

extension ModuleManager {
  fileprivate static let other = ModuleManager(modules: [EndsAtOnce.self])
}

@main struct HostProbe {
  /// Prints the number of hosts, out of fifty, that left bytes in the signal pipe.
  @MainActor private static func runOthers() async {
    var count = 0
    for _ in 0..<50 {
      _ = try? await ProcessHost(.other).run()
      let pipe = registry_signals_catch([], 0)
      let rest = unreadCount(pipe)
      if rest != 0 { count += 1 }
      registry_signals_release()
      var zero: UInt8 = 0
      if rest == 0 { _ = read(pipe, &zero, 1) }
    }
    say("left \(count)")
  }

  @MainActor private static func options() -> ProcessHost.Options {
    var options = ProcessHost.Options()
    if CommandLine.arguments.contains("own-signals") {
      options = ProcessHost.Options(stopSignals: [SIGUSR1], cancelSignals: [SIGQUIT])
    }
    if CommandLine.arguments.contains("events") {
      ModuleManager.shared.on(.didReceiveUserSignal1) { _ in say("user signal 1") }
      ModuleManager.shared.on(.didReceiveUserSignal2) { _ in say("user signal 2") }
      ModuleManager.shared.on(.didReceiveQuitSignal) { _ in say("quit signal") }
    }
    if CommandLine.arguments.contains("stop-on-pipe") { options.stopSignals = [SIGPIPE] }
    if CommandLine.arguments.contains("stop-on-suspension") { options.stopSignals = [SIGTSTP] }
    if CommandLine.arguments.contains("orphans") {
      if getpid() != 1 { becomeSubreaper() }
      options.reapsOrphans = true
      // The ends of children are no request to stop.
      options.stopSignals.insert(SIGCHLD)
      // On a busy machine, Foundation needs time to get the status of the program's own process.
      options.reapDelay = 10
    }
    return options
  }

  private static func limits() -> PhaseLimits {
    // On a busy machine, the modules need time to begin their shutdown.
    if CommandLine.arguments.contains("deadline") { return PhaseLimits(shutDown: 1_000, totalShutdown: 10) }
    if CommandLine.arguments.contains("block-limited") { return PhaseLimits(totalShutdown: 0) }
    if CommandLine.arguments.contains("no-number") { return PhaseLimits(totalShutdown: .nan) }
    // The limit is longer than any test, so only a signal that cancels ends the grace period.
    if CommandLine.arguments.contains("own-signals") { return PhaseLimits(gracePeriod: 1_000) }
    return PhaseLimits()
  }

  /// The watchdog, which a local variable would not keep in an optimized build, because the host
  /// never returns.
  @MainActor private static var watchdog: StallWatchdog?

  /// Says which stalls a watchdog reports, and handles signals that let a test cause them.
  @MainActor private static func watchStalls() -> StallWatchdog {
    let isReported = DispatchSemaphore(value: 0)
    let watchdog = StallWatchdog(threshold: 1) { stall in
      say("stall, over \(stall.isOver)")
      if !stall.isOver { isReported.signal() }
    }
    watchdog.watch(.shared)
    ModuleManager.shared.on(.didReceiveUserSignal1) { _ in
      // The turn contains the suspension, and its stall would be reported before the task runs.
      Task { say("continued") }
      raise(SIGSTOP)
    }
    ModuleManager.shared.on(.didReceiveUserSignal2) { _ in isReported.wait() }
    return watchdog
  }

  @MainActor static func main() async {
    let modules = ModuleManager.shared
    // A process that leads a session has no shell that could continue it. The leader of a group,
    // which the test's process created, cannot become one.
    if CommandLine.arguments.contains("orphaned") {
      setpgid(0, getpgid(getppid()))
      setsid()
    }
    if CommandLine.arguments.contains("block-signals") { restartWithBlockedSignals() }
    if CommandLine.arguments.contains("again") { await runOthers() }
    if CommandLine.arguments.contains("fork-handlers") { forkHandlers() }
    modules.register(Base.self, level: .basic)
    modules.register(Server.self)
    if CommandLine.arguments.contains("optional") {
      modules.onDiagnostic = { say("\($0.code)") }
      modules.register(Metrics.self)
    }
    if CommandLine.arguments.contains("task") { modules.register(Import.self) }
    if CommandLine.arguments.contains("stall") { watchdog = watchStalls() }
    var count = 0
    let reload: @MainActor () throws -> ContextValues = {
      count += 1
      if count == 2 { throw NoFile() }
      return ContextValues { $0[.color] = "green \(count)" }
    }
    let reloads = CommandLine.arguments.contains("reload")
    await ProcessHost(modules, options: options(), reload: reloads ? reload : nil).runAndExit(limits: limits())
  }
}
