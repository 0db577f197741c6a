#if os(watchOS)
public import CloudKit
public import Foundation
public import Lifecycle
internal import Registry
public import WatchKit

/// An app delegate that triggers the events of WatchKit.
///
/// Subclass it, or use it as it is.
///
/// ```swift
/// @WKApplicationDelegateAdaptor(ModuleAppDelegate.self) var appDelegate   // in a SwiftUI app
/// ```
///
/// The delegate starts the modules in `applicationDidFinishLaunching()`, unless a view has started
/// them. It derives the events of the app's state from notifications, as views do. It responds to
/// another method only if a module subscribed to its event or a subclass overrides it. An override
/// calls `super` to pass the event on to the modules.
@MainActor open class ModuleAppDelegate: NSObject, WKApplicationDelegate, MethodAdvertiser {
  /// The manager of the modules.
  ///
  /// It is ``/Lifecycle/ModuleManager/shared`` unless a subclass overrides the property.
  open var modules: ModuleManager { .shared }

  /// The host that triggers the events.
  public private(set) lazy var host = SystemEventHost(modules)

  /// The objects that receive calls of methods for which there is no event.
  ///
  /// An example is `handleUserActivity(_:)`, which receives no activity.
  ///
  /// The first object that has the method receives the call. The delegate retains the objects.
  public var forwardingTargets: [any WKApplicationDelegate] = [] {
    didSet {
      forwarded.forward(to: forwardingTargets)
      updateAdvertisedMethods()
    }
  }

  nonisolated let forwarded = ForwardedMethods(.watchApplication, of: (any WKApplicationDelegate).self)

  lazy var advertised = AdvertisedMethods(
    .watchApplication, of: modules, always: ["applicationDidFinishLaunching"], observesNotifications: true)

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

  /// Makes the system query the methods of the notification center's delegate again.
  ///
  /// Call it after opening or closing images with modules. WatchKit does not allow setting the
  /// delegate of the app, so this method cannot make it query the methods of that delegate again.
  public func updateAdvertisedMethods() { SystemDelegates().refreshDelegates(host) }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    advertises(selector, hasMethod: super.responds(to: selector), of: ModuleAppDelegate.self)
  }

  /// Returns the object that receives a method that the delegate does not have.
  open nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
    forwarded.target(for: selector) ?? super.forwardingTarget(for: selector)
  }

  // MARK: - Life cycle

  /// Starts the modules, and triggers the event of the launch.
  open func applicationDidFinishLaunching() {
    let options = LaunchOptions()
    host.observeApplication()
    host.startForDelegate(options, SystemDelegates(), startModules, onFailure: modulesFailedToStart)
    host.trigger(.didFinishLaunching, options)
  }

  // MARK: - Notifications

  open func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
    host.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error) {
    host.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  open func didReceiveRemoteNotification(
    _ userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void
  ) {
    host.trigger(
      .didReceiveRemoteNotification, RemoteNotification(userInfo: [String: PropertyValue](userInfo: userInfo))
    ) {
      completionHandler(WKBackgroundFetchResult(rawValue: $0.systemValue) ?? .noData)
    }
  }

  // MARK: - User activity

  open func handle(_ userActivity: NSUserActivity) {
    host.deliver(.continueUserActivity, UserActivity(userActivity), by: .appDelegate)
  }

  open func userDidAcceptCloudKitShare(with cloudKitShareMetadata: CKShare.Metadata) {
    host.deliver(.userDidAcceptCloudKitShare, CloudKitShare(cloudKitShareMetadata), by: .appDelegate)
  }

  // MARK: - Background

  /// Triggers an event for each background session, and completes every task.
  ///
  /// Modules receive the tasks of background sessions. An override handles and completes tasks of
  /// other kinds, and passes the rest to `super`, which completes each of them.
  open func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
    host.handle(backgroundTasks.map { WatchRefreshTask(task: $0) })
  }
}
#endif
