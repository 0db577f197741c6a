#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !canImport(UIKit))
import Foundation
import Lifecycle
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension SystemEventHost {
  /// Triggers the events of the app that UIKit or AppKit posts as notifications.
  ///
  /// In an app with scenes, UIKit does not call `applicationDidBecomeActive(_:)` and its
  /// counterparts. It posts the notifications whether or not the app uses scenes, according to the
  /// documentation of these methods. AppKit does both, and an app with only views has no delegate.
  func observeApplication() {
    #if canImport(UIKit)
    observe(UIApplication.didBecomeActiveNotification, .didBecomeActive)
    observe(UIApplication.willResignActiveNotification, .willResignActive)
    observe(UIApplication.didEnterBackgroundNotification, .didEnterBackground) {
      $0.finishInBackground(UIKitBackgroundTime())
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
    afterwards: (@MainActor @Sendable (SystemEventHost) -> Void)? = nil
  ) {
    observe(event, afterwards: afterwards) { posted in
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
        // Systems post these on the main thread, so ignore a notification on another one.
        if Thread.isMainThread { MainActor.assumeIsolated(posted) }
      }
    }
  }
}
#endif
