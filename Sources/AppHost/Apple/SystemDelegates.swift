#if canImport(UIKit) || canImport(AppKit)
import Foundation
import Lifecycle
import UserNotifications
#if os(watchOS)
import WatchKit
#elseif canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The objects of UIKit, AppKit, or WatchKit that have delegates.
struct SystemDelegates: DelegateSystem {
  #if os(watchOS)
  var owners: [any DelegateOwner] { [WKApplication.shared()] }
  #elseif canImport(UIKit)
  var owners: [any DelegateOwner] {
    guard let application = UIApplication.running else { return [] }
    return [application] + application.connectedScenes.map { $0 }
  }
  #else
  var owners: [any DelegateOwner] { NSApp.map { [$0] } ?? [] }
  #endif

  var notificationCenter: (any DelegateOwner)? {
    Bundle.main.bundleIdentifier == nil ? nil : UNUserNotificationCenter.current()
  }

  var hasNotificationDelegate: Bool { ModuleNotificationDelegate.isCreated }

  func installNotificationDelegate(_ host: SystemEventHost) { ModuleNotificationDelegate.install(host) }
}

#if os(watchOS)
extension WKApplication: DelegateOwner {
  var hasDelegate: Bool { delegate != nil }

  func resetDelegate() {
    // The property is read-only: WatchKit or SwiftUI sets the delegate when the app is launched.
  }
}
#elseif canImport(UIKit)
extension UIApplication: DelegateOwner {
  var hasDelegate: Bool { delegate != nil }
}

extension UIScene: DelegateOwner {
  var hasDelegate: Bool { delegate != nil }

  func resetDelegate() {
    let current = delegate
    delegate = nil
    delegate = current
  }
}
#else
extension NSApplication: DelegateOwner {
  var hasDelegate: Bool { delegate != nil }
}
#endif

extension UNUserNotificationCenter: DelegateOwner {
  var hasDelegate: Bool { delegate != nil }

  func resetDelegate() {
    // The center does not retain its delegate.
    let current = delegate
    delegate = nil
    delegate = current
  }
}
#endif
