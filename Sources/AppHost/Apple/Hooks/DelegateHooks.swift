#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !canImport(UIKit))
import Foundation
public import Lifecycle
internal import Registry

/// Tells modules what a system tells the app's own delegates, without a line in them.
///
/// ```swift
/// DelegateHooks.install()          // at the top of main.swift, in `static func main()`, or in a SwiftUI app's `init`
/// UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
/// ```
///
/// What a notification tells is observed. The rest is wrapped in place when a delegate is set: modules are called, then the
/// delegate's own method, then modules that asked for that (``Lifecycle/HandlerTiming``). The delegate stays the object and
/// the class that it was, other libraries' hooks stay where they are, whether they came before or come later, and methods are added
/// only where some module subscribed. Completions are called once, with the outcome of the delegate and all modules.
///
/// Delegates that tell modules themselves, such as ``ModuleAppDelegate``, are left alone.
@MainActor public final class DelegateHooks {
  private static var installed: DelegateHooks?

  /// Passes on what happens.
  public let host: SystemEventHost
  let startsModules: Bool
  let hooks: MethodHooks<ObjectiveCMethodTable>
  /// Set before the app's delegate was asked anything.
  var isStarted = false
  /// Kept for as long as the process runs, as methods are wrapped.
  var observers: [any NSObjectProtocol] = []

  /// Installs them, once in a process.
  ///
  /// On the main actor, before the app has a delegate, so that it is asked about the methods that are there then. Later is possible: the
  /// delegate that is there is wrapped and set anew, and the modules are started at once, without the launch's options.
  ///
  /// - Parameters:
  ///   - modules: Who is told.
  ///   - startsModules: Whether to start them before the delegate hears of the launch. What their start throws is reported
  ///     (``Registry/Diagnostic/Code/startFailed``).
  ///   - timeLimit: How many seconds modules and the delegate have to answer where there is a completion.
  /// - Returns: The hooks; those that were installed first, if there are some. Another manager is reported then
  ///   (``Registry/Diagnostic/Code/duplicate``) and not told.
  @discardableResult public static func install(
    _ modules: ModuleManager = .shared, startsModules: Bool = true, timeLimit: Double = 25
  ) -> DelegateHooks {
    if let installed {
      if installed.host.modules !== modules {
        modules.report(
          Diagnostic(
            severity: .error, code: .duplicate, subject: "DelegateHooks", image: nil,
            message:
              "hooks were installed for another manager already; this one is not told: use one manager for the app"))
      }
      return installed
    }
    let hooks = DelegateHooks(SystemEventHost(modules, timeLimit: timeLimit), startsModules)
    installed = hooks
    hooks.begin()
    return hooks
  }

  private init(_ host: SystemEventHost, _ startsModules: Bool) {
    self.host = host
    self.startsModules = startsModules
    hooks = MethodHooks(ObjectiveCMethodTable(protocols: Self.protocols))
  }

  /// Wraps what modules wait for that came since the delegates were set, and sets those anew so that the system asks them again.
  ///
  /// To be called when an image with modules was opened while the app runs.
  public func update() { resetDelegates() }

  /// Wraps a delegate's methods, before it is set.
  func adopt(_ delegate: AnyObject?, _ role: DelegateMethod.Role) {
    guard let delegate, !(delegate is any ModuleNotifier) else { return }
    let wanted = host.modules.subscribedEvents
    if role == .application || role == .desktopApplication { wrapLaunch(of: delegate) }
    for method in DelegateMethod.all(of: role) where !method.isNotified {
      hooks.wrap(method.selector, of: delegate, isWanted: wanted.contains(method.event) || isNeeded(method)) { hook in
        implementation(of: method, hook)
      }
    }
  }

  /// Wraps the method by which a class is given its delegate.
  func watch(_ type: AnyClass, _ role: DelegateMethod.Role) {
    hooks.wrap("setDelegate:", in: ObjectiveCMethodTable.Class(type: type), isWanted: true) { hook in
      hook.void1 { object, delegate in
        Self.setAgain(object, delegate)
      } _: { [unowned self] delegate, original in
        adopt(delegate, role)
        original()
      }
    }
  }

  /// Sets a delegate that was set on another thread once more, on this one, unless there is another by now.
  private static func setAgain(_ object: AnyObject, _ delegate: AnyObject?) {
    guard let object = object as? NSObject, let delegate,
      object.value(forKey: "delegate") as AnyObject? === delegate
    else { return }
    object.setValue(delegate, forKey: "delegate")
  }

  /// For delegates that were there before the hooks: the launch has passed, or its first half.
  ///
  /// - Parameter launch: The method by which a delegate of this package starts them itself.
  func startLate(_ delegate: AnyObject?, _ launch: String) {
    guard let delegate, startsModules, !hooks.modulesAreNotified(by: delegate, launch) else { return }
    startOnce(LaunchOptions())
    ModuleNotificationDelegate.installIfWanted(host)
  }

  /// Triggers an event for a notification, unless a delegate of this package does so in a method.
  func observe(_ name: Notification.Name, _ method: String, _ event: Event<Void, Void>) {
    observe(name, method) { host, _ in host.trigger(event) }
  }

  /// Calls a closure for a notification, unless a delegate of this package does so in a method.
  func observe(
    _ name: Notification.Name, _ method: String,
    _ tell: @escaping @MainActor (SystemEventHost, AnyObject?) -> Void
  ) {
    observers.append(
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [self] notification in
        // Systems post these on the main thread. Whoever posts one elsewhere is no system.
        guard Thread.isMainThread else { return }
        let object = Transferred(notification.object as AnyObject?)
        MainActor.assumeIsolated {
          let object = object.take()
          if !modulesAreNotified(by: object, method) { tell(host, object) }
        }
      })
  }

  /// Starts the modules, if that is to be done here and was not yet.
  func startOnce(_ launch: LaunchOptions) {
    guard startsModules, !isStarted else { return }
    isStarted = true
    do {
      try host.modules.start(launch: ContextValues { $0[.launchOptions] = launch })
    } catch ModuleError.alreadyStarted {
      // By the app itself.
    } catch {
      host.modules.report(.startFailed(error))
    }
  }
}
#endif
