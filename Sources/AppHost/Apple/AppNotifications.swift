#if canImport(UIKit) || canImport(AppKit)
import Foundation
import Lifecycle
#if os(watchOS)
import WatchKit
#elseif canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension ModuleManager {
  /// Triggers the app events that UIKit, AppKit, or WatchKit posts as notifications. In an app with
  /// scenes, UIKit posts the notifications but doesn't call `applicationDidBecomeActive(_:)` and
  /// similar methods of the app's delegate. A SwiftUI app can lack a delegate altogether.
  func observeApplication() {
    #if os(watchOS)
    observe(WKApplication.didBecomeActiveNotification, .didBecomeActive)
    observe(WKApplication.willResignActiveNotification, .willResignActive)
    observe(WKApplication.didEnterBackgroundNotification, .didEnterBackground) {
      $0.finishInBackground { name, expired in
        ExpiringActivity.begin(expired) { ProcessInfo.processInfo.performExpiringActivity(withReason: name, using: $0) }
      }
    }
    observe(WKApplication.willEnterForegroundNotification, .willEnterForeground)
    #elseif canImport(UIKit)
    observe(UIApplication.didBecomeActiveNotification, .didBecomeActive)
    observe(UIApplication.willResignActiveNotification, .willResignActive)
    observe(UIApplication.didEnterBackgroundNotification, .didEnterBackground) {
      // An app extension has no app object and gets no background time.
      $0.finishInBackground { name, expired in
        guard let application = UIApplication.running else { return nil }
        let task = application.beginBackgroundTask(withName: name, expirationHandler: expired)
        guard task != .invalid else { return nil }
        return { application.endBackgroundTask(task) }
      }
    }
    observe(UIApplication.willEnterForegroundNotification, .willEnterForeground)
    observe(UIApplication.willTerminateNotification, .willTerminate)
    observe(UIApplication.didReceiveMemoryWarningNotification, .didReceiveMemoryWarning)
    observe(UIApplication.significantTimeChangeNotification, .significantTimeDidChange)
    observe(UIApplication.protectedDataDidBecomeAvailableNotification, .protectedDataDidBecomeAvailable)
    observe(UIApplication.protectedDataWillBecomeUnavailableNotification, .protectedDataWillBecomeUnavailable)
    #else
    observe(NSApplication.didBecomeActiveNotification, .didBecomeActive)
    observe(NSApplication.willResignActiveNotification, .willResignActive)
    observe(NSApplication.willTerminateNotification, .willTerminate)
    observe(.NSApplicationProtectedDataDidBecomeAvailable, .protectedDataDidBecomeAvailable)
    observe(.NSApplicationProtectedDataWillBecomeUnavailable, .protectedDataWillBecomeUnavailable)
    #endif
  }

  private func observe(
    _ name: Notification.Name, _ event: Event<Void, Void>,
    afterwards: (@MainActor @Sendable (ModuleManager) -> Void)? = nil
  ) {
    observe(event, afterwards: afterwards) { posted in Self.observe(name) { _ in posted(()) } }
  }

  #if canImport(UIKit) && !os(watchOS)
  /// Triggers the scene events that UIKit posts as notifications. UIKit posts them after calling
  /// the scene delegate's methods.
  func observeScenes() {
    observe(UIScene.didDisconnectNotification, .sceneDidDisconnect)
    observe(UIScene.didActivateNotification, .sceneDidBecomeActive)
    observe(UIScene.willDeactivateNotification, .sceneWillResignActive)
    observe(UIScene.willEnterForegroundNotification, .sceneWillEnterForeground)
    observe(UIScene.didEnterBackgroundNotification, .sceneDidEnterBackground)
  }

  private func observe(_ name: Notification.Name, _ event: Event<AppScene, Void>) {
    observe(event) { posted in
      Self.observe(name) { [weak self] object in
        guard let scene = object as? UIScene else { return }
        // If the scene's delegate has a different manager, that manager triggers the event.
        if let delegate = scene.delegate as? ModuleSceneDelegate, delegate.moduleManager !== self { return }
        posted(AppScene(scene))
      }
    }
  }
  #endif

  /// Adds an observer that is never removed.
  static func observe(_ name: Notification.Name, _ posted: @escaping @MainActor @Sendable (AnyObject?) -> Void) {
    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
      // Systems post these notifications on the main thread. Ignore notifications that other code
      // posts on other threads.
      guard Thread.isMainThread else { return }
      let object = Transferred(notification.object as AnyObject?)
      MainActor.assumeIsolated { posted(object.take()) }
    }
  }
}
#endif
