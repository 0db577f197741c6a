import Foundation
import Lifecycle

/// The links that the system has reported to an app, in the order of their delivery.
///
/// A system can report one link in several ways. For example, UIKit passes a link that launches a
/// SwiftUI app to the scene delegate's `scene(_:willConnectTo:options:)` and to `onOpenURL`. No
/// object identifies the link in both. The queue therefore follows this rule: each path reports a
/// link once. Reports of one link by different paths within ten seconds are one link, and a second
/// report by the same path is a second link. A link is thus delivered as often as the path that
/// reported it most often.
///
/// The links wait until the modules have finished starting and none of them is becoming ready. They
/// are delivered in the order of their first reports, in a later turn of the main actor than the
/// report, so that the app can finish its callback and create its window.
@MainActor package final class LinkQueue {
  /// A way in which a system reports links.
  package enum Path: Sendable, Hashable, CaseIterable {
    /// The delegate of the app.
    case appDelegate
    /// The delegate of a scene: its methods, and the options of its connection. UIKit passes a link
    /// to only one of them.
    case sceneDelegate
    /// The delegate of the notification center, which can be hooked.
    case notificationCenter
    /// The hooks of an app's and a scene's delegates that are not this package's.
    case hooks
    /// SwiftUI's `onOpenURL`.
    case openURL
    /// SwiftUI's `onContinueUserActivity`.
    case userActivity
    /// The app's own code.
    case app
  }

  /// A link or an event that was reported, with the paths that have reported it.
  private struct Report {
    let key: [String]
    let time: UInt64
    var paths: Set<Path>
  }

  /// The time in nanoseconds in which the reports of several paths are one link.
  private static let window = TimeSource.nanoseconds(10)

  private unowned let modules: ModuleManager
  private var reports: [Report] = []
  private var waiting: [AppLink] = []
  private var isDelivering = false
  private var isWaitingForStart = false

  init(_ modules: ModuleManager) {
    self.modules = modules
  }

  /// Adds a link, unless another path has already reported it.
  package func add(_ link: AppLink, by path: Path) {
    guard isNew(link.key, by: path) else { return }
    waiting.append(link)
    deliverLater()
  }

  /// Returns `true` unless another path has already reported the link or the activity for an event
  /// of a scene.
  ///
  /// The links of a scene's connection do not count, because the connection has another event.
  ///
  /// - Parameters:
  ///   - link: The link, or nil if the activity contains none.
  ///   - activityType: The type of the activity, which identifies an activity without a link.
  func isNewEvent(_ link: AppLink?, activityType: String, by path: Path) -> Bool {
    isNew(["event"] + (link?.key ?? ["activity", activityType]), by: path)
  }

  /// Adds a report, and returns `true` unless another path has already made the same one.
  private func isNew(_ key: [String], by path: Path) -> Bool {
    let now = modules.time.now()
    reports.removeAll { now - $0.time > Self.window }
    if let index = reports.firstIndex(where: { $0.key == key && !$0.paths.contains(path) }) {
      reports[index].paths.insert(path)
      return false
    }
    reports.append(Report(key: key, time: now, paths: [path]))
    return true
  }

  private func deliverLater() {
    guard !isDelivering else { return }
    isDelivering = true
    let modules = modules
    Task {
      await self.deliver(modules)
      self.isDelivering = false
    }
  }

  private func deliver(_ modules: ModuleManager) async {
    while !waiting.isEmpty {
      guard modules.hasFinishedStarting else { return waitForStart(modules) }
      if await modules.waitUntilReady() { continue }
      modules.trigger(.openLink, waiting.removeFirst())
    }
  }

  private func waitForStart(_ modules: ModuleManager) {
    guard !isWaitingForStart else { return }
    isWaitingForStart = true
    // A handler that belongs to no module waits for the next start.
    modules.on(.modulesDidFinishStarting, once: true) { [weak self] _ in
      self?.isWaitingForStart = false
      self?.deliverLater()
    }
  }
}

extension AppLink {
  /// The identity of a link in the reports of several paths.
  ///
  /// It does not contain the kind of the source, because SwiftUI's `onOpenURL` reports universal
  /// links as well. A notification is identified by its request.
  fileprivate var key: [String] {
    switch source {
    case .url, .universalLink, .handoff, .spotlight: ["link", url.absoluteString]
    case .quickAction(let action): ["quickAction", action.type, url.absoluteString]
    case .notification(let response): ["notification", response.notification.identifier, url.absoluteString]
    }
  }
}
