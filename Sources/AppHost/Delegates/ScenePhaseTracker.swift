package import Lifecycle

/// A translation of a scene's phases into events, for systems that report only the phases.
///
/// SwiftUI's `ScenePhase` is such a system. For example, a scene whose phase changes from
/// `background` to `active` enters the foreground and becomes active. The order of the events is
/// that of UIKit.
package struct ScenePhaseTracker: Sendable {
  /// SwiftUI's phases.
  package enum Phase: Sendable, Hashable, CaseIterable {
    case background
    case inactive
    case active
  }

  /// The phase that was entered last.
  package private(set) var phase = Phase.background

  package init() {}

  /// Enters a phase.
  ///
  /// - Returns: The events in order. The array is empty if the scene is in the phase already.
  package mutating func enter(_ next: Phase) -> [Event<AppScene, Void>] {
    defer { phase = next }
    return switch (phase, next) {
    case (.background, .inactive): [.sceneWillEnterForeground]
    case (.background, .active): [.sceneWillEnterForeground, .sceneDidBecomeActive]
    case (.inactive, .active): [.sceneDidBecomeActive]
    case (.active, .inactive): [.sceneWillResignActive]
    case (.inactive, .background): [.sceneDidEnterBackground]
    case (.active, .background): [.sceneWillResignActive, .sceneDidEnterBackground]
    case (.background, .background), (.inactive, .inactive), (.active, .active): []
    }
  }
}

extension SystemEventHost {
  /// Triggers the events of a scene that enters a phase, unless a delegate or hooks do so.
  package func scene(_ scene: AppScene, enters phase: ScenePhaseTracker.Phase, _ tracker: inout ScenePhaseTracker) {
    for event in tracker.enter(phase) where !modules.sharedHostState.hasSceneDelegates { trigger(event, scene) }
  }
}
