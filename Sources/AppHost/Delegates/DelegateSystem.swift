import Lifecycle

/// An object of a system that has a delegate: the app, a scene, or the notification center.
@MainActor protocol DelegateOwner: AnyObject {
  var hasDelegate: Bool { get }

  /// Sets the delegate again, so that the system queries its methods again.
  func resetDelegate()
}

/// The objects of a system that have delegates.
///
/// The objects of UIKit and AppKit implement the operations, and so does a simulation in tests.
@MainActor protocol DelegateSystem {
  /// The app and its scenes. The array is empty if the process has no app.
  var owners: [any DelegateOwner] { get }

  /// The notification center, or nil in a process without a bundle, which has none.
  var notificationCenter: (any DelegateOwner)? { get }

  /// A Boolean value that indicates whether the process has created a delegate of this package for
  /// the notification center.
  var hasNotificationDelegate: Bool { get }

  /// Sets a delegate of this package as that of the notification center.
  func installNotificationDelegate(_ host: SystemEventHost)
}

extension DelegateSystem {
  /// Makes the system query the methods of all delegates again.
  ///
  /// Call this method when the events that modules subscribed to have changed. Hooks wrap the
  /// delegates when they are set. If the app has a delegate and the notification center has none,
  /// the center receives one of this package if a module needs it.
  func refreshDelegates(_ host: SystemEventHost) {
    let owners = owners.filter(\.hasDelegate)
    for owner in owners { owner.resetDelegate() }
    // In other cases, do not access the center, because some processes have none. A delegate of
    // this package advertises fewer methods after the last module that needs one.
    guard hasNotificationDelegate || isNotificationCenterWanted(host), let center = notificationCenter else { return }
    if center.hasDelegate {
      center.resetDelegate()
    } else if !owners.isEmpty {
      installNotificationDelegateIfWanted(host)
    }
  }

  /// Sets a delegate of the notification center if a module subscribed to its events and the center
  /// has none.
  func installNotificationDelegateIfWanted(_ host: SystemEventHost) {
    guard isNotificationCenterWanted(host), let center = notificationCenter, !center.hasDelegate else { return }
    installNotificationDelegate(host)
  }

  private func isNotificationCenterWanted(_ host: SystemEventHost) -> Bool {
    let events = host.modules.subscribedEvents
    return DelegateMethod.all(of: .notificationCenter).contains { $0.isWanted(by: events) }
  }
}
