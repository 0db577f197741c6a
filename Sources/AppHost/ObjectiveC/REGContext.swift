#if canImport(ObjectiveC)
public import Foundation
import Lifecycle
import Registry

/// What a module written in Objective-C is told, and how it answers.
///
/// ```objc
/// - (void)modOpenURL:(REGContext *)context {
///   [context answer:[self open:context.url]];
/// }
/// ```
///
/// What it says stays as it is, on every thread; what an event has nothing of is nil. Answers count until the method returns, or until
/// what ``takeTime()`` gave is called; on another thread than the main one they count from its next turn.
@objc(REGContext) public final class REGContext: NSObject, @unchecked Sendable {
  // Unchecked: all is constant, property lists do not change, and the call is used on the main actor alone.

  private let call: ObjectiveCCall
  private let contents: SystemEventContents
  private let configuration: ContextValues

  /// For whom the app runs: `development`, `test`, `staging` or `production`.
  @objc public let environment: String
  /// Which app this is.
  @objc public let appKey: String

  @MainActor init(_ call: ObjectiveCCall) {
    self.call = call
    contents = call.contents
    configuration = call.context.configuration
    environment = call.context.environment.rawValue
    appKey = call.context.appKey
    super.init()
  }

  // MARK: - What there is to know

  /// The event's id, `app.openURL`; of a phase its name, `setUp`.
  @objc public var event: String { contents.event }
  @objc public var url: URL? { contents.link.url }
  @objc public var sourceApplication: String? { contents.link.sourceApplication }
  @objc public var annotation: Any? { contents.link.annotation?.object }
  @objc public var opensInPlace: Bool { contents.link.opensInPlace }
  /// Of a notification, an activity, a menu's entry, a request of the watch, or a custom event.
  @objc public var userInfo: [String: Any]? { contents.userInfo?.objects }
  @objc public var deviceToken: Data? { contents.deviceToken }
  @objc public var error: (any Error)? { contents.error }
  /// A notification's or a background session's.
  @objc public var identifier: String? { contents.identifier }
  @objc public var title: String? { contents.text.title }
  @objc public var subtitle: String? { contents.text.subtitle }
  @objc public var body: String? { contents.text.body }
  @objc public var category: String? { contents.notification.category }
  @objc public var date: Date? { contents.notification.date }
  /// Whether a server sent the notification.
  @objc public var isRemote: Bool { contents.notification.isRemote }
  /// What the user chose of a notification: a `UNNotificationResponse`'s `actionIdentifier`.
  @objc public var action: String? { contents.notification.action }
  @objc public var responseText: String? { contents.notification.responseText }
  /// The type of the entry of the icon's menu.
  @objc public var quickAction: String? { contents.quickAction }
  @objc public var activityType: String? { contents.activity.type }
  @objc public var webpageURL: URL? { contents.activity.webpageURL }
  @objc public var sceneIdentifier: String? { contents.scene?.identifier }
  @objc public var sceneRole: String? { contents.scene?.role.rawValue }
  /// The name of the module that was taken out.
  @objc public var moduleName: String? { contents.module }
  /// The name of a custom event, whose parameters are ``userInfo``.
  @objc public var customEvent: String? { contents.customEvent }
  @objc public var launchOptions: [String: Any]? { contents.launchOptions?.objects }

  /// A setting that a file or the environment gave, by its name; nil if there is none.
  @objc(configurationValueNamed:) public func configurationValue(named name: String) -> Any? {
    configuration[named: name]?.object
  }

  // MARK: - Answers

  /// Answers an event that asks whether the module handled it, or agrees.
  @objc(answer:) public func answer(_ handled: Bool) { give(.bool(handled)) }

  /// Answers with a `UIBackgroundFetchResult`.
  @objc(answerFetchResult:) public func answerFetchResult(_ result: UInt) {
    guard let result = FetchResult(uiKit: result) else {
      return fail(
        REGError(
          errorDescription: "\(result) is no UIBackgroundFetchResult: 0 is new data, 1 is no data, 2 is failed"))
    }
    give(.fetchResult(result))
  }

  /// Answers with `UNNotificationPresentationOptions`.
  @objc(answerPresentationOptions:) public func answerPresentationOptions(_ options: UInt) {
    give(.presentation(PresentationOptions(systemBits: options)))
  }

  /// Answers a request of the watch. What no property list can hold is left out, and reported.
  @objc(reply:) public func reply(_ reply: [AnyHashable: Any]?) {
    guard let reply else { return give(.reply(nil)) }
    let (value, leftOut) = [String: PropertyValue].converting(userInfo: reply)
    onMain { call in
      call.report(leftOut, in: "the reply")
      call.give(.reply(value))
    }
  }

  /// Says that the method failed: a set-up then fails, an event's answer does not count. It is reported by the module's name.
  @objc(failWithError:) public func fail(_ error: any Error) { onMain { $0.fail(error) } }

  /// Lets an event that waits for an answer wait beyond the method's return, until the block is called. On any thread, once; letting go of it
  /// does the same.
  @objc public func takeTime() -> () -> Void {
    let deferral = ObjectiveCDeferral()
    onMain { $0.takeTime(deferral) }
    // By way of the main thread, where answers that were given before arrive first.
    return { ObjectiveCThread.onMain { deferral.finish() } }
  }

  private func give(_ answer: ObjectiveCAnswer) { onMain { $0.give(answer) } }

  private func onMain(_ work: @escaping @Sendable @MainActor (ObjectiveCCall) -> Void) {
    let call = call
    ObjectiveCThread.onMain { work(call) }
  }
}
#endif
