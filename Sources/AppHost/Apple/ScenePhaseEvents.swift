#if canImport(SwiftUI) && canImport(ObjectiveC)
internal import Foundation
public import Lifecycle
public import SwiftUI

extension View {
  /// Triggers the events of the view's scene.
  ///
  /// The events are those of the scene's phases, of links to open, and of links to web pages.
  ///
  /// ```swift
  /// WindowGroup { ContentView().scenePhaseEvents() }
  /// ```
  ///
  /// Apply it to the root view of each scene. Do not use it with ``ModuleSceneDelegate`` or
  /// ``DelegateHooks``, which would trigger every event twice. From `background` to `active`,
  /// modules receive both steps in UIKit's order.
  ///
  /// - Parameters:
  ///   - modules: The manager of the modules; ``/Lifecycle/ModuleManager/shared`` if nil.
  ///   - scene: The identity of the scene. If nil, each scene has one that is new with every
  ///     launch.
  @MainActor public func scenePhaseEvents(for modules: ModuleManager? = nil, scene: AppScene? = nil) -> some View {
    modifier(ScenePhaseEvents(modules ?? .shared, scene ?? AppScene(identifier: UUID().uuidString)))
  }
}

private struct ScenePhaseEvents: ViewModifier {
  @Environment(\.scenePhase) private var phase
  /// The scene as state, because SwiftUI creates the modifier again for every update.
  @State private var tracked: TrackedScene

  @MainActor init(_ modules: ModuleManager, _ scene: AppScene) {
    _tracked = State(wrappedValue: TrackedScene(SystemEventHost(modules), scene))
  }

  func body(content: Content) -> some View {
    content
      .onAppear { tracked.enter(phase) }
      #if os(visionOS)
    .onChange(of: phase) { tracked.enter($1) }
      #else
    .onChange(of: phase) { tracked.enter($0) }
      #endif
      .onOpenURL { tracked.host.trigger(.sceneOpenURL, SceneURL(tracked.scene, OpenedURL($0))) }
      .onContinueUserActivity(UserActivity.browsingWeb) {
        tracked.host.trigger(.sceneContinueUserActivity, SceneUserActivity(tracked.scene, UserActivity($0)))
      }
  }
}

/// A scene whose changes modules receive.
@MainActor private final class TrackedScene {
  let host: SystemEventHost
  let scene: AppScene
  private var tracker = ScenePhaseTracker()

  init(_ host: SystemEventHost, _ scene: AppScene) {
    self.host = host
    self.scene = scene
  }

  func enter(_ phase: ScenePhase) {
    switch phase {
    case .background: host.scene(scene, enters: .background, &tracker)
    case .inactive: host.scene(scene, enters: .inactive, &tracker)
    case .active: host.scene(scene, enters: .active, &tracker)
    @unknown default: break
    }
  }
}
#endif
