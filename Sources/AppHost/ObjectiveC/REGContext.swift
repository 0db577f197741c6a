#if canImport(ObjectiveC)
public import Foundation
import Lifecycle
import Registry

/// The argument of an Objective-C module's method. The method also uses it to answer.
///
/// ```objc
/// - (void)modOpenURL:(REGContext *)context {
///   [context answer:[self open:context.url]];
/// }
/// ```
///
/// You can read the values, which are constant, on any thread. Missing values are nil or false.
/// Answer before the method returns or, after calling ``takeTime()``, before you call the returned
/// block. An answer from another thread arrives on the main thread's next turn, so call
/// ``takeTime()`` first.
@objc(REGContext) public final class REGContext: NSObject, @unchecked Sendable {
  // Unchecked because every property is a constant, and only the main actor uses `call`.

  private let call: ObjectiveCCall
  private let contents: SystemEventContents
  private let configuration: ContextValues

  /// The app's environment: `development`, `test`, `staging`, or `production`.
  @objc public let environment: String
  /// The key that distinguishes apps that share modules, or an empty string.
  @objc public let appKey: String

  @MainActor init(_ call: ObjectiveCCall) {
    self.call = call
    contents = call.contents
    configuration = call.context.configuration
    environment = call.context.environment.text
    appKey = call.context.appKey
    super.init()
  }

  /// The identifier of the event or the name of the phase, such as `app.openURL` or `setUp`.
  @objc public var event: String { contents.event }
  @objc public var url: URL? { contents.link.url }
  @objc public var sourceApplication: String? { contents.link.sourceApplication }
  @objc public var annotation: Any? { contents.link.annotation?.object }
  @objc public var opensInPlace: Bool { contents.link.opensInPlace }
  /// The user info of a notification, an activity, a quick action, or a custom event.
  @objc public var userInfo: [String: Any]? { contents.userInfo?.objects }
  @objc public var deviceToken: Data? { contents.deviceToken }
  @objc public var error: (any Error)? { contents.error }
  /// The identifier of a notification, a background session, or a CloudKit container.
  @objc public var identifier: String? { contents.identifier }
  @objc public var title: String? { contents.text.title }
  @objc public var subtitle: String? { contents.text.subtitle }
  @objc public var body: String? { contents.text.body }
  @objc public var category: String? { contents.notification.category }
  @objc public var date: Date? { contents.notification.date }
  /// A Boolean value that indicates whether a server sent the notification.
  @objc public var isRemote: Bool { contents.notification.isRemote }
  /// The action that the user chose, the `actionIdentifier` of a `UNNotificationResponse`.
  @objc public var action: String? { contents.notification.action }
  @objc public var responseText: String? { contents.notification.responseText }
  /// The type of the quick action.
  @objc public var quickAction: String? { contents.quickAction }
  @objc public var activityType: String? { contents.activityType }
  @objc public var webpageURL: URL? { contents.webpageURL }
  @objc public var sceneIdentifier: String? { contents.scene?.identifier }
  @objc public var sceneRole: String? { contents.scene?.role.rawValue }
  /// The name of the removed module.
  @objc public var moduleName: String? { contents.module }
  /// The name of a custom event. The user info contains its parameters.
  @objc public var customEvent: String? { contents.customEvent }
  @objc public var launchOptions: [String: Any]? { contents.launchOptions?.objects }

  /// Returns the setting that a file, the environment, or code provides under a name, or nil.
  @objc(configurationValueNamed:) public func configurationValue(named name: String) -> Any? {
    configuration[named: name]?.object
  }

  // MARK: - Answers

  /// Answers with a Boolean value, such as whether the module handled the event.
  @objc(answer:) public func answer(_ handled: Bool) { give(handled) }

  /// Answers with the result of a background fetch.
  ///
  /// - Parameter result: The raw value of a `UIBackgroundFetchResult`.
  @objc(answerFetchResult:) public func answerFetchResult(_ result: UInt) {
    guard let result = BackgroundFetchResult(systemValue: result) else {
      return fail(
        REGError(
          errorDescription:
            "\(result) is not a 'UIBackgroundFetchResult'; use 0 (new data), 1 (no data), or 2 (failed)"))
    }
    give(result)
  }

  /// Answers with the options for showing a notification.
  ///
  /// - Parameter options: The raw value of `UNNotificationPresentationOptions`.
  @objc(answerPresentationOptions:) public func answerPresentationOptions(_ options: UInt) {
    give(NotificationPresentationOptions(systemBits: options))
  }

  /// Answers with an activity that contains the state of a scene.
  @objc(answerActivity:) public func answerActivity(_ activity: NSUserActivity?) {
    give(activity.map { UserActivity($0, isAnswer: true) })
  }

  /// Makes the method fail, and reports the error with the module's name.
  ///
  /// If the method sets up the module, the setup fails. If it handles an event, it has no answer.
  @objc(failWithError:) public func fail(_ error: any Error) { onMain { $0.fail(error) } }

  /// Makes the event wait for an answer after the method returns, until you call the returned
  /// block.
  ///
  /// Call the block once, on any thread. Releasing it has the same effect. A call to this method is
  /// reported and ignored if the event doesn't wait for answers.
  @objc public func takeTime() -> () -> Void {
    let deferral = ObjectiveCDeferral()
    onMain { $0.takeTime(deferral) }
    // Finish on the main thread, so that earlier answers arrive first.
    return { ObjectiveCThread.onMain { deferral.finish() } }
  }

  private func give(_ answer: some Sendable) { onMain { $0.give(answer) } }

  private func onMain(_ work: @escaping @Sendable @MainActor (ObjectiveCCall) -> Void) {
    let call = call
    ObjectiveCThread.onMain { work(call) }
  }
}
#endif
