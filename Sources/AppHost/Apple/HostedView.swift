#if canImport(SwiftUI) && canImport(ObjectiveC)
internal import Foundation
public import Lifecycle
public import SwiftUI

extension View {
  /// Starts the modules, and triggers the events of the app and of the view's scene.
  ///
  /// ```swift
  /// WindowGroup { ContentView().modules() }
  /// ```
  ///
  /// Apply the modifier once, to the root view of each scene. If the modules aren't running yet,
  /// they start when the modifier is applied to the first scene's view, after the view's
  /// initializer and before its body. Their asynchronous phases continue in the background. The
  /// events cover the app's state, the scene's phases, links (`Event.openLink`), and user
  /// activities: web pages, Spotlight results, and the types in the `Info.plist`.
  ///
  /// SwiftUI passes quick actions, device tokens, and remote notifications only to delegates. An
  /// app that needs them also uses a ``ModuleAppDelegate``; modules still receive every event once.
  ///
  /// - Parameters:
  ///   - modules: The manager of the modules. If nil, the manager of the app's delegate or hooks,
  ///     or ``/Lifecycle/ModuleManager/shared`` if the app has neither.
  ///   - scene: The identity of the scene. If nil, each scene gets a new identity with every
  ///     launch.
  @MainActor public func modules(_ modules: ModuleManager? = nil, scene: AppScene? = nil) -> some View {
    modifier(HostedView(modules ?? .ofApp, scene ?? AppScene(identifier: UUID().uuidString)))
  }
}

private struct HostedView: ViewModifier {
  @Environment(\.scenePhase) private var phase
  /// Stored as state, because SwiftUI recreates the modifier for every update.
  @State private var hosted: HostedScene

  @MainActor init(_ modules: ModuleManager, _ scene: AppScene) {
    // Start here, not when the view appears. SwiftUI evaluates the content's body in between, and
    // the body can use the modules' services.
    modules.startOnce()
    modules.observeApplication()
    _hosted = State(wrappedValue: HostedScene(modules, scene))
  }

  func body(content: Content) -> some View {
    let view =
      content
      .onAppear { hosted.enter(phase) }
      #if os(visionOS)
    .onChange(of: phase) { hosted.enter($1) }
      #else
    .onChange(of: phase) { hosted.enter($0) }
      #endif
      .onOpenURL {
        #if os(macOS)
        let opened = OpenedURL(desktop: $0, scene: hosted.scene)
        #else
        let opened = OpenedURL($0, scene: hosted.scene)
        #endif
        hosted.modules.deliver(.openURL, opened, by: .openURL)
      }
    return UserActivity.types(Bundle.main.infoDictionary).reduce(AnyView(view)) { view, type in
      AnyView(
        view.onContinueUserActivity(type) {
          hosted.modules.deliver(.continueUserActivity, UserActivity($0, in: hosted.scene), by: .userActivity)
        })
    }
  }
}

@MainActor private final class HostedScene {
  let modules: ModuleManager
  let scene: AppScene
  private var phase = AppScene.Phase.background

  init(_ modules: ModuleManager, _ scene: AppScene) {
    self.modules = modules
    self.scene = scene
  }

  func enter(_ next: ScenePhase) {
    let phases: [ScenePhase: AppScene.Phase] = [.background: .background, .inactive: .inactive, .active: .active]
    // A handler can make the scene enter another phase, so no access to the property may be in
    // progress during the events.
    if let next = phases[next] { modules.scene(scene, has: phase.enter(next)) }
  }
}
#endif
