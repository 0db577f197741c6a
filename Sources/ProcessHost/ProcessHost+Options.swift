import Foundation
public import Lifecycle

extension ProcessHost {
  /// The signals that end a process, and other optional behavior of its host.
  ///
  /// ```swift
  /// let host = ProcessHost(.shared, options: .init(cancelSignals: [SIGQUIT], reapsOrphans: true))
  /// ```
  public struct Options: Sendable, Hashable {
    /// The signals that stop the modules gracefully.
    ///
    /// By default, they are SIGTERM, SIGINT, and SIGHUP.
    /// A host with `reload` reloads its configuration on SIGHUP.
    public var stopSignals: Set<Int32>

    /// The signals that stop the modules without grace periods. There are none by default.
    ///
    /// Modules still shut down in order. A signal of this kind that follows one of ``stopSignals``
    /// ends the grace periods in progress, and a second one ends the process at once.
    public var cancelSignals: Set<Int32>

    /// A Boolean value that indicates whether the host reaps processes that this one adopted.
    ///
    /// The first process of a container adopts processes whose parents have ended. If it does not
    /// wait for them, they remain as zombies. The host waits for a process that has been a zombie
    /// for five seconds, so that libraries can wait for those that they started. The option has an
    /// effect on Linux, in the first process and in a subreaper. There, SIGCHLD starts the search
    /// for such processes, and does not stop the modules, even if ``stopSignals`` or
    /// ``cancelSignals`` contains it.
    public var reapsOrphans: Bool

    /// The number of seconds for which a zombie remains.
    package var reapDelay = 5.0

    /// Creates options.
    ///
    /// - Parameters:
    ///   - stopSignals: The signals that stop the modules gracefully, or nil for the default.
    ///   - cancelSignals: The signals that stop the modules without grace periods.
    ///   - reapsOrphans: A Boolean value that indicates whether the host reaps adopted processes.
    public init(stopSignals: Set<Int32>? = nil, cancelSignals: Set<Int32> = [], reapsOrphans: Bool = false) {
      self.stopSignals = stopSignals ?? [SIGTERM, SIGINT, SIGHUP]
      self.cancelSignals = cancelSignals
      self.reapsOrphans = reapsOrphans
    }
  }

  /// Returns the actions for the signals that the host handles.
  func signalActions() -> [Int32: ProcessSignals.Action] {
    var actions: [Int32: ProcessSignals.Action] = [SIGTSTP: .suspend, SIGCONT: .resume]
    let subscribed = modules.subscribedEvents
    for (number, event) in Self.signalEvents where subscribed.contains("\(event.id)") { actions[number] = .event }
    for number in options.stopSignals { actions[number] = .stop }
    for number in options.cancelSignals { actions[number] = .cancel }
    if reload != nil { actions[SIGHUP] = .reload }
    return actions
  }

  /// The events of signals that have no other effect.
  static var signalEvents: [Int32: Event<Void, Void>] {
    [SIGUSR1: .didReceiveUserSignal1, SIGUSR2: .didReceiveUserSignal2, SIGQUIT: .didReceiveQuitSignal]
  }
}

extension Event where Payload == Void, Outcome == Void {
  /// SIGUSR1 arrived, for example because an operator wants the process to reopen its log.
  ///
  /// A ``ProcessHost/ProcessHost`` handles the signal if a module or handler handles this event
  /// when the run begins. Otherwise the signal ends the process, as it does by default.
  public static var didReceiveUserSignal1: Self { .init("process.didReceiveUserSignal1") }

  /// SIGUSR2 arrived.
  ///
  /// See ``didReceiveUserSignal1``.
  public static var didReceiveUserSignal2: Self { .init("process.didReceiveUserSignal2") }

  /// SIGQUIT arrived, for example because an operator wants a report of the state.
  ///
  /// See ``didReceiveUserSignal1``.
  public static var didReceiveQuitSignal: Self { .init("process.didReceiveQuitSignal") }
}
