import Foundation
import TestWaits
import Testing

/// The options of a host and the limits of a shutdown, tested with real processes.
@Suite(.timeLimit(.minutes(20))) struct ProcessOptionsTests {
  private let tornDown = ["server: torn down", "base: torn down"]

  @Test func `SIGUSR1, SIGUSR2, and SIGQUIT are events of modules that handle them`() throws {
    let probe = try Probe("serve", "events")
    _ = probe.lines(to: "color none")
    for (signal, line) in [(SIGUSR1, "user signal 1"), (SIGUSR2, "user signal 2"), (SIGQUIT, "quit signal")] {
      probe.send(signal)
      #expect(probe.line() == line)
    }
    probe.send(SIGTERM)
    #expect(probe.rest().suffix(2) == tornDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `SIGUSR1 has its default action if no module handles its event`() throws {
    let probe = try Probe()
    _ = probe.lines(to: "color none")
    probe.send(SIGUSR1)
    #expect(probe.rest() == [])
    #expect(probe.end() == SIGUSR1)
  }

  // testCancellationSignal_afterGracefulShutdownSignal
  @Test func `a signal that cancels ends the grace periods that a signal that stops has begun`() throws {
    let probe = try Probe("drain", "own-signals")
    _ = probe.lines(to: "ready")
    probe.send(SIGUSR1)
    // The modules shut down and drain in either order.
    var lines: [String] = []
    while !lines.contains("server: draining") || !lines.contains("server: shut down"), let line = probe.line() {
      lines.append(line)
    }
    probe.send(SIGQUIT)
    #expect(probe.rest() == ["server: cancelled"] + tornDown)
    #expect(probe.end() == SIGUSR1)
    #expect(probe.said == "")
  }

  // testCancellationSignal
  @Test func `a signal that cancels stops the modules in order, without grace periods`() throws {
    let probe = try Probe("drain", "own-signals")
    _ = probe.lines(to: "ready")
    probe.send(SIGQUIT)
    let lines = probe.rest()
    #expect(lines.contains("server: shut down") && lines.suffix(2) == tornDown, "\(lines)")
    #expect(probe.end() == SIGQUIT)
    #expect(probe.said == "")
  }

  @Test func `a signal that stops right after one that cancels is part of the same request`() throws {
    try expectOneRequest([SIGQUIT, SIGUSR1]) {
      let probe = try Probe("drain", "own-signals")
      _ = probe.lines(to: "ready")
      return probe
    } isOne: {
      // The system can deliver two pending signals in either order.
      $0.rest().suffix(2) == tornDown && [SIGQUIT, SIGUSR1].contains($0.end())
    }
  }

  @Test func `SIGPIPE stops the modules if the options say so`() throws {
    // The process causes the signal itself. ThreadSanitizer expects SIGPIPE only from a write, and
    // ends a process that receives it at another time.
    let probe = try Probe("pipe", "stop-on-pipe")
    let lines = probe.rest()
    #expect(lines.contains("wrote -1, broken true") && lines.suffix(2) == tornDown, "\(lines)")
    #expect(probe.end() == SIGPIPE)
  }

  @Test func `a signal that is not configured has its default action`() throws {
    let probe = try Probe("drain", "own-signals")
    _ = probe.lines(to: "ready")
    probe.send(SIGTERM)
    #expect(probe.rest() == [])
    #expect(probe.end() == SIGTERM)
  }

  @Test func `one deadline ends the shutdown of all modules, and they are torn down`() async throws {
    let probe = try Probe("hang", "deadline")
    _ = probe.lines(to: "color none")
    probe.send(SIGTERM)
    try await until("the process ends") { !probe.isRunning }
    // The work of the module is canceled, and can end after the tear-down.
    #expect(probe.rest().filter(tornDown.contains) == tornDown)
    #expect(probe.end() == SIGTERM)
    #expect(probe.said.contains("time limit of 10.0 s: 'shutDown' has not returned"))
  }

  @Test func `a process whose main actor is blocked ends after the deadline`() async throws {
    let probe = try Probe("block", "deadline")
    _ = probe.lines(to: "ready")
    probe.send(SIGTERM)
    try await until("the process ends") {
      // Other signals do not postpone the end.
      probe.send(SIGCONT)
      return !probe.isRunning
    }
    #expect(probe.end() == SIGTERM)
    #expect(probe.rest() == [])
  }

  @Test func `a deadline that is not a number is zero, also while the main actor is blocked`() async throws {
    let probe = try Probe("block", "no-number")
    _ = probe.lines(to: "ready")
    probe.send(SIGTERM)
    try await until("the process ends") { !probe.isRunning }
    #expect(probe.end() == SIGTERM)
    #expect(probe.rest() == [])
  }

  @Test func `a module that may fail does not end the process`() throws {
    let probe = try Probe("serve", "optional")
    let lines = probe.lines(to: "phase-failed")
    #expect(lines.last == "phase-failed")
    probe.send(SIGTERM)
    #expect(probe.rest().suffix(2) == tornDown)
    #expect(probe.end() == SIGTERM)
  }

  @Test func `a module that has done its work ends the process with the status 0`() throws {
    let probe = try Probe("serve", "task")
    let lines = probe.rest()
    #expect(lines.contains("import: done") && lines.suffix(2) == tornDown, "\(lines)")
    #expect(probe.end() == 0)
    #expect(probe.said == "")
  }

  @Test func `a process that was suspended is not reported as stalled`() async throws {
    let probe = try Probe("serve", "stall")
    _ = probe.lines(to: "color none")
    probe.send(SIGUSR2)
    for line in ["stall, over false", "stall, over true"] {
      try await until("'\(line)' is reported") { probe.isReadable }
      #expect(probe.lines(to: line).last == line)
    }
    // On a busy machine, a turn of the main actor can really take a second, but not always.
    var lines: [String] = []
    for _ in 0..<10 where lines != ["continued"] {
      probe.send(SIGUSR1)
      #expect(probe.isSuspended)
      // Only time makes a suspension longer than the watchdog's threshold of a second.
      try await Task.sleep(for: .seconds(2))
      probe.send(SIGCONT)
      lines = probe.lines(to: "continued")
    }
    #expect(lines == ["continued"])
    probe.send(SIGTERM)
    #expect(probe.rest().suffix(2) == tornDown)
    #expect(probe.end() == SIGTERM)
  }

  #if os(Linux)
  @Test(.enabled(if: Probe.createsNamespaces, "the system does not let a user create a process namespace"))
  func `the first process of a container reaps adopted processes, and has the status of its signal`() async throws {
    let probe = try Probe("orphans", preparing: "exec \(Probe.namespace) \"$0\" \"$@\"")
    #expect(probe.lines(to: "status 3").last == "status 3")
    try await until("the adopted process is reaped") { probe.isReadable }
    #expect(probe.line() == "no child is left true")
    // The process in the namespace is the child of the one that created the namespace.
    let parent = probe.identifier
    let children = try String(contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
    let child = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    kill(child, SIGTERM)
    #expect(probe.rest().suffix(2) == tornDown)
    #expect(probe.end() == -(128 + SIGTERM))
  }

  @Test func `adopted processes are reaped, and the program still gets the status of its own`() async throws {
    let probe = try Probe("orphans")
    #expect(probe.lines(to: "status 3").last == "status 3")
    try await until("the adopted process is reaped") { probe.isReadable }
    #expect(probe.line() == "no child is left true")
    probe.send(SIGTERM)
    #expect(probe.rest().suffix(2) == tornDown)
    #expect(probe.end() == SIGTERM)
  }
  #endif
}
