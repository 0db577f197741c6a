#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation
import Lifecycle
import Registry
import UserNotifications

extension DelegateHooks {
  static var protocols: [Protocol] {
    [(any NSApplicationDelegate).self as AnyObject, (any UNUserNotificationCenterDelegate).self as AnyObject]
      .compactMap { $0 as? Protocol }
  }

  func begin() {
    watch(NSApplication.self, .desktopApplication)
    watch(UNUserNotificationCenter.self, .notificationCenter)
    host.observeApplication()
    startLate(NSApp?.delegate, "applicationWillFinishLaunching:")
  }

  /// Returns a Boolean value that indicates whether the hooks need a method without any subscriber.
  func isNeeded(_ method: DelegateMethod) -> Bool { method.selector == "applicationDidFinishLaunching:" }

  /// Starts the modules before the delegate receives its first call.
  func wrapLaunch(of delegate: AnyObject) {
    hooks.wrap("applicationWillFinishLaunching:", of: delegate, isWanted: startsModules) { hook in
      hook.void1 { [unowned self] notification, original in
        startOnce(LaunchOptions((notification as? NSNotification)?.userInfo))
        original()
      }
    }
  }

  /// Creates the replacement for a delegate's method.
  func implementation(of method: DelegateMethod, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    let (host, modules) = (host, host.modules)
    switch method.selector {
    case _ where method.role == .notificationCenter:
      return NotificationHooks.implementation(of: method.selector, hook, host)
    case "applicationDidFinishLaunching:":
      return hook.void1 { [unowned self] notification, original in
        let launch = LaunchOptions((notification as? NSNotification)?.userInfo)
        startOnce(launch)
        SystemDelegates().installNotificationDelegateIfWanted(host)
        modules.trigger(.didFinishLaunching, launch) { _ in
          original()
          return true
        }
      }
    case "application:openURLs:":
      return hook.void2 { _, urls, original in
        // Each link is an event, but the delegate is called once, after the modules.
        for url in urls as? [URL] ?? [] {
          host.deliver(.openURL, OpenedURL(desktop: url), by: .hooks)
        }
        original()
      }
    case "application:didReceiveRemoteNotification:":
      return hook.void2 { _, info, original in
        let userInfo = [String: PropertyValue](userInfo: info as? [AnyHashable: Any] ?? [:])
        host.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: userInfo)) { _ in }
        original()
      }
    default: return commonMethod(method.selector, hook) ?? hook.void2 { _, _, original in original() }
    }
  }
}
#endif
