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

/// Hooks that let modules handle calls to an app's own delegates, without replacing the delegates.
///
/// ```swift
/// // At the top of main.swift, in `static func main()`, or in a SwiftUI app's `init`.
/// DelegateHooks.install()
/// UIApplicationMain(
///   CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
/// ```
///
/// If the system also posts an event as a notification, the hooks observe the notification. For
/// other events, they wrap the delegate's methods in place when the app sets the delegate: a call
/// runs the modules, then the delegate's own method, and then the modules that run after the app
/// (``/Lifecycle/HandlerTiming``). If the method has a completion handler, the first two run
/// concurrently, and the handler is called once, with the combined outcome. The delegate keeps its
/// identity and class, and other libraries' hooks stay in effect, whether installed earlier or
/// later. Except for launches, the hooks add a method only if a module needs it.
///
/// The hooks ignore delegates that trigger the events themselves, such as ``ModuleAppDelegate``.
@MainActor public final class DelegateHooks {
  private static var installed: DelegateHooks?

  let modules: ModuleManager
  let startsModules: Bool
  let hooks: MethodHooks<ObjectiveCMethodTable>

  /// Installs the hooks, once per process.
  ///
  /// A second call has no effect. It's reported (`duplicate`) if it passes a different manager,
  /// because that manager's modules receive no events.
  ///
  /// Call this method before the app has a delegate, so that the system queries the delegate for
  /// the methods that the hooks add. A later call wraps the current delegate, sets it again, and,
  /// if `startsModules` is `true`, starts the modules immediately, without launch options.
  ///
  /// - Parameters:
  ///   - modules: The manager of the modules that receive the events.
  ///   - startsModules: A Boolean value that indicates whether the hooks start the modules before
  ///     the delegate receives the launch. A failed start is reported (`start-failed`).
  public static func install(_ modules: ModuleManager = .shared, startsModules: Bool = true) {
    if let installed {
      if installed.modules !== modules {
        modules.context.log.report(
          .error, .duplicate, "DelegateHooks",
          "the hooks are already installed for another manager, so this one receives no events; use one manager")
      }
      return
    }
    let hooks = DelegateHooks(modules, startsModules)
    installed = hooks
    ModuleManager.ofApp = modules
    hooks.begin()
    modules.updateDelegates()
  }

  private init(_ modules: ModuleManager, _ startsModules: Bool) {
    self.modules = modules
    self.startsModules = startsModules
    hooks = MethodHooks(ObjectiveCMethodTable(), modules.sharedHostState.links)
  }

  private func begin() {
    #if canImport(UIKit)
    watch(UIApplication.self, .application)
    watch(UIScene.self, .scene)
    modules.observeScenes()
    let delegate = UIApplication.running?.delegate
    #else
    watch(NSApplication.self, .desktopApplication)
    let delegate = NSApp?.delegate
    #endif
    watch(UNUserNotificationCenter.self, .notificationCenter)
    modules.observeApplication()
    // This package's delegates start the modules themselves.
    if let delegate, !hooks.modulesAreNotified(by: delegate, Self.firstMethod) { startOnce(LaunchOptions()) }
  }

  #if canImport(UIKit)
  /// The first delegate method that the system calls during the launch.
  private static let firstMethod = "application:willFinishLaunchingWithOptions:"
  #else
  private static let firstMethod = "applicationWillFinishLaunching:"
  #endif

  private func adopt(_ delegate: AnyObject?, _ role: DelegateMethod.Role) {
    guard let delegate, !(delegate is any ModuleNotifier) else { return }
    if role == .application || role == .desktopApplication, let shape = hooks.table.shape(of: Self.firstMethod) {
      hooks.wrap(Self.firstMethod, of: delegate, isWanted: startsModules) { hook in
        hook.replacement(shape, otherwise: true as NSNumber) { [unowned self] arguments, own in
          let launch: [LaunchOptions] = EventHook.payloads(arguments)
          startOnce(launch.first ?? LaunchOptions())
          return own.map { $0(arguments) } ?? true as NSNumber
        }
      }
    }
    let wanted = modules.subscribedEvents.union(["\(Event.didFinishLaunching.id)"])
    for method in DelegateMethod.all(of: role) where !method.isNotified {
      guard let shape = hooks.table.shape(of: method.selector) else { continue }
      let path: LinkQueue.Path = role == .notificationCenter ? .notificationCenter : .hooks
      let hook = EventHook(hooks: self, path: path, shape: shape) { [hooks] in
        hooks.wrap(method.selector, of: delegate, isWanted: method.isWanted(by: wanted), $0)
      }
      SystemEvent.all.first { $0.id == method.event }?.visit(hook)
    }
  }

  private func watch(_ type: AnyClass, _ role: DelegateMethod.Role) {
    hooks.wrap("setDelegate:", in: ObjectiveCMethodTable.Class(type: type), isWanted: true) { hook in
      let shape = MethodShape(result: .none, argumentCount: 1)
      return hook.replacement(shape, later: { Self.setAgain($0, $1[0]) }) { [unowned self] arguments, own in
        adopt(arguments[0], role)
        return own?(arguments)
      }
    }
  }

  /// Sets a delegate again on the main thread, where the hooks can wrap it, after another thread
  /// set it. Does nothing if the object has a different delegate now.
  private static func setAgain(_ object: AnyObject, _ delegate: AnyObject?) {
    guard let object = object as? NSObject, let delegate,
      object.value(forKey: "delegate") as AnyObject? === delegate
    else { return }
    object.setValue(delegate, forKey: "delegate")
  }

  func startOnce(_ launch: LaunchOptions) {
    if startsModules { modules.startOnce(launch) }
  }
}
#endif
