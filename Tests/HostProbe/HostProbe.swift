import ProcessHost
import Foundation
import Lifecycle
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
  func tearDown(_ context: Context) { say("base: torn down") }
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
    if mode == "block" { while true { sleep(1) } }
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
  }

  func shutDown(_ context: Context) async throws {
    say("server: shut down")
    if mode == "hang" { try await Task.sleep(nanoseconds: 1_000_000_000_000) }
  }

  func tearDown(_ context: Context) { say("server: torn down") }
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
      var rest: Int32 = 0
      if ioctl(pipe, UInt(FIONREAD), &rest) != 0 || rest != 0 { count += 1 }
      registry_signals_release()
      var zero: UInt8 = 0
      if rest == 0 { _ = read(pipe, &zero, 1) }
    }
    say("left \(count)")
  }

  @MainActor static func main() async {
    let modules = ModuleManager.shared
    if CommandLine.arguments.contains("again") { await runOthers() }
    modules.register(Base.self, level: .basic)
    modules.register(Server.self)
    var count = 0
    let reload: @MainActor () throws -> ContextValues = {
      count += 1
      if count == 2 { throw NoFile() }
      return ContextValues { $0[.color] = "green \(count)" }
    }
    let reloads = CommandLine.arguments.contains("reload")
    await ProcessHost(modules, reload: reloads ? reload : nil).runAndExit()
  }
}
