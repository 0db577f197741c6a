import AppHost
import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@Suite(.timeLimit(.minutes(20))) @MainActor struct SystemEventTests {
  let problems = DiagnosticCollector()
  let trace = Trace()
  let time = ManualTime()

  private func manager(_ modules: [any Module.Type]) -> ModuleManager {
    ModuleManager(
      modules: modules, configuration: ContextValues { $0[.trace] = trace }, time: time.source,
      onDiagnostic: problems.handler)
  }

  /// Returns the text of a file in the repository.
  private static func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(arguments: SystemEvent.all.map(\.name))
  func `the manager delivers an event to every module, and returns its outcome once`(name: String) async throws {
    let row = try #require(SystemEventRow.all.first { $0.name == name }, "no row of the table is called \(name)")
    let event = try #require(SystemEvent.all.first { $0.name == name })
    #expect(row.id == event.id)
    for one in row.cases {
      // The events of module phases occur only once in each manager.
      let modules = manager([FirstRecorder.self, SecondRecorder.self])
      if !event.id.hasPrefix("modules.") {
        try modules.start()
        await modules.waitUntilIdle()
      }
      let before = trace.lines.count
      one.prepare()
      let (outcome, count) = try await row.fire(modules)
      #expect(outcome == one.outcome && count == 1)
      let lines = trace.lines[before...].filter { !event.id.hasPrefix("modules.") || $0.contains(" \(name) ") }
      #expect(lines == ["FirstRecorder \(name) \(row.payload)", "SecondRecorder \(name) \(row.payload)"])
    }
    #expect(problems.unexpected.isEmpty)
  }

  @Test func `every system event has a row in the table, and every row has a system event`() {
    let names = SystemEventRow.all.map(\.name)
    #expect(names == SystemEvent.all.map(\.name))
    #expect(Set(names).count == names.count)
    #expect(Set(SystemEvent.all.map(\.id)).count == names.count)
  }

  @Test func `reports don't list system events as events that nothing handles`() {
    #expect(SystemEvent.all.map(\.id).filter { !$0.isReserved } == [])
  }

  @Test func `the catalog lists every declared event`() throws {
    let topics = ["Application", "Notifications", "UserActivity", "Scenes"]
    let files =
      topics.map { "Sources/AppHost/SystemEvents/SystemEvents+\($0)" } + [
        "Sources/AppHost/SystemEvents/AppLink", "Sources/Lifecycle/Events/ApplicationStateEvents",
        "Sources/Lifecycle/Events/PhaseEvents",
      ]
    let declared = try files.flatMap { file in
      let names = try Self.text("\(file).swift").matches(of: /public static var (\w+): Self/).map { String($0.1) }
      #expect(!names.isEmpty)
      return names
    }
    #expect(declared.sorted() == SystemEvent.all.map(\.name).sorted())
  }

  @Test func `the documentation lists every system event with its types`() throws {
    let page = try Self.text("Documentation/SystemEvents.md")
    for row in SystemEventRow.all { #expect(page.contains(row.documentation), "\(row.documentation)") }
  }

  @Test func `scenes that were discarded are in the order of the identifiers`() {
    let scenes = AppScene.inOrder(["c", "a", "b"].map { AppScene(identifier: $0) })
    #expect(scenes.map(\.identifier) == ["a", "b", "c"])
  }

  @Test func `without modules, the outcomes are the initial ones`() throws {
    let modules = manager([])
    try modules.start()
    #expect(modules.trigger(.didFinishLaunching, LaunchOptions()))
    #expect(
      !modules.trigger(.openURL, OpenedURL(URL(string: "shop://x")!))
        && !modules.trigger(.willContinueUserActivity, UserActivity(type: "reading")))
    var outcomes: [String] = []
    modules.trigger(.performQuickAction, QuickAction(type: "x")) { outcomes.append("\($0)") }
    modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) { outcomes.append("\($0)") }
    modules.trigger(.willPresentNotification, UserNotification(identifier: "x")) { outcomes.append("\($0)") }
    modules.trigger(.didReceiveNotificationResponse, NotificationResponse(UserNotification(identifier: "x"))) { _ in
      outcomes.append("done")
    }
    modules.trigger(.handleBackgroundURLSession, "x") { _ in outcomes.append("done") }
    #expect(outcomes == ["false", "noData", "\(NotificationPresentationOptions())", "done", "done"])
    #expect(problems.unexpected.isEmpty)
  }

  @Test func `a manager that is not started completes at once, which is reported`() {
    let modules = manager([FirstRecorder.self])
    var outcomes: [BackgroundFetchResult] = []
    modules.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) { outcomes.append($0) }
    #expect(outcomes == [.noData])
    #expect(problems.diagnostics.map(\.code) == [.notStarted])
    #expect(problems.diagnostics.first?.subject == "notification.didReceiveRemote")
  }

  @Test func `modules have the configured time limit, and a module that does not answer is named`() async throws {
    let modules = manager([Silent.self])
    modules.context.configuration[.systemEventTimeLimit] = 3
    try modules.start()
    var results: [BackgroundFetchResult] = []
    modules.deliver(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:]), by: .appDelegate) {
      results.append($0)
    }
    try await time.sleepers(1)
    time.advance(seconds: 3)
    try await until("the completion is called") { !results.isEmpty }
    #expect(results == [.noData])
    #expect(problems.diagnostics.map(\.code) == [.noAnswer])
    #expect(problems.diagnostics.first?.subject == "AppHostTests.Silent")
  }
}

/// A module that does not answer until it is cancelled.
private final class Silent: Module {
  static func subscribe(_ events: Subscriptions<Silent>) {
    events.on(.didReceiveRemoteNotification) { _, _, _ in
      let forever = ManualTime()
      try? await forever.source.sleep(1)
      return .newData
    }
  }
}
