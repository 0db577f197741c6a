#if canImport(SwiftUI) && canImport(ObjectiveC)
internal import Foundation
public import Lifecycle
public import SwiftUI

extension View {
  /// Tells modules what happens to the scene that the view is in: its phases, links to open, and links to web pages.
  ///
  /// ```swift
  /// WindowGroup { ContentView().scenePhaseEvents() }
  /// ```
  ///
  /// For apps whose scenes nobody else tells of: with ``ModuleSceneDelegate`` or ``DelegateHooks`` modules would hear of everything twice.
  /// On the root view of each scene. From `background` to `active` modules hear of both steps, in UIKit's order.
  ///
  /// - Parameters:
  ///   - modules: Who is told; ``Lifecycle/ModuleManager/shared`` if nil.
  ///   - scene: What the scene is called; one of its own for each if nil, anew with each launch.
  @MainActor public func scenePhaseEvents(for modules: ModuleManager? = nil, scene: AppScene? = nil) -> some View {
    modifier(ScenePhaseEvents(modules ?? .shared, scene ?? AppScene(identifier: UUID().uuidString)))
  }
}

private struct ScenePhaseEvents: ViewModifier {
  @Environment(\.scenePhase) private var phase
  /// As of the first time: a view is made again and again.
  @State private var told: ToldScene

  @MainActor init(_ modules: ModuleManager, _ scene: AppScene) {
    _told = State(wrappedValue: ToldScene(SystemEventHost(modules), scene))
  }

  func body(content: Content) -> some View {
    content
      .onAppear { told.enter(phase) }
      #if os(visionOS)
    .onChange(of: phase) { told.enter($1) }
      #else
    .onChange(of: phase) { told.enter($0) }
      #endif
      .onOpenURL { told.host.trigger(.sceneOpenURL, SceneURL(told.scene, OpenedURL($0))) }
      .onContinueUserActivity(UserActivity.browsingWeb) {
        told.host.trigger(.sceneContinueUserActivity, SceneUserActivity(told.scene, UserActivity($0)))
      }
  }
}

/// A scene of which modules were told.
@MainActor private final class ToldScene {
  let host: SystemEventHost
  let scene: AppScene
  private var life = SceneLife()

  init(_ host: SystemEventHost, _ scene: AppScene) {
    self.host = host
    self.scene = scene
  }

  func enter(_ phase: ScenePhase) {
    switch phase {
    case .background: host.scene(scene, enters: .background, &life)
    case .inactive: host.scene(scene, enters: .inactive, &life)
    case .active: host.scene(scene, enters: .active, &life)
    @unknown default: break
    }
  }
}
#endif
