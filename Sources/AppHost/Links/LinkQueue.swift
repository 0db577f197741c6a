import Foundation
import Lifecycle
package import Registry

/// A queue of the links that an app should open.
///
/// A system can report one link in several ways. For example, UIKit passes a link that launches a
/// SwiftUI app both to the scene delegate's `scene(_:willConnectTo:options:)` and to `onOpenURL`,
/// but no object identifies the link in both calls. The queue assumes that each path reports a link
/// once. A report by another path joins an earlier report while the link waits, and for two seconds
/// after the link's delivery. A second report by the same path is a second link. Thus a link is
/// delivered as often as its most frequent path reports it.
///
/// - If a scene connects to open the link, a system's report can join for ten seconds, because a
///   view receives the link only when the view appears, and a slow launch delays that.
/// - A system's report doesn't join a report by the app's own code, because the user can tap the
///   same link again in another app. If a hooked call leads to both reports, they're one link.
/// - The app's own code reports only the URL of a notification or a quick action, so a report by
///   that code and another one need only have the same URL.
/// - A delegate can pass a link on to another method, for example from
///   `scene(_:willConnectTo:options:)` to `scene(_:openURLContexts:)`. Reports with the same system
///   object are one link, as are reports by hooked methods that call each other.
///
/// The links wait until the modules have finished starting and no module is becoming ready or
/// shutting down. They're delivered in the order of their first reports, in a later turn of the
/// main actor, so that the app can finish its callback and create its window.
@MainActor package final class LinkQueue {
  /// A path that reports links and events.
  package enum Path: Sendable, Hashable, CaseIterable {
    case appDelegate
    /// The methods of a scene delegate, including the method that receives the connection options.
    /// UIKit passes a link to only one of these methods.
    case sceneDelegate
    /// The notification center's delegate, whether or not it's hooked.
    case notificationCenter
    /// The hooks of app and scene delegates that this package doesn't define.
    case hooks
    case openURL
    case userActivity
    case app
  }

  /// A reported link or event, with the paths that reported it.
  @MainActor final class Report {
    let key: [String]
    /// The system's object. Weak, so that a later object at the same address doesn't match it.
    weak var object: AnyObject?
    /// The hooked calls during which the report was made, outermost first.
    let calls: [Int]
    /// True if a scene connects to open the link.
    var connects: Bool
    var paths: Set<Path>
    var link: AppLink?
    /// The time at which the handlers of the event or link returned, in nanoseconds; nil before.
    var delivery: UInt64?
    /// True if a module or the app's own code has answered `true`.
    var isHandled = false

    init(_ key: [String], _ object: AnyObject?, by path: Path, connects: Bool, during calls: [Int]) {
      (self.key, self.object, self.connects, self.calls) = (key, object, connects, calls)
      paths = [path]
    }

    /// Returns true if reports by a path still join this report.
    func isOpen(to path: Path, at now: UInt64) -> Bool {
      guard let delivery else { return true }
      return now - delivery <= (connects && path != .app ? LinkQueue.connectionWindow : LinkQueue.window)
    }

    /// Returns true if a later report has the same origin: the same system object, or a hooked call
    /// that leads to both reports. Two equal links that one call reports by the same path, without
    /// calling another hooked method, are two links.
    func hasOrigin(of later: Report, by path: Path) -> Bool {
      if let object, object === later.object { return true }
      guard let outermost = calls.first, outermost == later.calls.first else { return false }
      return calls.last != later.calls.last || !paths.contains(path)
    }
  }

  /// The nanoseconds after a delivery during which another path's report counts as the same link.
  private static let window = TimeSource.nanoseconds(2)
  /// The window if a scene connects to open the link.
  private static let connectionWindow = TimeSource.nanoseconds(10)

  private unowned let modules: ModuleManager
  private var reports: [Report] = []
  private var calls: [Int] = []
  private var callCount = 0
  /// True while links are being delivered or wait for the modules to start.
  private var isDelivering = false

  init(_ modules: ModuleManager) {
    self.modules = modules
  }

  /// Adds a link, unless it has already been reported.
  package func add(_ link: AppLink, by path: Path, connects: Bool = false) {
    let (report, isNew) = report(link.key, link.systemObject, by: path, connects: connects)
    if isNew {
      report.link = link
      deliverLater()
    } else if let earlier = report.link {
      // A scene's delegate can pass the link on to the app's delegate, which has no scene.
      report.link?.scene = earlier.scene ?? link.scene
      if !earlier.object.exists { report.link?.object = link.object }
    }
  }

  /// Returns the report of an event, and `true` unless the same event has already been reported.
  ///
  /// - Parameter object: The system's object that the event's payload was read from.
  func event(_ key: [String], _ object: AnyObject? = nil, by path: Path) -> (report: Report, isNew: Bool) {
    report(["event"] + key, object, by: path)
  }

  package func duringCall<Result>(_ call: () -> Result) -> Result {
    callCount += 1
    calls.append(callCount)
    defer { calls.removeLast() }
    return call()
  }

  /// Returns the earlier report that a new report joins, or adds and returns the new report.
  private func report(
    _ key: [String], _ object: AnyObject?, by path: Path, connects: Bool = false
  ) -> (report: Report, isNew: Bool) {
    let now = modules.time.now()
    // The window for the app's own code is never longer than the window for a system's path.
    reports.removeAll { !$0.isOpen(to: .hooks, at: now) }
    let report = Report(key, object, by: path, connects: connects, during: calls)
    let equal = reports.filter {
      let isOwnLink = (path == .app || $0.paths == [.app]) && ![key[0], $0.key[0]].contains("event")
      return ($0.key == key || isOwnLink && $0.key.last == key.last) && $0.isOpen(to: path, at: now)
    }
    let earlier =
      equal.first { $0.hasOrigin(of: report, by: path) }
      ?? equal.first { $0.paths != [.app] && !$0.paths.contains(path) }
    guard let earlier else {
      reports.append(report)
      return (report, true)
    }
    earlier.paths.insert(path)
    if connects { earlier.connects = true }
    return (earlier, false)
  }

  private func deliverLater() {
    guard !isDelivering else { return }
    isDelivering = true
    let modules = modules
    ModuleWork.task { await self.deliver(modules) }
  }

  private func deliver(_ modules: ModuleManager) async {
    while let report = reports.first(where: { $0.link != nil }) {
      guard modules.hasFinishedStarting else {
        // This handler belongs to no module, so it stays registered until the next start.
        modules.on(.modulesDidFinishStarting, once: true) { [weak self] _ in
          self?.isDelivering = false
          self?.deliverLater()
        }
        return
      }
      if await modules.waitUntilReady() { continue }
      if let link = report.link.take() {
        // Don't warn about a link that a system reported, because the app's own code can handle it.
        if report.paths == [.app], !modules.subscribedEvents.contains(DelegateMethod.linkEvent) {
          reportUnhandled(link)
        }
        modules.trigger(.openLink, link)
      }
      // Start the window after the handlers return. They can occupy the main actor for a long time.
      report.delivery = modules.time.now()
    }
    isDelivering = false
  }

  private func reportUnhandled(_ link: AppLink) {
    modules.context.log.report(
      .warning, .unhandledLink, DelegateMethod.linkEvent,
      "no module and no handler receives the link \(link.url.absoluteString.quotedForDisplay()); subscribe to"
        + " '.openLink', link the target that does, or deliver the link to the manager that has its modules")
  }
}

extension Diagnostic.Code {
  package static var unhandledLink: Self { "unhandled-link" }
}

extension AppLink {
  /// The identity of a link across paths. It doesn't distinguish URLs from universal links, because
  /// SwiftUI's `onOpenURL` reports both. For a notification, it includes the request's identifier.
  var key: [String] {
    switch source {
    case .url, .universalLink, .handoff, .spotlight: ["link", url.absoluteString]
    case .quickAction(let action): ["quickAction", action.type, url.absoluteString]
    case .notification(let response): ["notification", response.notification.identifier, url.absoluteString]
    }
  }
}
