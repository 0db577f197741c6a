#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !canImport(UIKit))
import CloudKit
import Foundation
import Lifecycle
import Registry
import UserNotifications
#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// A hook that replaces a delegate's method and triggers the method's event. The event's types
/// determine how the hook converts arguments and answers.
struct EventHook: SystemEventSubscriber {
  let hooks: DelegateHooks
  let path: LinkQueue.Path
  let shape: MethodShape
  let wrap: @MainActor (MethodHooks<ObjectiveCMethodTable>.MakeImplementation) -> Void

  func subscribe<Payload, Outcome: Sendable>(to event: Event<Payload, Outcome>) {
    let otherwise = Self.object(event.rule.initial())
    wrap { hook in
      hook.replacement(shape, otherwise: otherwise) { arguments, own in
        let payloads: [Payload] = Self.payloads(arguments)
        let isList = arguments.count > 1 && (arguments[1] is NSSet || arguments[1] is NSArray)
        guard let payload = payloads.first, !isList || payloads.count == 1 else {
          // Trigger an event for each element, but call the delegate only once, after the modules.
          for payload in payloads { hooks.modules.deliver(event, payload, by: path) }
          return own.map { $0(arguments) } ?? otherwise
        }
        if let launch = payload as? LaunchOptions { hooks.startOnce(launch) }
        let ownArguments = Self.collectingRestoration(of: payload, arguments)
        let outcome = hooks.modules.deliver(event, payload, by: path) {
          let answer = own.map { $0(ownArguments) } ?? nil
          return (answer as? NSUserActivity).map { UserActivity($0, isAnswer: true) } as? Outcome ?? answer as? Outcome
            ?? event.rule.initial()
        }
        if payload is LaunchOptions { SystemDelegates().installNotificationDelegateIfWanted(hooks.modules) }
        return Self.object(outcome)
      }
    }
  }

  func subscribe<Payload, Outcome: Sendable>(to event: AsyncEvent<Payload, Outcome>) {
    let initial = event.rule.initial
    // AppKit passes remote notifications without a completion.
    let completes = shape.argumentCount == 3
    let unanswered: @MainActor (AnyObject?) -> Void = { Block.call($0, initial()) }
    wrap { hook in
      hook.replacement(shape, unanswered: completes ? unanswered : nil) { arguments, own in
        let completion = completes ? arguments[2] : nil
        let pass: (() -> Void)? = own.map { own in { _ = own(arguments) } }
        let payloads: [Payload] = Self.payloads(arguments)
        guard let payload = payloads.first else {
          if let pass { pass() } else { unanswered(completion) }
          return nil
        }
        let answer: ((@escaping @Sendable (Outcome) -> Void) -> Void)? = own.map { own in
          { answer in _ = own([arguments[0], arguments[1], Block.make(answer)]) }
        }
        hooks.modules.deliver(event, payload, by: path, own: completes ? answer : nil, repeated: pass) { outcome in
          Block.call(completion, outcome)
        }
        if !completes { pass?() }
        return nil
      }
    }
  }

  private static func object<Outcome>(_ outcome: Outcome) -> AnyObject? {
    (outcome as? UserActivity)?.systemActivity ?? (outcome as? Bool).map { $0 as NSNumber }
  }

  static func payloads<Payload>(_ arguments: [AnyObject?]) -> [Payload] {
    values(arguments, Payload.self).compactMap { $0 as? Payload }
  }

  /// Returns every value that a call's arguments can represent, because events with the same
  /// arguments can have payloads of different types.
  private static func values(_ arguments: [AnyObject?], _ payload: Any.Type) -> [Any] {
    let subject = arguments.count > 1 ? arguments[1] : nil
    let detail = arguments.count > 2 ? arguments[2] : nil
    #if canImport(UIKit)
    let scene = (arguments[0] as? UIScene).map { AppScene($0) }
    if arguments.count == 1 { return scene.map { [$0] } ?? [] }
    if payload == LaunchOptions.self { return [LaunchOptions(subject as? [UIApplication.LaunchOptionsKey: Any])] }
    #else
    let scene: AppScene? = nil
    if payload == LaunchOptions.self { return [LaunchOptions((arguments[0] as? NSNotification)?.userInfo)] }
    #endif
    switch subject {
    #if canImport(UIKit)
    case let contexts as Set<UIOpenURLContext>:
      return scene.map { scene in contexts.inOrder.map { OpenedURL($0, in: scene) } } ?? []
    case let sessions as Set<UISceneSession>: return AppScene.inOrder(sessions.map { AppScene($0) })
    case let session as UISceneSession:
      return (detail as? UIScene.ConnectionOptions).map { [SceneConnection(session, $0)] } ?? []
    case let url as URL: return [OpenedURL(url, detail as? [UIApplication.OpenURLOptionsKey: Any] ?? [:])]
    #else
    case let urls as [URL]: return urls.map { OpenedURL(desktop: $0) }
    #endif
    #if canImport(UIKit) && !os(tvOS)
    case let item as UIApplicationShortcutItem: return [QuickAction(item, in: scene)]
    #endif
    #if !os(tvOS)
    case let response as UNNotificationResponse: return [NotificationResponse(response)]
    #endif
    case let notification as UNNotification: return [UserNotification(notification)]
    #if canImport(UIKit)
    case let notification as NSObject where payload == UserNotification.self:
      return [UserNotification(uiLocalNotification: notification)]
    #endif
    case let metadata as CKShare.Metadata: return [CloudKitShare(metadata, in: scene)]
    case let activity as NSUserActivity:
      // Modules and the delegate can call the handler after this method returns.
      let restoration = Block.copied(detail).map { block in
        ActivityRestoration { Block.object(block, $0 as NSArray) }
      }
      return [UserActivity(activity, in: scene, restoration)]
    case let type as String:
      // The string is the type of an activity or the identifier of a background session.
      let failure = (detail as? any Error).map { UserActivityFailure(type: type, error: $0, scene: scene) }
      return [type, UserActivity(type: type, scene: scene), failure as Any]
    case let token as Data: return [token]
    case let error as any Error: return [error]
    default:
      let userInfo = (subject as? [AnyHashable: Any]).map { [String: PropertyValue](userInfo: $0) }
      return [RemoteNotification(userInfo: userInfo ?? [:])]
    }
  }

  /// Replaces the restoration handler in the arguments with a handler that collects the delegate's
  /// objects. The system's handler is called at most once, with the objects from the delegate and
  /// all modules.
  private static func collectingRestoration(of payload: Any, _ arguments: [AnyObject?]) -> [AnyObject?] {
    guard let payload = payload as? UserActivity, let restoration = payload.restoration.value as? ActivityRestoration
    else { return arguments }
    let activity = Transferred(payload.systemObject as? NSUserActivity)
    let collect = Block.object { objects in
      let objects = Transferred(objects as? [AnyObject] ?? [])
      let add = { @MainActor @Sendable in
        let objects = objects.take()
        if restoration.add(objects) { return }
        for object in objects { UserActivity.restore(object, activity.take()) }
      }
      // UIKit requires that its handler be called on the main thread.
      if Thread.isMainThread { MainActor.assumeIsolated(add) } else { DispatchQueue.main.async(execute: add) }
    }
    return [arguments[0], arguments[1], collect]
  }
}
#endif
