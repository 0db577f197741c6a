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
  func `the host delivers an event to every module, and returns its outcome once`(name: String) async throws {
    let row = try #require(SystemEventRow.all.first { $0.name == name }, "no row of the table is called \(name)")
    let event = try #require(SystemEvent.all.first { $0.name == name })
    #expect(row.id == event.id)
    for one in row.cases {
      // Each case needs its own host, because the events of module phases occur only once per host.
      let host = SystemEventHost(manager([FirstRecorder.self, SecondRecorder.self]))
      if !event.id.hasPrefix("modules.") {
        try host.modules.start()
        await host.modules.waitUntilIdle()
      }
      let before = trace.lines.count
      one.prepare()
      let (outcome, count) = try await row.fire(host)
      #expect(outcome == one.outcome && count == 1)
      let lines = trace.lines[before...].filter { !event.id.hasPrefix("modules.") || $0.contains(" \(name) ") }
      #expect(lines == ["FirstRecorder \(name) \(row.payload)", "SecondRecorder \(name) \(row.payload)"])
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `every system event has a row in the table, and every row has a system event`() {
    let names = SystemEventRow.all.map(\.name)
    #expect(names == SystemEvent.all.map(\.name))
    #expect(Set(names).count == names.count)
    #expect(Set(SystemEvent.all.map(\.id)).count == names.count)
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
    let host = SystemEventHost(manager([]))
    try host.modules.start()
    #expect(host.trigger(.didFinishLaunching, LaunchOptions()))
    #expect(
      !host.trigger(.openURL, OpenedURL(URL(string: "shop://x")!))
        && !host.trigger(.willContinueUserActivity, UserActivity(type: "reading")))
    var outcomes: [String] = []
    host.trigger(.performQuickAction, QuickAction(type: "x")) { outcomes.append("\($0)") }
    host.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) { outcomes.append("\($0)") }
    host.trigger(.willPresentNotification, UserNotification(identifier: "x")) { outcomes.append("\($0)") }
    host.trigger(.didReceiveNotificationResponse, NotificationResponse(UserNotification(identifier: "x"))) { _ in
      outcomes.append("done")
    }
    host.trigger(.handleBackgroundURLSession, "x") { _ in outcomes.append("done") }
    #expect(outcomes == ["false", "noData", "[]", "done", "done"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a host whose manager is not started completes at once, which is reported`() {
    let host = SystemEventHost(manager([FirstRecorder.self]))
    var outcomes: [FetchResult] = []
    host.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) { outcomes.append($0) }
    #expect(outcomes == [.noData])
    #expect(problems.diagnostics.map(\.code) == [.notStarted])
    #expect(problems.diagnostics.first?.subject == "notification.didReceiveRemote")
  }

  @Test func `modules have the host's time limit, and a module that does not answer is named`() async throws {
    let host = SystemEventHost(manager([Silent.self]), timeLimit: 3)
    try host.modules.start()
    var results: [FetchResult] = []
    host.trigger(.didReceiveRemoteNotification, RemoteNotification(userInfo: [:])) { results.append($0) }
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
