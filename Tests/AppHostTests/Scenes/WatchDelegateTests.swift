import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

/// A background task of a simulated watch.
@MainActor private final class SimulatedTask: RefreshTask {
  let urlSession: String?
  private(set) var completions = 0

  init(_ urlSession: String? = nil) {
    self.urlSession = urlSession
  }

  func complete() { completions += 1 }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct WatchDelegateTests {
  private let time = ManualTime()
  private let problems = DiagnosticCollector()
  private let modules: ModuleManager

  init() throws {
    modules = ModuleManager(time: time.source, onDiagnostic: problems.handler)
    try modules.start()
  }

  @Test func `a task of a background session is completed when the modules are done`() async throws {
    let work = ManualTime()
    var sessions: [String] = []
    modules.on(.handleBackgroundURLSession) { identifier, _ in
      sessions.append(identifier)
      try await work.source.sleep(1)
    }
    let tasks = [SimulatedTask("b"), SimulatedTask("a")]
    modules.handle(tasks)
    try await work.sleepers(2)
    #expect(sessions == ["a", "b"] && tasks.map(\.completions) == [0, 0])
    work.advance(seconds: 1)
    try await until("the tasks are completed") { tasks.map(\.completions) == [1, 1] }
  }

  @Test func `a task without an event, or without a module for it, is completed at once`() {
    let tasks = [SimulatedTask(), SimulatedTask("a")]
    modules.handle(tasks)
    #expect(tasks.map(\.completions) == [1, 1] && problems.unexpected.isEmpty)
  }

  @Test func `a task is completed although a module does not answer, and although the modules never started`()
    async throws
  {
    modules.on(.handleBackgroundURLSession) { _, _ in try await ManualTime().source.sleep(1) }
    let task = SimulatedTask("a")
    modules.handle([task])
    try await time.sleepers(1)
    time.advance(seconds: 10)
    try await until("the task is completed") { task.completions == 1 }
    #expect(problems.diagnostics.map(\.code) == [.noAnswer])
    let idle = SimulatedTask("a")
    ModuleManager(onDiagnostic: problems.handler).handle([idle])
    #expect(idle.completions == 1 && problems.diagnostics.map(\.code) == [.noAnswer, .notStarted])
    modules.context.configuration[.systemEventTimeLimit] = 3
    let short = SimulatedTask("a")
    modules.handle([short])
    try await time.sleepers(1)
    time.advance(seconds: 3)
    try await until("a shorter limit applies") { short.completions == 1 }
  }

  @Test(arguments: [
    ("handleActivity:", SystemEventName.openLink), ("handleActivity:", .continueUserActivity),
    ("handleBackgroundTasks:", .handleBackgroundURLSession),
  ])
  func `the delegate of a watch has the methods that modules need`(selector: String, event: SystemEventName) {
    let modules = ModuleManager()
    let advertised = Advertised(.watchApplication, of: modules)
    let says = { advertised.isAdvertised($0, hasMethod: true) { false } }
    #expect(!says(selector))
    switch event {
    case .openLink: modules.on(.openLink) { _, _ in }
    case .continueUserActivity: modules.on(.continueUserActivity) { _, _ in true }
    case .handleBackgroundURLSession: modules.on(.handleBackgroundURLSession) { _, _ in }
    }
    #expect(says(selector) && says("applicationDidFinishLaunching"))
    #expect(!says("didRegisterForRemoteNotificationsWithDeviceToken:"))
    let observed = "applicationDidBecomeActive"
    #expect(says(observed) && !advertised.isAdvertised(observed, hasMethod: false) { true }, "the class itself answers")
  }

  @Test func `an activity that a watch continues is an event and a link`() async throws {
    var lines: [String] = []
    modules.on(.continueUserActivity) { activity, _ in
      lines.append(activity.type)
      return true
    }
    modules.on(.openLink) { link, _ in lines.append(link.url.absoluteString) }
    // As in the delegate's `handle(_:)`.
    let activity = UserActivity(type: "order", userInfo: ["url": "shop://order/7"])
    modules.deliver(.continueUserActivity, activity, by: .appDelegate)
    #expect(lines == ["order"])
    try await until("the link is opened") { lines == ["order", "shop://order/7"] }
  }
}

enum SystemEventName {
  case openLink
  case continueUserActivity
  case handleBackgroundURLSession
}
