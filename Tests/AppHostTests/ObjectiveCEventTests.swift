import AppHost
import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@Suite(.timeLimit(.minutes(20))) @MainActor struct ObjectiveCEventTests {
  let problems = DiagnosticCollector()
  let log = LegacyLog()
  let time = ManualTime()

  /// Creates a manager with a module that implements the given methods, and starts it if
  /// requested.
  private func manager(
    _ selectors: [String], isStarted: Bool = true,
    _ body: @escaping @MainActor (String, ObjectiveCCall) -> Void = { _, _ in }
  ) throws -> ModuleManager {
    let manager = ModuleManager(time: time.source, onDiagnostic: problems.handler)
    SimulatedObjectiveC(legacy: log.legacy(selectors, body)).run { _ = manager.register(named: "LegacyModule") }
    if isStarted { try manager.start() }
    log.lines = []
    return manager
  }

  private static let selectors = (SystemEvent.all + [.custom]).flatMap(\.moduleSelectors)

  // MARK: - The table

  @Test(arguments: SystemEvent.all.map(\.name))
  func `every system event calls its method once, and the outcome is unchanged without an answer`(
    name: String
  ) async throws {
    let event = try #require(SystemEvent.all.first { $0.name == name })
    let row = try #require(SystemEventRow.all.first { $0.name == name })
    try #require(!event.moduleSelectors.isEmpty)
    for selector in event.moduleSelectors {
      let modules = try manager([selector], isStarted: !row.id.hasPrefix("modules."))
      let (_, count) = try await row.fire(modules)
      await modules.waitUntilIdle()
      #expect(log.lines.filter { $0 != "init" } == [selector] && count == 1)
      #expect(log.calls.last?.contents.event == row.id)
      let (outcome, _) = try await row.fire(
        started(ModuleManager(onDiagnostic: problems.handler), row))
      let (own, _) = try await row.fire(try self.manager([selector], isStarted: !row.id.hasPrefix("modules.")))
      #expect(own == outcome)
    }
    #expect(problems.unexpected.isEmpty)
  }

  private func started(_ manager: ModuleManager, _ row: SystemEventRow) throws -> ModuleManager {
    if !row.id.hasPrefix("modules.") { try manager.start() }
    return manager
  }

  @Test func `no two events have the same method`() {
    #expect(Set(Self.selectors).count == Self.selectors.count)
  }

  @Test func `every selector of BeeHive is in the table or is a phase`() {
    let beeHive = [
      "SetUp", "Init", "Splash", "QuickAction", "TearDown", "WillResignActive", "DidEnterBackground",
      "WillEnterForeground", "DidBecomeActive", "WillTerminate", "Unmount", "OpenURL", "DidReceiveMemoryWaring",
      "DidFailToRegisterForRemoteNotifications", "DidRegisterForRemoteNotifications", "DidReceiveRemoteNotification",
      "DidReceiveLocalNotification", "WillPresentNotification", "DidReceiveNotificationResponse",
      "WillContinueUserActivity", "ContinueUserActivity", "DidFailToContinueUserActivity",
      "DidUpdateContinueUserActivity", "DidCustomEvent",
    ].map { "mod\($0):" }
    let known = Set(Self.selectors + ["modSetUp:", "modInit:", "modSplash:", "modTearDown:"])
    #expect(beeHive.filter { !known.contains($0) } == [])
  }

  @Test func `the protocol for classes declares exactly the methods of the table`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let source = try String(
      contentsOf: root.appendingPathComponent("Sources/AppHost/ObjectiveC/REGModule.swift"), encoding: .utf8)
    let declared = source.matches(of: /@objc optional func (\w+)\(_ context: REGContext\)/).map { "\($0.1):" }
    let phases = ["modSetUp:", "modInit:", "modSplash:", "modTearDown:"]
    #expect(declared.sorted() == (phases + Self.selectors).sorted())
  }

  @Test func `a class with both spellings of a method is called once, with this package's spelling`() throws {
    let modules = try manager(["modDidReceiveMemoryWaring:", "modDidReceiveMemoryWarning:"])
    modules.trigger(.didReceiveMemoryWarning)
    #expect(log.lines == ["modDidReceiveMemoryWarning:"])
  }

  // MARK: - Answers

  @Test func `an answer becomes the outcome, and the last of several answers is used`() throws {
    let url = OpenedURL(URL(string: "shop://cart")!)
    let answers = Answers()
    let modules = try manager(["modOpenURL:", "modDidFinishLaunching:"]) { _, call in
      for answer in answers.given { call.give(answer) }
    }
    #expect(!modules.trigger(.openURL, url) && modules.trigger(.didFinishLaunching, LaunchOptions()))
    answers.given = [true]
    #expect(modules.trigger(.openURL, url) && modules.trigger(.didFinishLaunching, LaunchOptions()))
    answers.given = [true, false]
    #expect(!modules.trigger(.openURL, url) && !modules.trigger(.didFinishLaunching, LaunchOptions()))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `asynchronous answers have the type of their event`() async throws {
    let selectors = ["modDidReceiveRemoteNotification:", "modWillPresentNotification:", "modQuickAction:"]
    let modules = try manager(selectors) { selector, call in
      switch selector {
      case "modDidReceiveRemoteNotification:": call.give(BackgroundFetchResult.newData)
      case "modWillPresentNotification:": call.give([.sound, .banner] as NotificationPresentationOptions)
      default: call.give(true)
      }
    }
    #expect(await modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) == .newData)
    #expect(await modules.trigger(.willPresentNotification, UserNotification(identifier: "n")) == [.sound, .banner])
    #expect(await modules.trigger(.performQuickAction, QuickAction(type: "search")))
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `an event waits for its deferrals, on whichever thread they end`() async throws {
    let modules = try manager(["modDidReceiveRemoteNotification:"]) { _, call in
      let deferral = call.takeTime()
      let other = call.takeTime()
      Thread.detachNewThread {
        other.finish()
        DispatchQueue.main.async {
          MainActor.assumeIsolated { call.give(BackgroundFetchResult.failed) }
          deferral.finish()
          deferral.finish()
        }
      }
    }
    let result = await modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:]))
    #expect(result == .failed && problems.diagnostics.isEmpty)
  }

  @Test func `an event also waits for a deferral that begins during another one`() async throws {
    let modules = try manager(["modDidReceiveRemoteNotification:"]) { _, call in
      let first = call.takeTime()
      Task {
        let second = call.takeTime()
        first.finish()
        for _ in 0..<50 { await Task.yield() }
        call.give(BackgroundFetchResult.newData)
        second.finish()
      }
    }
    let result = await modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:]))
    #expect(result == .newData && problems.diagnostics.isEmpty)
  }

  @Test func `a deferral that is released ends`() async throws {
    let modules = try manager(["modDidReceiveRemoteNotification:"]) { _, call in
      call.give(BackgroundFetchResult.newData)
      _ = call.takeTime()
    }
    #expect(await modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) == .newData)
  }

  @Test func `a module that takes too long is reported by name, and its answer is dropped`() async throws {
    var deferral: ObjectiveCDeferral?
    let modules = try manager(["modDidReceiveRemoteNotification:"]) { _, call in deferral = call.takeTime() }
    let result = Task {
      await modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:]), timeLimit: 3)
    }
    try await time.sleepers(1)
    time.advance(seconds: 3)
    #expect(await result.value == .noData)
    #expect(problems.codes == [.noAnswer] && problems.diagnostics[0].subject == "LegacyModule")
    // The cancelled task ends in a later turn.
    for _ in 0..<50 { await Task.yield() }
    let call = try #require(log.calls.last)
    call.give(BackgroundFetchResult.newData)
    deferral?.finish()
    #expect(problems.codes == [.noAnswer, .wrongAnswer])
    #expect(
      problems.diagnostics[1].message.contains(
        "'-modDidReceiveRemoteNotification:' called '-answerFetchResult:' after its event"))
  }

  @Test func `an answer to an event without one, or of another type, is reported and dropped`() async throws {
    let modules = try manager(["modDidBecomeActive:", "modOpenURL:", "modWillTerminate:"]) { selector, call in
      switch selector {
      case "modDidBecomeActive:": call.give(true)
      case "modOpenURL:": call.give(BackgroundFetchResult.newData)
      default: _ = call.takeTime()
      }
    }
    modules.trigger(.didBecomeActive)
    #expect(!modules.trigger(.openURL, OpenedURL(URL(string: "shop://cart")!)))
    modules.trigger(.willTerminate)
    log.calls[0].give(true)
    log.calls[0].fail(CancellationError())
    _ = log.calls[0].takeTime()
    #expect(problems.codes == Array(repeating: .wrongAnswer, count: 6))
    let messages = problems.diagnostics.map(\.message)
    #expect(messages[0].hasPrefix("'-modDidBecomeActive:' called '-answer:', but its event takes no answer"))
    #expect(
      messages[1].hasPrefix(
        "'-modOpenURL:' called '-answerFetchResult:', but its event requires an answer with '-answer:'"))
    #expect(messages[2].hasPrefix("'-modWillTerminate:' called '-takeTime', but"))
    #expect(messages[4].hasPrefix("'-modDidBecomeActive:' called '-failWithError:' after its event had ended"))
  }

  @Test func `an unsupported value in the parameters of a custom event is reported with its path`() {
    let (parameters, leftOut) = PropertyValue.converting(["a": 1, "b": ["c": NSObject()]] as [String: Any])
    #expect(parameters == ["a": 1, "b": [:]])
    #expect(
      leftOut.map { $0.diagnostic("cart.didChange").message } == [
        "some of its parameters are ignored: b.c: a property list cannot contain a value of type 'NSObject'"
      ])
  }

  @Test func `the numbers of answers are those of UIKit`() {
    #expect((0...3).map { BackgroundFetchResult(systemValue: $0) } == [.newData, .noData, .failed, nil])
    #expect(NotificationPresentationOptions(systemBits: 1 | 2) == [.badge, .sound])
    #expect(NotificationPresentationOptions(systemBits: 4) == [.banner, .list])
    #expect(
      NotificationPresentationOptions(systemBits: 8) == .list
        && NotificationPresentationOptions(systemBits: 16) == .banner)
    #expect(
      NotificationPresentationOptions(systemBits: 0) == [] && NotificationPresentationOptions(systemBits: 1 << 20) == []
    )
  }

  // MARK: - Custom events

  @Test func `a custom event reaches Objective-C and Swift with its parameters`() throws {
    let modules = try manager(["modDidCustomEvent:"])
    var heard: [CustomEvent] = []
    let subscription = modules.on(.custom) { event, _ in heard.append(event) }
    defer { subscription.cancel() }
    modules.trigger(.custom, CustomEvent("cart.didChange", parameters: ["count": 3]))
    #expect(log.calls.last?.contents.customEvent == "cart.didChange")
    #expect(log.calls.last?.contents.userInfo == ["count": 3])
    #expect(heard == [CustomEvent("cart.didChange", parameters: ["count": 3])])
  }
}

/// The answers that a module gives.
@MainActor private final class Answers {
  var given: [Bool] = []
}
