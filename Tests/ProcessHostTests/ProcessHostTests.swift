@testable import ProcessHost
import Foundation
import Lifecycle
import Registry
import RegistryC
import RegistryCTestSupport
import TestSupport
import TestWaits
import Testing

/// The effects of signals on a process that a host runs, tested with real processes.
@Suite struct ProcessHostTests {
  private let goingDown = [
    "base: will terminate", "server: will terminate", "server: shut down", "server: cancelled", "server: torn down",
    "base: torn down",
  ]

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func `a signal stops the modules in reverse order, and ends the process`(
    signal: Int32
  ) throws {
    let probe = try Probe()
    #expect(probe.lines(to: "color none") == ["base: set up 1", "ready", "color none"])
    probe.send(signal)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == signal)
    #if DEBUG
    let reload = "warning: the process: SIGHUP stops it, because the host has no 'reload'; pass one to reload instead"
    let said = probe.said
    #expect(signal == SIGHUP ? said.contains(reload) : said == "", "\(said)")
    #else
    #expect(probe.said == "")
    #endif
  }

  @Test(arguments: [(0, 1), (2, 3), (-5, 1), (-0.5, 1), (.nan, 1), (.infinity, nil)] as [(Double, Double?)])
  @MainActor func `the process ends a second after the modules must have stopped`(limit: Double, seconds: Double?) {
    let nanoseconds = ProcessHost.nanosecondsToEnd(PhaseLimits(totalShutdown: limit))
    #expect(nanoseconds == seconds.map { UInt64($0 * 1e9) })
  }

  @Test(arguments: [("default-signals", SIGTERM, SIGINT), ("own-signals", SIGQUIT, SIGQUIT)])
  func `a second signal ends the process at once, although a module does not stop`(
    options: String, first: Int32, second: Int32
  ) throws {
    let probe = try Probe("hang", options)
    _ = probe.lines(to: "color none")
    probe.send(first)
    #expect(probe.lines(to: "server: shut down").last == "server: shut down")
    // A signal within 100 ms counts as the first one.
    while probe.isRunning {
      probe.send(second)
      usleep(10_000)
    }
    #expect(probe.end() == second)
    #expect(!probe.rest().contains("base: torn down"))
  }

  @Test func `a second signal ends the process although the main actor is blocked`() throws {
    let probe = try Probe("block")
    _ = probe.lines(to: "ready")
    probe.send(SIGTERM)
    // Pending signals of one kind are merged, so repeat the second signal until the process ends.
    while probe.isRunning {
      probe.send(SIGTERM)
      usleep(1000)
    }
    #expect(probe.end() == SIGTERM)
    #expect(probe.rest() == [])
  }

  @Test func `a process that its limit ends names the modules that have not shut down`() throws {
    let probe = try Probe("block-limited")
    _ = probe.lines(to: "ready")
    probe.send(SIGTERM)
    let said = probe.said
    #expect(
      said.hasPrefix(
        "error: the process: the signal \(SIGTERM) ends it, because the main actor is blocked, so the shutdown exceeded its"
          + " time limit"))
    #expect(said.contains("time limit; these modules have not shut down: 'HostProbe."), "\(said)")
    #expect(probe.end() == SIGTERM)
  }

  @Test(arguments: [[SIGTERM, SIGTERM], [SIGTERM, SIGHUP, SIGCONT], [SIGINT, SIGTERM]])
  func `signals that follow each other at once are one request`(signals: [Int32]) throws {
    // `timeout` signals the process and its group, and systemd can send SIGHUP after SIGTERM.
    try expectOneRequest(signals) {
      let probe = try Probe()
      _ = probe.lines(to: "color none")
      return probe
    } isOne: {
      $0.rest() == goingDown && signals.contains($0.end())
    }
  }

  // ThreadSanitizer holds back signals in a process that a process with several threads has forked,
  // and delivers them only when that process executes another program.
  @Test(.enabled(if: !registry_test_has_thread_sanitizer()))
  func `a signal to a forked process does not stop the host`() throws {
    let probe = try Probe("fork")
    #expect(probe.lines(to: "color none").contains("the child ended by \(SIGTERM)"))
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test(.enabled(if: !registry_test_has_thread_sanitizer()))
  func `a forked process that handles signals itself does not affect the first one`() throws {
    let probe = try Probe("fork-handlers")
    #expect(
      probe.lines(to: "color none").prefix(3) == [
        "a child handled signals 0, and stopped 0, during a run; unread 0",
        "a child handled signals 0 after a run; unread 0", "base: set up 2",
      ])
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `writing to a closed connection does not end the process`() throws {
    let probe = try Probe("pipe")
    #expect(probe.lines(to: "color none").contains("wrote -1, broken true"))
    probe.send(SIGTERM)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `signals that the launcher blocked are handled`() throws {
    let probe = try Probe("block-signals")
    #expect(probe.lines(to: "color none").contains("blocked at the start"))
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test(arguments: [("INT", SIGINT), ("TSTP", SIGTSTP)])
  func `a process that ignores a signal at its start continues to ignore it`(name: String, signal: Int32) throws {
    let probe = try Probe(preparing: "trap '' \(name)")
    _ = probe.lines(to: "color none")
    probe.send(signal)
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `SIGTSTP does not suspend a process that no shell could continue`() throws {
    let probe = try Probe("orphaned")
    _ = probe.lines(to: "color none")
    probe.send(SIGTSTP)
    let events = ["will resign active", "did enter background", "will enter foreground", "did become active"]
    #expect(probe.lines(to: "did become active") == events)
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a stop by a module ends the process with status zero`() throws {
    let probe = try Probe("stop")
    #expect(probe.rest().last == "base: torn down")
    #expect(probe.end() == 0)
  }

  @Test func `the end of a run has the given status, unless a signal caused it`() async {
    await #expect(processExitsWith: .exitCode(3)) { ProcessHost.Termination.stopped.exit(status: 3) }
    await #expect(processExitsWith: .signal(SIGTERM)) { ProcessHost.Termination.signal(SIGTERM).exit(status: 3) }
  }

  @Test func `a module that fails ends the process with status one and an error that names it`() throws {
    let probe = try Probe("fail")
    #expect(probe.rest().suffix(2) == ["server: torn down", "base: torn down"])
    #expect(probe.end() == -1)
    let said = probe.said
    #expect(
      said.hasPrefix("error: module 'HostProbe.") && said.contains("Server") && said.contains("the port is taken"),
      "\(said)")
  }

  /// Commands that redirect standard error to a pipe without a reader and, on Linux, to a full
  /// disk.
  static let unwritable =
    [#"f=$(mktemp -u); mkfifo "$f"; exec 3<>"$f"; exec 2>"$f"; exec 3<&-; rm "$f""#]
    + (FileManager.default.fileExists(atPath: "/dev/full") ? ["exec 2>/dev/full"] : [])

  @Test(arguments: unwritable)
  func `a failure ends the process with status one even if its error can't be written`(redirection: String) throws {
    let probe = try Probe("fail", preparing: redirection)
    #expect(probe.rest().last == "base: torn down")
    #expect(probe.end() == -1)
  }

  @Test func `a stop signal that would suspend the process ends it`() throws {
    let probe = try Probe("stop-on-suspension")
    _ = probe.lines(to: "color none")
    probe.send(SIGTSTP)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == -128 - SIGTSTP)
  }

  @Test func `SIGHUP reloads the configuration, and an unreadable one changes nothing`() throws {
    let probe = try Probe("reload")
    _ = probe.lines(to: "color none")
    probe.send(SIGHUP)
    #expect(probe.line() == "color green 1")
    probe.send(SIGHUP)
    // The system can merge signals that are pending at the same time, and deliver different ones in
    // any order. Send the third when the second has been handled.
    #expect(
      probe.errorLine()?.contains("could not be reloaded and keeps its values: there is no configuration") == true)
    probe.send(SIGHUP)
    #expect(probe.line() == "color green 3")
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a process that ignores SIGHUP at its start reloads the configuration, and still ends by SIGTERM`() throws
  {
    let probe = try Probe("reload", preparing: "trap '' HUP")
    _ = probe.lines(to: "color none")
    probe.send(SIGHUP)
    #expect(probe.line() == "color green 1")
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `suspending and continuing the process are background and foreground events`() throws {
    let probe = try Probe()
    _ = probe.lines(to: "color none")
    for _ in 0..<2 {
      probe.send(SIGTSTP)
      #expect(probe.lines(to: "did enter background") == ["will resign active", "did enter background"])
      #expect(probe.isSuspended)
      probe.send(SIGCONT)
      #expect(probe.lines(to: "did become active") == ["will enter foreground", "did become active"])
    }
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a process that is continued before it is suspended stays active`() throws {
    let probe = try Probe("pause")
    #expect(probe.lines(to: "did become active").last == "did become active")
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a second signal ends the process although its output is not read`() throws {
    let probe = try Probe("flood")
    _ = probe.line()
    _ = probe.line()
    while probe.isRunning {
      probe.send(SIGTERM)
      usleep(1000)
    }
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a suspension and the end write what was printed, although a thread reads standard input`() throws {
    let probe = try Probe("read", preparing: #"f=$(mktemp -u); mkfifo "$f"; exec 0<>"$f"; rm "$f""#)
    _ = probe.lines(to: "color none")
    probe.send(SIGTSTP)
    #expect(probe.lines(to: "printed") == ["will resign active", "did enter background", "printed"])
    #expect(probe.isSuspended)
    probe.send(SIGCONT)
    #expect(probe.lines(to: "did become active").count == 2)
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown + ["printed"])
    #expect(probe.end() == SIGTERM)
  }

  @Test func `neither a locked stream nor an output that nobody reads changes the end`() throws {
    let probe = try Probe("stuck")
    _ = probe.lines(to: "color none")
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a host leaves no state for the next one`() throws {
    let probe = try Probe("again")
    #expect(probe.lines(to: "color none") == ["left 0", "base: set up 2", "ready", "color none"])
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a process that ignores SIGHUP at its start continues to ignore it`() throws {
    let probe = try Probe(preparing: "trap '' HUP")
    _ = probe.lines(to: "color none")
    probe.send(SIGHUP)
    probe.send(SIGTSTP)
    #expect(probe.lines(to: "did enter background") == ["will resign active", "did enter background"])
    // Like a shell, send SIGCONT only when the process is suspended. An earlier one can be lost.
    #expect(probe.isSuspended)
    probe.send(SIGCONT)
    #expect(probe.lines(to: "did become active").count == 2)
    probe.send(SIGTERM)
    #expect(probe.rest() == goingDown)
    #expect(probe.end() == SIGTERM)
  }
}

private let signalActions: [Int32: ProcessSignals.Action] = [
  SIGTERM: .stop, SIGINT: .stop, SIGHUP: .stop, SIGTSTP: .suspend, SIGCONT: .resume,
]

/// The effects of signals on a host in the tests' own process.
///
/// No other test may send signals to that process meanwhile.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct ProcessHostInProcessTests {
  private final class Worker: AsyncModule {
    static nonisolated(unsafe) var work: @MainActor () async throws -> Void = {}
    static func subscribe(_ events: Subscriptions<Worker>) {
      events.on(.willTerminate) { _, context in context.configuration[.heard]?.add("will terminate") }
      events.on(.configurationDidChange) { _, change, context in
        change.names.filter { $0 != "process.heard" }.forEach { context.configuration[.heard]?.add($0) }
      }
    }
    func run(_ context: Context) async throws { try await Self.work() }
  }

  private let problems = DiagnosticCollector()
  private let trace = Trace()

  private func manager() -> ModuleManager {
    ModuleManager(
      modules: [Worker.self], configuration: ContextValues { $0[.heard] = trace }, onDiagnostic: problems.handler)
  }

  private func send(_ signal: Int32) { kill(getpid(), signal) }

  @Test func `options precede events, a cancellation precedes a stop, and a reload precedes both`() {
    let manager = manager()
    for event in ProcessHost.signalEvents.values { manager.on(event) { _ in } }
    var options = ProcessHost.Options(cancelSignals: [SIGQUIT, SIGTERM])
    #expect(options.reapDelay == 5)
    options.stopSignals.formUnion([SIGUSR1, SIGTSTP])
    var host = ProcessHost(manager, options: options)
    var actions: [Int32: ProcessSignals.Action] = [
      SIGUSR1: .stop, SIGUSR2: .event, SIGTSTP: .stop, SIGINT: .stop, SIGHUP: .stop, SIGTERM: .cancel, SIGQUIT: .cancel,
      SIGCONT: .resume,
    ]
    #expect(host.signalActions() == actions)
    options.cancelSignals.insert(SIGHUP)
    host = ProcessHost(manager, options: options) { ContextValues() }
    actions[SIGHUP] = .reload
    #expect(host.signalActions() == actions)
  }

  @Test func `run returns the signal that ended it, and the process continues`() async throws {
    let manager = manager()
    Worker.work = { send(SIGTERM) }
    #expect(try await ProcessHost(manager).run() == .signal(SIGTERM))
    #expect(trace.lines == ["will terminate"])
    #expect(manager.moduleNames.isEmpty)
    #expect(!manager.context.launch[.arguments].isEmpty)
  }

  @Test func `a host that runs again announces each end`() async throws {
    let host = ProcessHost(manager())
    Worker.work = { send(SIGTERM) }
    for _ in 1...2 { #expect(try await host.run() == .signal(SIGTERM)) }
    #expect(trace.lines == ["will terminate", "will terminate"])
  }

  @Test func `run returns that it was stopped`() async throws {
    let manager = manager()
    Worker.work = { manager.triggerGracefulShutdown() }
    #expect(try await ProcessHost(manager).run(launch: ContextValues { $0[.arguments] = ["own"] }) == .stopped)
    #expect(trace.lines.isEmpty && manager.context.launch[.arguments] == ["own"])
  }

  @Test func `a reloaded configuration takes effect, and an unreadable one is reported`() async throws {
    let manager = manager()
    var reloads = 0
    let trace = trace
    let host = ProcessHost(manager) {
      reloads += 1
      if reloads == 1 { throw CancellationError() }
      return ContextValues {
        $0[.heard] = trace
        $0[.color] = "green"
      }
    }
    Worker.work = {
      send(SIGHUP)
      try await until("the first signal is seen") { reloads >= 1 }
      send(SIGHUP)
      try await until("the second signal is seen") { reloads >= 2 }
      send(SIGINT)
    }
    #expect(try await host.run() == .signal(SIGINT))
    #expect(problems.codes == [.reloadFailed] && manager.context.log.diagnostics.map(\.code) == problems.codes)
    #expect(manager.context.configuration[.color] == "green")
    #expect(trace.lines == ["process.color", "will terminate"])
  }

  @Test func `a failure while a signal stops the modules is reported, and the signal ends the run`() async throws {
    let manager = manager()
    let trace = trace
    Worker.work = {
      send(SIGTERM)
      try await until("the signal stops the modules") { !trace.lines.isEmpty }
      throw POSIXError(.EIO)
    }
    // The failure and the stop that the signal requests can happen in either order.
    #expect(try await ProcessHost(manager).run() == .signal(SIGTERM))
    #expect(problems.codes == [.endedWithFailure] || problems.codes == [.phaseFailed])
  }

  @Test func `the failure of a run that a signal ends is reported`() async throws {
    // The module fails while it holds the main actor, so before the host can stop the modules. The
    // thread that reads signals can need longer than the module waits; then the failure is thrown.
    for milliseconds: UInt32 in [10, 100, 1_000, 10_000, 100_000] {
      let manager = manager()
      Worker.work = {
        send(SIGTERM)
        usleep(milliseconds * 1_000)
        throw POSIXError(.EIO)
      }
      guard let end = try? await ProcessHost(manager).run() else { continue }
      #expect(end == .signal(SIGTERM))
      #expect(problems.codes == [.endedWithFailure])
      #expect(problems.diagnostics.first?.subject == "the process")
      return
    }
    Issue.record("the host never learned of the signal")
  }

  @Test func `a signal that is received after the modules ended has no effect on them and their next run`() async throws
  {
    let manager = manager()
    let host = ProcessHost(manager) {
      Issue.record("the configuration is reloaded")
      return ContextValues()
    }
    let signals = try ProcessSignals(signalActions)
    for received in [(SIGTERM, .stop), (SIGHUP, .reload), (SIGUSR1, .event), (SIGTSTP, .suspend)]
      as [ProcessSignals.Received]
    {
      host.receive(received, signals)
    }
    signals.stop()
    Worker.work = { throw POSIXError(.EIO) }
    await #expect(throws: ModuleError.self) { try await host.run() }
    #expect(problems.codes.isEmpty && trace.lines.isEmpty)
  }

  @Test func `a signal that an earlier run received does not stop the next one`() async throws {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    manager.on(.willTerminate) { [trace] _ in trace.add("will terminate") }
    let signals = try ProcessSignals(signalActions)
    try manager.start()
    let host = ProcessHost(manager)
    let listening = Task { host.receive((SIGTERM, .stop), signals) }
    // Each run cancels the task that listens.
    listening.cancel()
    await listening.value
    signals.stop()
    #expect(manager.isStarted && trace.lines.isEmpty && problems.codes.isEmpty)
    manager.stop()
  }

  @Test func `a handler of willTerminate can stop the modules, which start again later`() throws {
    final class Stops: Module {
      static func subscribe(_ events: Subscriptions<Stops>) {
        events.on(.willTerminate) { _, context in context.modules?.stop() }
      }
    }
    let manager = ModuleManager(modules: [Stops.self], onDiagnostic: problems.handler)
    let signals = try ProcessSignals(signalActions)
    try manager.start()
    ProcessHost(manager).receive((SIGTERM, .stop), signals)
    signals.stop()
    #expect(!manager.isStarted)
    try manager.start()
    #expect(manager.moduleNames.count == 1 && problems.codes.isEmpty)
    // Options that name SIGHUP chose its effect, so no report suggests a reload.
    ProcessHost(manager).receive((SIGHUP, .cancel), signals)
    #expect(!manager.isStarted && problems.codes.isEmpty)
  }

  @Test(arguments: 0..<3) func `a handler of a suspension can stop the modules, and no later event follows`(
    last: Int
  ) throws {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    let events: [Event<Void, Void>] = [.willResignActive, .didEnterBackground, .willEnterForeground, .didBecomeActive]
    for (number, event) in events.enumerated() {
      manager.on(event) { [trace] context in
        trace.add("\(number)")
        if number == last { context.modules?.stop() }
      }
    }
    let signals = try ProcessSignals(signalActions)
    try manager.start()
    ProcessHost(manager).receive((SIGTSTP, .suspend), signals)
    signals.stop()
    #expect(trace.lines == (0...last).map { "\($0)" } && problems.codes.isEmpty)
  }

  private func catchSignals(_ numbers: [Int32], request: UInt8 = 0) -> Int32 {
    registry_signals_catch(
      numbers.map { registry_signal(number: $0, request: request, is_discarded: false) }, numbers.count)
  }

  /// Restores the actions of the signals and empties their pipe, which the next host would read.
  private func release(_ signals: Int32) {
    registry_signals_release()
    var number: UInt8 = 1
    while number != 0, read(signals, &number, 1) == 1 {}
  }

  @Test func `a signal does not interrupt a blocking call`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let signals = catchSignals([SIGUSR2])
    try #require(signals >= 0)
    defer { release(signals) }
    let reader = ends[0]
    let thread = Locked<pthread_t?>(nil)
    let outcome = Locked<(count: Int, error: Int32)?>(nil)
    Thread.detachNewThread {
      // The threads of Dispatch block all signals, and the threads that they create inherit this.
      var mask = sigset_t()
      sigemptyset(&mask)
      sigaddset(&mask, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      thread.withLock { $0 = pthread_self() }
      var byte: UInt8 = 0
      let count = read(reader, &byte, 1)
      let error = errno
      outcome.withLock { $0 = (count, error) }
    }
    // The thread can be about to read, so one signal might not interrupt anything.
    for _ in 0..<50 {
      if let thread = thread.withLock({ $0 }) { pthread_kill(thread, SIGUSR2) }
      usleep(2_000)
    }
    #expect(outcome.withLock { $0 == nil })
    #expect(write(ends[1], [7], 1) == 1)
    blockUntil("the thread has read") { outcome.withLock { $0 != nil } }
    #expect(outcome.withLock { $0?.count } == 1, "errno \(outcome.withLock { $0?.error ?? 0 })")
    for end in ends { close(end) }
  }

  @Test func `run throws the error of a module that fails, and only one host can run`() async throws {
    let manager = manager()
    let other = self.manager()
    Worker.work = {
      await #expect(throws: ProcessHost.SignalHandlingError.self) { _ = try await ProcessHost(other).run() }
      #if DEBUG
      // The caller may read the error only after this host has ended.
      #expect(problems.codes == [.signalsNotHandled])
      #endif
      throw POSIXError(.EADDRINUSE)
    }
    await #expect(throws: ModuleError.self) { _ = try await ProcessHost(manager).run() }
    let busy = "another 'ProcessHost' is running, and a process can have only one; run all modules in one manager"
    #expect("\(ProcessHost.SignalHandlingError(number: EBUSY))".hasPrefix(busy))
    #expect("\(ProcessHost.SignalHandlingError(number: EMFILE))".contains("cannot be handled: "))
  }

  @Test(arguments: [(SIGKILL, "9 (SIGKILL)"), (SIGSTOP, "\(SIGSTOP) (SIGSTOP)"), (0, "0"), (1_000, "1000")])
  func `an error names a signal of the options that cannot be handled`(signal: Int32, name: String) async throws {
    for isStop in [true, false] {
      var options = ProcessHost.Options()
      if isStop { options.stopSignals.insert(signal) } else { options.cancelSignals.insert(signal) }
      let error = await #expect(throws: ProcessHost.SignalHandlingError.self) {
        _ = try await ProcessHost(self.manager(), options: options).run()
      }
      #expect(
        error?.description
          == "the signal \(name) cannot be handled; remove it from 'stopSignals' and 'cancelSignals' of the host's"
          + " options [signals-not-handled]")
    }
  }

  @Test func `more signals are caught than a host handles by default`() throws {
    let all = [
      SIGHUP, SIGTERM, SIGINT, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH, SIGURG, SIGIO, SIGXCPU, SIGXFSZ,
      SIGVTALRM, SIGPROF, SIGTTIN, SIGTTOU, SIGQUIT, SIGPIPE, SIGCHLD,
    ]
    let signals = catchSignals(all)
    try #require(signals >= 0)
    release(signals)
  }

  @Test func `the pipe of the signals is closed in other programs and blocks no handler`() throws {
    let signals = catchSignals([])
    try #require(signals >= 0)
    defer { release(signals) }
    func target(_ file: Int32) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
    }
    let pipe = try #require(target(signals))
    let ends = (0..<1_024).filter { target($0) == pipe }
    #expect(ends.count == 2 && ends.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
    let writer = try #require(ends.first { $0 != signals })
    #expect(fcntl(writer, F_GETFL) & O_NONBLOCK != 0)
  }

  /// Unblocks signals on the calling thread while a closure runs.
  ///
  /// The thread can belong to Dispatch, whose threads block all signals.
  private func unblocking(_ signals: [Int32], _ body: () throws -> Void) rethrows {
    var (mask, before) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  @Test func `a signal handler keeps errno, although the pipe is full`() throws {
    let signals = catchSignals([SIGUSR2])
    try #require(signals >= 0)
    defer { release(signals) }
    unblocking([SIGUSR2]) {
      errno = 0
      for _ in 0..<70_000 { raise(SIGUSR2) }
      #expect(errno == 0)
    }
    // Empty the pipe, so that it has room for the zero that the release writes.
    var bytes = [UInt8](repeating: 0, count: 70_000)
    let count = read(signals, &bytes, bytes.count)
    #expect(count > 4_096 && count < 70_000 && bytes.prefix(count).allSatisfy { $0 == UInt8(SIGUSR2) })
  }

  @Test func `only the first signal of a request counts within a short time`() throws {
    let signals = catchSignals([SIGUSR1, SIGUSR2], request: 3)
    try #require(signals >= 0)
    defer { release(signals) }
    unblocking([SIGUSR1, SIGUSR2]) {
      raise(SIGUSR1)
      // A slow machine can take longer than the time in which signals are merged, but not always.
      for _ in 0..<10_000 { raise(SIGUSR2) }
    }
    var bytes = [UInt8](repeating: 0, count: 20_000)
    let count = read(signals, &bytes, bytes.count)
    #expect(bytes.first == UInt8(SIGUSR1) && count < 10_000, "\(count)")
    blockUntil("the time is over") {
      unblocking([SIGUSR2]) { raise(SIGUSR2) }
      var pending: Int32 = 0
      return ioctl(signals, UInt(FIONREAD), &pending) == 0 && pending > 0
    }
    #expect(read(signals, &bytes, bytes.count) == 1 && bytes.first == UInt8(SIGUSR2))
  }

  @Test func `a host leaves the actions of ignored signals and its own action of SIGPIPE as they were`() throws {
    let before = (signal(SIGINT, SIG_IGN), signal(SIGPIPE, SIG_IGN))
    let signals = try ProcessSignals(signalActions)
    #expect(registry_signal_is_ignored(SIGINT) && registry_signal_is_ignored(SIGPIPE))
    #expect(!registry_signal_is_ignored(SIGTERM) && !registry_signal_has_default_action(SIGTERM))
    signals.stop()
    signal(SIGINT, before.0)
    signal(SIGPIPE, before.1)
  }

  @Test func `a suspension is pending until it is taken or the process is continued`() throws {
    let signals = catchSignals([SIGTSTP, SIGCONT])
    try #require(signals >= 0)
    defer { release(signals) }
    #expect(!registry_signals_take_suspension())
    unblocking([SIGTSTP, SIGCONT]) {
      raise(SIGTSTP)
      #expect(registry_signals_take_suspension() && !registry_signals_take_suspension())
      raise(SIGTSTP)
      raise(SIGCONT)
      #expect(!registry_signals_take_suspension())
    }
  }

  @Test func `signals are caught although standard input is closed and the pipe has its descriptor`() async {
    await #expect(processExitsWith: .success) {
      close(0)
      let signals = try ProcessSignals(signalActions)
      guard fcntl(0, F_GETFD) & FD_CLOEXEC != 0 else { exit(1) }
      signals.stop()
    }
  }

  @Test func `the reader of the signals receives their end even if the pipe is full`() async {
    await #expect(processExitsWith: .success) {
      var signal = registry_signal(number: SIGUSR2, request: 0, is_discarded: false)
      let signals = registry_signals_catch(&signal, 1)
      registry_signals_unblock(&signal, 1)
      for _ in 0..<70_000 { raise(SIGUSR2) }
      Thread.detachNewThread {
        // Read once the actions are restored, so that the end meets a full pipe.
        while !registry_signal_has_default_action(SIGUSR2) { sched_yield() }
        var bytes = [UInt8](repeating: 0, count: 10_000)
        _ = read(signals, &bytes, bytes.count)
      }
      registry_signals_release()
      var bytes = [UInt8](repeating: 1, count: 70_000)
      exit(bytes[read(signals, &bytes, bytes.count) - 1] == 0 ? 0 : 1)
    }
  }

  #if os(Linux)
  @Test func `a host reaps a child that ended before it, and none after it has stopped`() async {
    await #expect(processExitsWith: .success) {
      typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
      let setChildSubreaper: Int32 = 36
      if let symbol = dlsym(nil, "prctl") { _ = unsafeBitCast(symbol, to: Control.self)(setChildSubreaper, 1, 0, 0, 0) }
      func zombie() -> pid_t {
        var (child, info, words) = (pid_t(), siginfo_t(), [strdup("true"), nil])
        posix_spawnp(&child, "true", nil, nil, &words, environ)
        free(words[0])
        waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT)
        return child
      }
      let early = zombie()
      let reaper = try #require(OrphanReaper(delay: 0))
      let signals = try ProcessSignals(signalActions, reaper: reaper)
      try await until("the child is reaped") { kill(early, 0) != 0 }
      signals.stop()
      let late = zombie()
      reaper.scan()
      // A reaper that has not stopped needs a moment.
      for _ in 0..<100 where kill(late, 0) == 0 { usleep(2_000) }
      exit(waitpid(late, nil, WNOHANG) == late ? 0 : 1)
    }
  }
  #endif

  @Test func `an invalid signal changes nothing`() {
    #expect(!registry_signal_is_ignored(SIGUSR2))
    let before = signal(SIGUSR2, SIG_IGN)
    #expect(registry_signal_is_ignored(SIGUSR2))
    for invalid in [SIGKILL, SIGSTOP, 0, -1, 65, 200] {
      let error = #expect(throws: ProcessHost.SignalHandlingError.self) {
        try ProcessSignals([SIGUSR2: .event, invalid: .event])
      }
      #expect(error?.number == EINVAL && error?.signal == invalid)
    }
    #expect(unsafeBitCast(signal(SIGUSR2, before), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self))
    // The failed calls installed no handlers, so this call has no effect.
    registry_signals_release()
    // The signals can be caught now.
    let signals = catchSignals([])
    #expect(signals >= 0)
    release(signals)
  }

  @Test func `SIGCONT without a suspension is not a return from the background`() async throws {
    let heard = Trace()
    let manager = manager()
    manager.on(.didEnterBackground) { _ in heard.add("background") }
    manager.on(.willEnterForeground) { _ in heard.add("foreground") }
    Worker.work = {
      send(SIGCONT)
      for _ in 0..<50 { await Task.yield() }
      send(SIGTERM)
    }
    #expect(try await ProcessHost(manager).run() == .signal(SIGTERM))
    #expect(heard.lines.isEmpty)
  }
}

extension ContextKey where Value == Trace? {
  fileprivate static var heard: Self { .init("process.heard") }
}

extension ContextKey where Value == String {
  fileprivate static var color: Self { .init("process.color", default: "none") }
}
