/// A module that takes time to become ready, works until it is stopped, or takes time to shut down.
///
/// ```swift
/// @ExportModule(after: ["Storage.DatabaseModule"])
/// final class ServerModule: AsyncModule {
///   func becomeReady(_ context: Context) async throws {
///     listener = try await Listener(port: 8080)
///   }
///   func run(_ context: Context) async throws {
///     for try await client in listener.clients { serve(client) }
///   }
///   func shutDown(_ context: Context) async throws { await listener.close() }
/// }
/// ```
///
/// The module requires ``ModuleManager/run(launch:limits:)`` or
/// ``ModuleManager/runInBackground(launch:limits:onFailure:)``; ``ModuleManager/start(launch:)``
/// throws an error (`needs-run`). The asynchronous phases come between the phases of ``Module``:
/// the manager sets up and initializes modules before the first module becomes ready, and shuts all
/// modules down before it tears down the first. Events reach the module from its setup until its
/// teardown or removal.
///
/// All methods run on the main actor, which is free while a phase is suspended, and have default
/// implementations that do nothing. Declare the conformance in the class declaration, or in an
/// extension in the same target.
@MainActor public protocol AsyncModule: Module {
  /// Prepares what other modules wait for.
  ///
  /// The manager calls the method when the modules in `after`, and the modules that those follow,
  /// are ready. A normal module also waits for all basic modules. Independent modules become ready
  /// concurrently.
  ///
  /// If the method throws or exceeds ``PhaseLimits/becomeReady``, the manager stops everything and
  /// ``ModuleManager/run(launch:limits:)`` throws. A module that was set up after the start, or
  /// whose ``failureTerminationBehavior`` is `.continues`, is reported and removed instead. A stop
  /// or a removal cancels this method's task.
  func becomeReady(_ context: Context) async throws

  /// Works until the module is stopped.
  ///
  /// The method is called as soon as ``becomeReady(_:)`` returns. By default, returning early stops
  /// nothing. If the method throws, even while it completes its work during a stop, the manager
  /// stops everything and ``ModuleManager/run(launch:limits:)`` throws; see
  /// ``failureTerminationBehavior`` and ``successTerminationBehavior``.
  ///
  /// To complete its work, the method can observe the module's shutdown through
  /// ``Context/withGracefulShutdownHandler(operation:onGracefulShutdown:)``,
  /// ``Context/gracefulShutdown()``, or ``Context/isShuttingDownGracefully``. The method's task is
  /// canceled after ``shutDown(_:)`` and the grace period end; see ``PhaseLimits/gracePeriod``.
  func run(_ context: Context) async throws

  /// Ends the module's work and reverts its preparation.
  ///
  /// The manager calls the method once if it called ``becomeReady(_:)``, even if that threw or was
  /// canceled, unless ``PhaseLimits/totalShutdown`` passes first. During a stop, the modules that
  /// name this module in `after` shut down first, and so do all normal modules if this module is
  /// basic. Independent modules shut down concurrently. Canceling the task that called
  /// ``ModuleManager/run(launch:limits:)`` doesn't cancel this method's task.
  ///
  /// Errors are reported. If the method exceeds ``PhaseLimits/shutDown``, that is reported, too,
  /// and its task is canceled and no longer awaited. The other modules continue in both cases.
  func shutDown(_ context: Context) async throws

  /// The effect of an error from ``becomeReady(_:)`` or ``run(_:)``, `.stopsManager` by default.
  ///
  /// With `.continues`, the error is reported, and the other modules continue. A module that did
  /// not become ready is removed; a module whose `run` threw remains set up.
  static var failureTerminationBehavior: RunTermination { get }

  /// The effect of returning from ``run(_:)``, `.continues` by default.
  ///
  /// With `.stopsManager`, the manager stops as with ``ModuleManager/triggerGracefulShutdown()``.
  /// Use it for a module that performs the process's only task.
  static var successTerminationBehavior: RunTermination { get }
}

/// The action that a manager takes when a module's asynchronous phase ends.
@nonexhaustive public enum RunTermination: Sendable, Hashable {
  /// The manager stops all modules.
  case stopsManager
  /// The other modules continue.
  case continues
}

extension AsyncModule {
  public func becomeReady(_ context: Context) async throws {}
  public func run(_ context: Context) async throws {}
  public func shutDown(_ context: Context) async throws {}
  public static var failureTerminationBehavior: RunTermination { .stopsManager }
  public static var successTerminationBehavior: RunTermination { .continues }

  /// A Boolean value that marks asynchronous modules. Not API.
  public static var __hasAsyncPhases: Bool { true }
}
