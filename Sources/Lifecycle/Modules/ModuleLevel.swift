/// A module's level, which takes precedence over its priority.
@nonexhaustive public enum ModuleLevel: Sendable {
  /// A module that other modules build on. Basic modules precede normal ones.
  case basic
  /// Any other module.
  case normal
}

/// The time at which a module is created and set up.
@nonexhaustive public enum ModuleActivation: Sendable {
  /// The start of the manager, or immediately for a module that is added later.
  case atLaunch
  /// The first event that the module handles, right before the event reaches it.
  ///
  /// Until then, the module costs no more than its subscriptions. Without an event, it is never
  /// created. Modules that the same event activates are set up in module order. A module that
  /// throws is reported and removed, like a module that was added after the start.
  ///
  /// A module that is created at launch doesn't activate modules in its `after`; that combination
  /// is reported as `activation-conflict`.
  case onFirstEvent
}

/// The time at which a module is initialized.
@nonexhaustive public enum ModuleInitialization: Sendable {
  /// The start of the manager, after all modules are set up, or right after a later setup.
  case inStart
  /// The main actor's next turn after the start, so that the start returns earlier.
  ///
  /// The module is initialized before its `didFinishStarting`. If it throws, it is torn down,
  /// removed, and reported, and the other modules continue. An ``AsyncModule`` always uses
  /// ``inStart``, because it becomes ready after its initialization.
  case inNextTurn
}
