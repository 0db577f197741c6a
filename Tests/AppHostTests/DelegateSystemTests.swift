import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

private let willPresent = "userNotificationCenter:willPresentNotification:withCompletionHandler:"
private let didReceive = "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:"

private final class Presenter: Module {
  static func subscribe(_ events: Subscriptions<Presenter>) {
    events.on(.willPresentNotification) { _, _, _ in .banner }
  }
}

private final class Responder: Module {
  static func subscribe(_ events: Subscriptions<Responder>) {
    events.on(.didReceiveNotificationResponse) { _, _, _ in }
  }
}

private final class LinkReader: Module {
  static func subscribe(_ events: Subscriptions<LinkReader>) {
    events.on(.openLink) { _, _, _ in }
  }
}

/// An app, its scenes, and a notification center, whose delegates are set again.
@MainActor private final class SimulatedSystem: DelegateSystem {
  final class Owner: DelegateOwner {
    let name: String
    var hasDelegate: Bool
    /// A closure that is called when the delegate is set, like the wrapped setter of hooks.
    let didSet: (String) -> Void

    init(_ name: String, hasDelegate: Bool, didSet: @escaping (String) -> Void) {
      self.name = name
      self.hasDelegate = hasDelegate
      self.didSet = didSet
    }

    func resetDelegate() { didSet(name) }
  }

  private(set) var lines: [String] = []
  private(set) var owners: [any DelegateOwner] = []
  var hasNotificationDelegate = false
  private var center: Owner?

  init(app: Bool? = nil, scenes: [Bool] = [], center: Bool? = nil) {
    if let app { owners.append(owner("app", app)) }
    for (index, scene) in scenes.enumerated() { owners.append(owner("scene \(index)", scene)) }
    self.center = center.map { owner("center", $0) }
  }

  private func owner(_ name: String, _ hasDelegate: Bool) -> Owner {
    Owner(name, hasDelegate: hasDelegate) { [unowned self] in lines.append($0) }
  }

  var notificationCenter: (any DelegateOwner)? {
    lines.append("access")
    return center
  }

  func installNotificationDelegate(_ modules: ModuleManager) {
    lines.append("install")
    hasNotificationDelegate = true
    center?.hasDelegate = true
  }
}

@MainActor struct DelegateSystemTests {
  private func refreshed(_ system: SimulatedSystem, _ modules: [any Module.Type]) -> [String] {
    system.refreshDelegates(ModuleManager(modules: modules))
    return system.lines
  }

  @Test func `the delegates of the app, its scenes, and the notification center are set again`() {
    let system = SimulatedSystem(app: true, scenes: [true, false, true], center: true)
    #expect(refreshed(system, [Presenter.self]) == ["app", "scene 0", "scene 2", "access", "center"])
  }

  @Test func `a notification center without a delegate receives one if a module needs it`() {
    let system = SimulatedSystem(app: true, center: false)
    #expect(refreshed(system, [Responder.self]) == ["app", "access", "access", "install"])
  }

  @Test func `a module that opens links needs the notification center, whose responses can contain them`() {
    let system = SimulatedSystem(app: true, center: false)
    #expect(refreshed(system, [LinkReader.self]) == ["app", "access", "access", "install"])
    let advertised = Advertised(.notificationCenter, of: ModuleManager(modules: [LinkReader.self]))
    #expect(advertised.isAdvertised(didReceive, hasMethod: true) { false })
    #expect(!advertised.isAdvertised(willPresent, hasMethod: true) { false })
  }

  @Test func `a module of a plug-in that is opened later causes the installation`() {
    let system = SimulatedSystem(app: true, center: false)
    let modules = ModuleManager()
    system.refreshDelegates(modules)
    #expect(system.lines == ["app"])
    modules.register(Responder.self)
    system.refreshDelegates(modules)
    #expect(system.lines.suffix(2) == ["access", "install"])
    // The delegate advertises fewer methods after the module is removed.
    modules.unregister(Responder.self)
    system.refreshDelegates(modules)
    #expect(system.lines.suffix(3) == ["app", "access", "center"])
  }

  @Test func `before the app has a delegate, only an existing delegate of the center is set again`() {
    #expect(refreshed(SimulatedSystem(center: true), [Presenter.self]) == ["access", "center"])
    #expect(refreshed(SimulatedSystem(app: false, center: false), [Presenter.self]) == ["access"])
  }

  @Test func `the center is not accessed if no module needs it, and a process can have none`() {
    #expect(refreshed(SimulatedSystem(app: true, center: true), []) == ["app"])
    #expect(refreshed(SimulatedSystem(app: true), [Presenter.self]) == ["app", "access"])
  }

  @Test func `at the launch, a delegate is installed only if the center has none`() {
    let system = SimulatedSystem(app: true, center: false)
    system.installNotificationDelegateIfWanted(ModuleManager())
    #expect(system.lines.isEmpty)
    for _ in 0..<2 { system.installNotificationDelegateIfWanted(ModuleManager(modules: [Presenter.self])) }
    #expect(system.lines == ["access", "install", "access"])
  }

  @Test func `a delegate of the notification center advertises only the methods that modules need`() {
    let advertised = Advertised(.notificationCenter, of: ModuleManager(modules: [Responder.self]))
    #expect(!advertised.isAdvertised(willPresent, hasMethod: true) { false })
    #expect(advertised.isAdvertised(willPresent, hasMethod: true) { true }, "a subclass overrides it")
    #expect(advertised.isAdvertised(didReceive, hasMethod: true) { false })
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct AppStartTests {
  private struct Broken: Error {}
  private let problems = DiagnosticCollector()

  private func manager() -> ModuleManager {
    ModuleManager(modules: [Presenter.self], onDiagnostic: problems.handler)
  }

  /// Calls the method as the delegate of an app does in each callback of the launch.
  private func launch(
    _ modules: ModuleManager, _ system: SimulatedSystem = SimulatedSystem(app: true, center: false),
    _ launch: LaunchOptions = LaunchOptions(), start: ((ContextValues) throws -> Void)? = nil
  ) -> [any Error] {
    var failures: [any Error] = []
    modules.startForDelegate(launch, system, start ?? { try modules.start(launch: $0) }) { failures.append($0) }
    return failures
  }

  @Test func `scene delegates and views use the manager of the app's delegate`() throws {
    let own = manager()
    #expect(launch(own).isEmpty)
    // The links of a scene then wait for the manager that has started.
    #expect(ModuleManager.ofApp === own && own.isStarted)
  }

  @Test func `without a delegate, scene delegates and views use the shared manager`() throws {
    weak var released: ModuleManager?
    do {
      let own = manager()
      _ = launch(own)
      released = own
    }
    #expect(released == nil, "the app owns its manager")
    #expect(ModuleManager.ofApp === ModuleManager.shared)
  }

  @Test func `a delegate starts the modules once, with the options of the launch, and installs the center's delegate`()
    throws
  {
    let (modules, system) = (manager(), SimulatedSystem(app: true, center: false))
    let options = LaunchOptions(url: OpenedURL(try #require(URL(string: "shop:7"))))
    for _ in 0..<2 { #expect(launch(modules, system, options).isEmpty) }
    #expect(modules.context.launch[.launchOptions]?.url?.url.absoluteString == "shop:7")
    #expect(system.lines == ["access", "install", "access"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a delegate does not repeat the failed start of a view, and a view not that of a delegate`() {
    let (afterView, afterDelegate) = (manager(), manager())
    let fail = { (_: ContextValues) in throw Broken() }
    afterView.startOnce(LaunchOptions(), fail, onFailure: { _ in })
    #expect(launch(afterView, start: fail).isEmpty)
    #expect(launch(afterDelegate, start: fail).count == 1)
    afterDelegate.startOnce()
    #expect(!afterView.isStarted && !afterDelegate.isStarted)
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct PresentationTimeLimitTests {
  private let time = ManualTime()
  private let problems = DiagnosticCollector()
  private let modules: ModuleManager
  private let notification = UserNotification(identifier: "1", isRemote: true, date: .init(timeIntervalSince1970: 0))

  init() throws {
    modules = ModuleManager(modules: [Presenter.self], time: time.source, onDiagnostic: problems.handler)
    try modules.start()
    modules.on(.willPresentNotification) { _, _ in
      try await Task.sleep(for: .seconds(600))
      return .sound
    }
  }

  @Test func `a module delays a banner by at most two seconds`() async throws {
    var outcomes: [NotificationPresentationOptions] = []
    modules.deliver(.willPresentNotification, notification, by: .notificationCenter) { outcomes.append($0) }
    try await until("the time limit is set") { time.sleeperCount == 1 }
    for _ in 0..<100 { await Task.yield() }
    time.advance(seconds: 2)
    try await until("the completion is called") { !outcomes.isEmpty }
    #expect(outcomes == [.banner])
    #expect(
      problems[.noAnswer].map(\.message) == [
        "its handler of 'notification.willPresent' did not answer within 2.0 s; its task is canceled, and the outcome"
          + " lacks its answer"
      ])
  }

  @Test func `a shorter time limit applies, and other events have the configured one`() async throws {
    modules.context.configuration[.systemEventTimeLimit] = 1
    var outcomes: [NotificationPresentationOptions] = []
    modules.deliver(.willPresentNotification, notification, by: .notificationCenter) { outcomes.append($0) }
    try await until("the time limit is set") { time.sleeperCount == 1 }
    for _ in 0..<100 { await Task.yield() }
    time.advance(seconds: 1)
    try await until("the completion is called") { outcomes == [.banner] }
    modules.on(.didReceiveNotificationResponse) { _, _ in try await Task.sleep(for: .seconds(600)) }
    modules.context.configuration[.systemEventTimeLimit] = 25
    var isAnswered = false
    modules.deliver(.didReceiveNotificationResponse, NotificationResponse(notification), by: .notificationCenter) {
      isAnswered = true
    }
    try await until("the time limit is set") { time.sleeperCount == 1 }
    time.advance(seconds: 24)
    for _ in 0..<100 { await Task.yield() }
    #expect(!isAnswered)
    time.advance(seconds: 1)
    try await until("the completion is called") { isAnswered }
  }

  @Test func `a delegate under hooks has more time than modules to present a notification`() async throws {
    var answer: (@Sendable (NotificationPresentationOptions) -> Void)?
    var outcomes: [NotificationPresentationOptions] = []
    modules.deliver(
      .willPresentNotification, notification, by: .notificationCenter, own: { answer = $0 }
    ) {
      outcomes.append($0)
    }
    try await until("the time limits are set") { time.sleeperCount == 2 }
    for _ in 0..<100 { await Task.yield() }
    time.advance(seconds: 20)
    try await until("the module is reported") { problems[.noAnswer].count == 1 }
    #expect(outcomes.isEmpty)
    answer?(.list)
    try await until("the completion is called") { outcomes == [[.banner, .list]] }
  }
}
