/// Which of the two groups a module is in.
public enum ModuleLevel: String, Sendable, Hashable, CaseIterable {
  /// What others stand on; comes first.
  case basic
  /// Everything else.
  case normal
}

/// When a module is made and set up.
public enum ModuleActivation: String, Sendable, Hashable, CaseIterable {
  /// When the manager starts.
  case atLaunch
  /// Right before the first event that it subscribed to reaches it, and not earlier: until then it costs nothing but its
  /// subscriptions. One that never comes leaves the module unmade.
  ///
  /// In its place in the order then; if it throws it is dropped and reported, as a module that came late is. A module that is made
  /// at launch does not wake those that its `after` names; that it names one is reported.
  case onFirstEvent
}

/// When a module is initialised.
public enum ModuleInitialization: String, Sendable, Hashable, CaseIterable {
  /// With all others, when all are set up.
  case inStart
  /// In the turn of the main loop after the start, before `didFinishStarting`, so that the start is over sooner.
  ///
  /// If it throws then, the module is torn down, dropped and reported, and the others go on. An ``AsyncModule`` is initialised with the
  /// others all the same: it becomes ready after that.
  case inNextTurn
}
