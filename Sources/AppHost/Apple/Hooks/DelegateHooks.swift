#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !canImport(UIKit))
import Foundation
public import Lifecycle
internal import Registry
import UserNotifications
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// Hooks that pass the calls of an app's own delegates to modules, without changes to the
/// delegates.
///
/// ```swift
/// // At the top of main.swift, in `static func main()`, or in a SwiftUI app's `init`.
/// DelegateHooks.install()
/// UIApplicationMain(
///   CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
/// ```
///
/// If a notification reports an event, the hooks observe it. They wrap the other methods in place
/// when the app sets a delegate: a call runs the modules, then the delegate's own method, and then
/// the modules that subscribed for that time (``/Lifecycle/HandlerTiming``). The delegate keeps its
/// identity and its class, and hooks of other libraries stay in effect, installed earlier or later.
/// The hooks add a method only if a module subscribed to its event. They call a completion once,
/// with the combined outcome of the delegate and all modules.
///
/// The hooks leave delegates alone that trigger the events themselves, such as
/// ``ModuleAppDelegate``.
@MainActor public final class DelegateHooks {
  private static var installed: DelegateHooks?

  /// The host that triggers the events.
  public let host: SystemEventHost
  let startsModules: Bool
  let hooks: MethodHooks<ObjectiveCMethodTable>

  /// Installs the hooks, once in a process.
  ///
  /// Call it before the app has a delegate, so that the system queries the delegate for the methods
  /// that the hooks add. If you call it later, it wraps the current delegate, sets it again, and
  /// starts the modules at once, without the options of the launch.
  ///
  /// - Parameters:
  ///   - modules: The manager of the modules that receive the events.
  ///   - startsModules: A Boolean value that indicates whether the hooks start the modules before
  ///     the delegate receives the launch. An error of the start is reported
  ///     (`start-failed`).
  ///   - timeLimit: The number of seconds that modules and the delegate have to answer where there
  ///     is a completion.
  /// - Returns: The hooks that were installed first. If they have another manager, the call reports
  ///   that (`duplicate`), and the modules of the new one receive no
  ///   events.
  @discardableResult public static func install(
    _ modules: ModuleManager = .shared, startsModules: Bool = true, timeLimit: Double = 25
  ) -> DelegateHooks {
    if let installed {
      if installed.host.modules !== modules {
        modules.report(
          Diagnostic(
            severity: .error, code: .duplicate, subject: "DelegateHooks", image: nil,
            message:
              "the hooks are already installed for another manager, so this one receives no events; use one manager"))
      }
      return installed
    }
    let hooks = DelegateHooks(SystemEventHost(modules, timeLimit: timeLimit), startsModules)
    installed = hooks
    ModuleManager.ofApp = modules
    hooks.begin()
    // Wraps the delegates that the app has set before.
    hooks.update()
    return hooks
  }

  private init(_ host: SystemEventHost, _ startsModules: Bool) {
    self.host = host
    self.startsModules = startsModules
    hooks = MethodHooks(ObjectiveCMethodTable(), host.modules.sharedHostState.links)
  }

  /// Wraps the methods of events that modules have subscribed to in the meantime.
  ///
  /// The call sets the delegates of the app, of its scenes, and of the notification center again,
  /// so that the system queries their methods again. If a module needs a delegate of the
  /// notification center and it has none, it receives a ``ModuleNotificationDelegate``.
  ///
  /// Call it after opening an image with modules while the app runs.
  public func update() { SystemDelegates().refreshDelegates(host) }

  private func begin() {
    #if canImport(UIKit)
    watch(UIApplication.self, .application)
    watch(UIScene.self, .scene)
    host.modules.sharedHostState.hasSceneDelegates = true
    observe(UIScene.didDisconnectNotification, .sceneDidDisconnect)
    observe(UIScene.didActivateNotification, .sceneDidBecomeActive)
    observe(UIScene.willDeactivateNotification, .sceneWillResignActive)
    observe(UIScene.willEnterForegroundNotification, .sceneWillEnterForeground)
    observe(UIScene.didEnterBackgroundNotification, .sceneDidEnterBackground)
    let delegate = UIApplication.running?.delegate
    #else
    watch(NSApplication.self, .desktopApplication)
    let delegate = NSApp?.delegate
    #endif
    watch(UNUserNotificationCenter.self, .notificationCenter)
    host.observeApplication()
    // A delegate of this package starts the modules itself.
    if let delegate, !hooks.modulesAreNotified(by: delegate, Self.firstMethod) { startOnce(LaunchOptions()) }
  }

  #if canImport(UIKit)
  /// The first method that the system calls during the launch.
  private static let firstMethod = "application:willFinishLaunchingWithOptions:"

  /// Triggers an event for a scene's notification, unless a delegate of this package does so in a
  /// method.
  private func observe(_ name: Notification.Name, _ event: Event<AppScene, Void>) {
    guard let method = DelegateMethod.all(of: .scene).first(where: { $0.event == "\(event.id)" }) else { return }
    SystemEventHost.observe(name) { [self] object in
      guard let scene = object as? UIScene, !hooks.modulesAreNotified(by: scene.delegate, method.selector) else {
        return
      }
      host.trigger(event, AppScene(scene))
    }
  }
  #else
  private static let firstMethod = "applicationWillFinishLaunching:"
  #endif

  /// Wraps the methods of a delegate before it is set.
  private func adopt(_ delegate: AnyObject?, _ role: DelegateMethod.Role) {
    guard let delegate, !(delegate is any ModuleNotifier) else { return }
    if role == .application || role == .desktopApplication, let shape = hooks.table.shape(of: Self.firstMethod) {
      // Start the modules before the delegate receives its first call.
      hooks.wrap(Self.firstMethod, of: delegate, isWanted: startsModules) { hook in
        hook.replacement(shape, otherwise: true as NSNumber) { [unowned self] arguments, own in
          let launch: [LaunchOptions] = EventHook.payloads(arguments)
          startOnce(launch.first ?? LaunchOptions())
          return own.map { $0(arguments) } ?? true as NSNumber
        }
      }
    }
    let wanted = host.modules.subscribedEvents.union(["\(Event.didFinishLaunching.id)"])
    for method in DelegateMethod.all(of: role) where !method.isNotified {
      guard let shape = hooks.table.shape(of: method.selector) else { continue }
      let path: LinkQueue.Path = role == .notificationCenter ? .notificationCenter : .hooks
      let hook = EventHook(hooks: self, path: path, shape: shape) { [hooks] in
        hooks.wrap(method.selector, of: delegate, isWanted: method.isWanted(by: wanted), $0)
      }
      SystemEvent.all.first { $0.id == method.event }?.visit(hook)
    }
  }

  /// Wraps the setter of a class's delegate.
  private func watch(_ type: AnyClass, _ role: DelegateMethod.Role) {
    hooks.wrap("setDelegate:", in: ObjectiveCMethodTable.Class(type: type), isWanted: true) { hook in
      let shape = MethodShape(result: .none, argumentCount: 1)
      return hook.replacement(shape, later: { Self.setAgain($0, $1[0]) }) { [unowned self] arguments, own in
        adopt(arguments[0], role)
        return own?(arguments)
      }
    }
  }

  /// Sets a delegate that was set on another thread again, on the main thread.
  ///
  /// The call does nothing if the object has another delegate by now.
  private static func setAgain(_ object: AnyObject, _ delegate: AnyObject?) {
    guard let object = object as? NSObject, let delegate,
      object.value(forKey: "delegate") as AnyObject? === delegate
    else { return }
    object.setValue(delegate, forKey: "delegate")
  }

  /// Starts the modules unless they were started already or the app starts them itself.
  func startOnce(_ launch: LaunchOptions) {
    if startsModules { host.startOnce(launch) }
  }
}
#endif
