import Lifecycle

/// A system object that has a delegate: the app, a scene, or the notification center.
@MainActor protocol DelegateOwner: AnyObject {
  var hasDelegate: Bool { get }

  /// Sets the delegate again, so that the system queries the delegate's methods again.
  func resetDelegate()
}

/// The objects of UIKit, AppKit, or WatchKit that have delegates, or a simulation in tests.
@MainActor protocol DelegateSystem {
  /// The app and its scenes, or an empty array if the process has no app.
  var owners: [any DelegateOwner] { get }

  /// The notification center, or nil in a process without a bundle identifier.
  var notificationCenter: (any DelegateOwner)? { get }

  /// True once the process has created this package's delegate for the notification center.
  var hasNotificationDelegate: Bool { get }

  func installNotificationDelegate(_ modules: ModuleManager)
}

extension DelegateSystem {
  /// Sets all delegates again, so that the system queries their methods and hooks wrap them. The
  /// notification center receives this package's delegate if the app or a scene has a delegate, the
  /// center has no delegate, and a module needs one.
  func refreshDelegates(_ modules: ModuleManager) {
    let owners = owners.filter(\.hasDelegate)
    for owner in owners { owner.resetDelegate() }
    // Access the center only if needed, because some processes have no center. If this package's
    // delegate exists, reset it even if no module needs it, so that it advertises fewer methods.
    guard hasNotificationDelegate || isNotificationCenterWanted(modules), let center = notificationCenter
    else { return }
    if center.hasDelegate {
      center.resetDelegate()
    } else if !owners.isEmpty {
      installNotificationDelegateIfWanted(modules)
    }
  }

  func installNotificationDelegateIfWanted(_ modules: ModuleManager) {
    guard isNotificationCenterWanted(modules), let center = notificationCenter, !center.hasDelegate else { return }
    installNotificationDelegate(modules)
  }

  private func isNotificationCenterWanted(_ modules: ModuleManager) -> Bool {
    let events = modules.subscribedEvents
    return DelegateMethod.all(of: .notificationCenter).contains { $0.isWanted(by: events) }
  }
}
