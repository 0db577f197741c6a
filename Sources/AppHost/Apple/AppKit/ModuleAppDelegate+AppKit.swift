#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import CloudKit
public import Foundation
public import Lifecycle
import Registry

/// An app delegate that triggers the events of AppKit.
///
/// Subclass it, or use it as it is.
///
/// ```swift
/// @main final class AppDelegate: ModuleAppDelegate {}
///
/// @NSApplicationDelegateAdaptor(ModuleAppDelegate.self) var appDelegate   // in a SwiftUI app
/// ```
///
/// The delegate starts the modules in `applicationWillFinishLaunching(_:)`. It derives the events
/// of the app's state from notifications, as hooks and views do. It responds to another method only
/// if a module subscribed to its event or a subclass overrides it. An override calls `super` to
/// pass the event on to the modules.
@MainActor open class ModuleAppDelegate: NSObject, NSApplicationDelegate, MethodAdvertiser {
  /// The manager of the modules.
  ///
  /// It is ``/Lifecycle/ModuleManager/shared`` unless a subclass overrides the property.
  open var modules: ModuleManager { .shared }

  /// The host that triggers the events.
  public private(set) lazy var host = SystemEventHost(modules)

  /// The objects that receive calls of methods for which there is no event.
  ///
  /// An example is `applicationShouldTerminate(_:)`.
  ///
  /// The first object that has the method receives the call. The delegate retains the objects.
  public var forwardingTargets: [any NSApplicationDelegate] = [] {
    didSet {
      forwarded.forward(to: forwardingTargets)
      updateAdvertisedMethods()
    }
  }

  nonisolated let forwarded = ForwardedMethods(.desktopApplication, of: (any NSApplicationDelegate).self)

  lazy var advertised = AdvertisedMethods(
    .desktopApplication, of: modules, always: ["applicationDidFinishLaunching:"], observesNotifications: true)

  /// Starts the modules, whose asynchronous phases continue in the background.
  ///
  /// Modules receive events when the method returns. If an asynchronous phase fails later, the
  /// modules are stopped, and ``modulesFailedToStart(_:)`` receives the error.
  ///
  /// - Parameter launch: The value of ``/Lifecycle/Context/launch``.
  /// - Throws: The error to pass to ``modulesFailedToStart(_:)``.
  open func startModules(launch: ContextValues) throws {
    try modules.runInBackground(launch: launch) { [weak self] error in self?.modulesFailedToStart(error) }
  }

  /// Reports the error of the start, or the failure of an asynchronous phase.
  ///
  /// The diagnostic has the code ``Registry/Diagnostic/Code/startFailed``. Override the method to
  /// handle the error in another way.
  open func modulesFailedToStart(_ error: any Error) { modules.report(.startFailed(error)) }

  /// Makes the system query the methods of all delegates again.
  ///
  /// The delegates are those of the app and of the notification center. Call it after opening or
  /// closing images with modules.
  public func updateAdvertisedMethods() { SystemDelegates().refreshDelegates(host) }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    advertises(selector, hasMethod: super.responds(to: selector), of: ModuleAppDelegate.self)
  }

  /// Returns the object that receives a method that the delegate does not have.
  open nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
    forwarded.target(for: selector) ?? super.forwardingTarget(for: selector)
  }

  private func startOnce(_ options: LaunchOptions) {
    host.observeApplication()
    host.startForDelegate(options, SystemDelegates(), startModules, onFailure: modulesFailedToStart)
  }

  /// Starts the modules.
  open func applicationWillFinishLaunching(_ notification: Notification) {
    startOnce(LaunchOptions(notification.userInfo))
  }

  /// Triggers the event of the launch, after starting the modules if needed.
  open func applicationDidFinishLaunching(_ notification: Notification) {
    let options = LaunchOptions(notification.userInfo)
    startOnce(options)
    host.trigger(.didFinishLaunching, options)
  }

  /// Triggers an event for each link.
  open func application(_ application: NSApplication, open urls: [URL]) {
    for url in urls { host.deliver(.openURL, OpenedURL(desktop: url), by: .appDelegate) }
  }

  open func application(
    _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    host.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func application(
    _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    host.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  /// Triggers the event of a remote notification. AppKit takes no outcome.
  open func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
    host.trigger(
      .didReceiveRemoteNotification, RemoteNotification(userInfo: [String: PropertyValue](userInfo: userInfo))
    ) { _ in }
  }

  open func application(_ application: NSApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    host.trigger(.willContinueUserActivity, userActivityType)
  }

  /// Triggers the event of an activity.
  ///
  /// The handler is called once, with the objects that modules supplied
  /// (`UserActivity.restore(with:)`), or not at all if they supplied none.
  open func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    let restoration = ActivityRestoration { restorationHandler($0.compactMap { $0 as? any NSUserActivityRestoring }) }
    return host.deliver(.continueUserActivity, UserActivity(userActivity, restoration), by: .appDelegate)
  }

  open func application(
    _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    host.trigger(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {
    host.trigger(.didUpdateUserActivity, UserActivity(userActivity))
  }

  open func application(
    _ application: NSApplication, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata
  ) {
    host.deliver(.userDidAcceptCloudKitShare, CloudKitShare(metadata), by: .appDelegate)
  }
}

extension NSApplication {
  /// Sets the delegate again, so that AppKit queries its methods again.
  func resetDelegate() {
    guard let current = delegate else { return }
    delegate = nil
    delegate = current
  }
}
#endif
