package import Lifecycle

extension AppScene {
  /// The phase of a scene in a system that reports only phases, such as SwiftUI.
  package enum Phase: Int, Sendable {
    case background
    case inactive
    case active

    /// Enters another phase, and returns the events in UIKit's order.
    ///
    /// For example, a scene whose phase changes from `background` to `active` enters the foreground
    /// and becomes active. There are no events if the scene is already in the phase.
    package mutating func enter(_ next: Phase) -> [Event<AppScene, Void>] {
      defer { self = next }
      let rising: [Event<AppScene, Void>] = [.sceneWillEnterForeground, .sceneDidBecomeActive]
      let falling: [Event<AppScene, Void>] = [.sceneDidEnterBackground, .sceneWillResignActive]
      return rawValue < next.rawValue
        ? Array(rising[rawValue..<next.rawValue]) : falling[next.rawValue..<rawValue].reversed()
    }
  }
}

extension ModuleManager {
  /// Triggers the events of a scene that has entered a phase, unless notifications trigger them.
  package func scene(_ scene: AppScene, has events: [Event<AppScene, Void>]) {
    let observed = sharedHostState.observedEvents
    for event in events where !observed.contains("\(event.id)") {
      if isStarted || reportsMissed("\(event.id)") { trigger(event, scene) }
    }
  }
}

extension UserActivity {
  /// Returns the types of the user activities that a view receives, including the types that the
  /// app lists under `NSUserActivityTypes` in its `Info.plist`.
  package static func types(_ info: [String: Any]?) -> [String] {
    let own = info?["NSUserActivityTypes"] as? [String] ?? []
    var types = [browsingWeb, spotlight]
    for type in own where !types.contains(type) { types.append(type) }
    return types
  }
}
