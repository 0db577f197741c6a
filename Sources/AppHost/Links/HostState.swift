import Lifecycle

/// The state that the delegates, hooks, and views of one manager share.
@MainActor package final class HostState {
  package let links: LinkQueue
  /// The events that notifications trigger. SwiftUI views don't trigger these events.
  var observedEvents: Set<String> = []
  /// The events that were reported as missed because the modules were not started.
  var missedEvents: Set<String> = []

  /// True once a delegate, hooks, or a view has tried to start the modules.
  var hasTriedToStart = false

  fileprivate init(_ modules: ModuleManager) {
    links = LinkQueue(modules)
  }
}

extension ModuleManager {
  package var sharedHostState: HostState {
    if let state = hostState as? HostState { return state }
    let state = HostState(self)
    hostState = state
    return state
  }
}
