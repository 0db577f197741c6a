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

  /// An event between two phases.
  package enum Step: Sendable, Hashable {
    case willEnterForeground
    case didBecomeActive
    case willResignActive
    case didEnterBackground
  }

  /// The phase that was entered last.
  package private(set) var phase = Phase.background

  package init() {}

  /// Enters a phase.
  ///
  /// - Returns: The events in order. The array is empty if the scene is in the phase already.
  package mutating func enter(_ next: Phase) -> [Step] {
    defer { phase = next }
    return switch (phase, next) {
    case (.background, .inactive): [.willEnterForeground]
    case (.background, .active): [.willEnterForeground, .didBecomeActive]
    case (.inactive, .active): [.didBecomeActive]
    case (.active, .inactive): [.willResignActive]
    case (.inactive, .background): [.didEnterBackground]
    case (.active, .background): [.willResignActive, .didEnterBackground]
    case (.background, .background), (.inactive, .inactive), (.active, .active): []
    }
  }
}

extension SystemEventHost {
  /// Triggers the events of a scene that enters a phase, unless a delegate or hooks do so.
  package func scene(_ scene: AppScene, enters phase: ScenePhaseTracker.Phase, _ tracker: inout ScenePhaseTracker) {
    for step in tracker.enter(phase) where !modules.sharedHostState.hasSceneDelegates {
      switch step {
      case .willEnterForeground: trigger(.sceneWillEnterForeground, scene)
      case .didBecomeActive: trigger(.sceneDidBecomeActive, scene)
      case .willResignActive: trigger(.sceneWillResignActive, scene)
      case .didEnterBackground: trigger(.sceneDidEnterBackground, scene)
      }
    }
  }
}
