/// A module that takes time to become ready, works until it is stopped, or takes time to shut down.
///
/// ```swift
/// @ExportModule(after: ["Storage.DatabaseModule"])
/// final class ServerModule: AsyncModule {
///   func becomeReady(_ context: Context) async throws { listener = try await Listener(port: 8080) }
///   func run(_ context: Context) async throws { for try await client in listener.clients { serve(client) } }
///   func shutDown(_ context: Context) async throws { await listener.close() }
/// }
/// ```
///
/// It takes ``ModuleManager/run(launch:limits:)``; ``ModuleManager/start(launch:)`` refuses it, by name. Set-up, initialisation and
/// tear-down are as for every module, around what is here: all modules are set up and initialised before the first becomes
/// ready, and all have shut down before the first is torn down. Events reach it from its set-up to its tear-down.
///
/// Everything here runs on the main actor, which is free while a phase awaits. All three are optional to write. Conform where
/// the class is declared, or in an extension in the same target.
@MainActor public protocol AsyncModule: Module {
  /// Makes ready what others wait for.
  ///
  /// The modules in `after` are ready by then, also by way of modules that have no asynchronous phase; so are all basic
  /// modules before the first normal one begins. Independent modules become ready side by side.
  ///
  /// If it throws, or takes longer than ``PhaseLimits/becomeReady``, everything is stopped and ``ModuleManager/run(launch:limits:)``
  /// throws; a module that came late is reported and dropped, alone. When everything is stopped meanwhile, its task is cancelled.
  func becomeReady(_ context: Context) async throws

  /// Works until it is stopped.
  ///
  /// Begins as soon as ``becomeReady(_:)`` has returned. Returning early is fine and stops nothing. If it throws, everything is
  /// stopped and ``ModuleManager/run(launch:limits:)`` throws. Its task is cancelled when ``shutDown(_:)`` has returned.
  func run(_ context: Context) async throws

  /// Undoes ``becomeReady(_:)`` and brings ``run(_:)`` to an end.
  ///
  /// Called exactly once if ``becomeReady(_:)`` was called, also if that threw, was cancelled or did not get to its end; else never.
  /// Everything that waits for this module in `after`, and every normal module before the first basic one, has shut down by then.
  /// Independent modules shut down side by side. Its own task is not cancelled when that of the caller of `run` is.
  ///
  /// If it throws that is reported; if it takes longer than ``PhaseLimits/shutDown`` that is reported, its task is cancelled and
  /// not waited for. The others go on in both cases.
  func shutDown(_ context: Context) async throws
}

extension AsyncModule {
  public func becomeReady(_ context: Context) async throws {}
  public func run(_ context: Context) async throws {}
  public func shutDown(_ context: Context) async throws {}

  /// Not API.
  public static var __hasAsyncPhases: Bool { true }
}
