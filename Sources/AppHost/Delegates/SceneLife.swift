/// What happens to a scene from one phase to the next, where a system tells the phases alone.
///
/// SwiftUI's `ScenePhase` does: from `background` to `active` a scene enters the foreground and becomes active, and nobody says so one by
/// one. The order is UIKit's.
package struct SceneLife: Sendable {
  /// SwiftUI's phases.
  package enum Phase: Sendable, Hashable, CaseIterable {
    case background
    case inactive
    case active
  }

  /// What happens on the way.
  package enum Step: Sendable, Hashable {
    case willEnterForeground
    case didBecomeActive
    case willResignActive
    case didEnterBackground
  }

  /// The phase that was told last; before that a scene is not seen.
  package private(set) var phase = Phase.background

  package init() {}

  /// Takes note of a phase.
  ///
  /// - Returns: What happened, in order; nothing if it is the phase that it is in.
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
  /// Passes on what happens to a scene as it enters a phase.
  package func scene(_ scene: AppScene, enters phase: SceneLife.Phase, _ life: inout SceneLife) {
    for step in life.enter(phase) {
      switch step {
      case .willEnterForeground: trigger(.sceneWillEnterForeground, scene)
      case .didBecomeActive: trigger(.sceneDidBecomeActive, scene)
      case .willResignActive: trigger(.sceneWillResignActive, scene)
      case .didEnterBackground: trigger(.sceneDidEnterBackground, scene)
      }
    }
  }
}
