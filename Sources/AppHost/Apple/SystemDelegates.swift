#if canImport(UIKit) || canImport(AppKit)
import Foundation
public import Lifecycle
import UserNotifications
#if os(watchOS)
import WatchKit
#elseif canImport(UIKit)
import UIKit
#else
import AppKit
#endif

extension ModuleManager {
  /// Makes the system query the methods of all delegates again.
  ///
  /// The app, its scenes, and the notification center have delegates. Call the method after you
  /// open or close images with modules. This package's delegates then advertise the methods that
  /// modules need, and ``DelegateHooks`` wrap other delegates' methods. The notification center
  /// receives a ``ModuleNotificationDelegate`` if a module needs it, the center has no delegate,
  /// and the app or a scene has a delegate. WatchKit doesn't allow setting the app's delegate, so
  /// on watchOS, the method affects only the notification center.
  public func updateDelegates() { SystemDelegates().refreshDelegates(self) }
}

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

  func installNotificationDelegate(_ modules: ModuleManager) { ModuleNotificationDelegate.install(modules) }
}

@MainActor private protocol DelegateProperty: DelegateOwner {
  associatedtype Delegate
  var delegate: Delegate? { get set }
}

extension DelegateProperty {
  var hasDelegate: Bool { delegate != nil }

  func resetDelegate() {
    // Keep the delegate alive, because the notification center doesn't retain it.
    let current = delegate
    delegate = nil
    delegate = current
  }
}

#if os(watchOS)
extension WKApplication: DelegateOwner {
  var hasDelegate: Bool { delegate != nil }

  func resetDelegate() {
    // The property is read-only: WatchKit or SwiftUI sets the delegate during the launch.
  }
}
#elseif canImport(UIKit)
extension UIApplication: DelegateProperty {
  /// The running app, or nil before it runs or in an app extension, which must not use
  /// `UIApplication.shared`.
  static var running: UIApplication? {
    let selector = NSSelectorFromString("sharedApplication")
    guard UIApplication.responds(to: selector) else { return nil }
    return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
  }

  /// The delegate that `resetDelegate()` set last. When the property changes, UIKit releases the
  /// delegate that it created, and doesn't retain the new delegate.
  private static var keptDelegate: (any UIApplicationDelegate)?

  func resetDelegate() {
    guard let current = delegate else { return }
    Self.keptDelegate = current
    delegate = nil
    delegate = current
  }
}
extension UIScene: DelegateProperty {}
#else
extension NSApplication: DelegateProperty {}
#endif
extension UNUserNotificationCenter: DelegateProperty {}
#endif
