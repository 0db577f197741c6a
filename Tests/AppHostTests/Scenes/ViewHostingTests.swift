import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

private struct Broken: Error {}

private final class Failing: Module {
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add("set up")
    throw Broken()
  }
}

private final class FailingLater: AsyncModule {
  func becomeReady(_ context: Context) async throws { throw Broken() }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct ViewHostingTests {
  private let problems = DiagnosticCollector()
  private let trace = Trace()

  private func manager(_ modules: any Module.Type...) -> ModuleManager {
    ModuleManager(
      modules: modules, configuration: ContextValues { [trace] in $0[.trace] = trace },
      onDiagnostic: problems.handler)
  }

  @Test func `a view starts the modules once`() async throws {
    let modules = manager(LinkRecorder.self)
    modules.startOnce()
    #expect(modules.moduleNames == ["AppHostTests.LinkRecorder"])
    #expect(modules.context.launch[.launchOptions] != nil)
    modules.startOnce()
    #expect(problems.diagnostics.isEmpty)
    modules.stop()
    try await until("the modules have stopped") { !modules.isStarted }
  }

  @Test func `a view does not start modules that the app or its delegate has started`() throws {
    let modules = manager(LinkRecorder.self)
    try modules.start()
    modules.startOnce()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a start that fails is reported and not repeated`() {
    let modules = manager(Failing.self)
    for _ in 0..<3 { modules.startOnce() }
    #expect(trace.lines == ["set up"])
    #expect(problems.diagnostics.map(\.code) == [.startFailed])
    let fix = "; call 'start()' before the hooks or the view to handle the error"
    #expect(problems.diagnostics.first?.message.hasSuffix(fix) == true)
  }

  @Test func `a view does not repeat the failed start of a delegate`() {
    let modules = manager(Failing.self)
    var failures = 0
    modules.startOnce(
      LaunchOptions(), { try modules.start(launch: $0) }, onFailure: { _ in failures += 1 })
    modules.startOnce()
    #expect(failures == 1 && trace.lines == ["set up"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a view does not start modules again that the app has stopped`() throws {
    let modules = manager(LinkRecorder.self)
    modules.startOnce(
      LaunchOptions(), { try modules.start(launch: $0) }, onFailure: { _ in Issue.record("no failure") })
    modules.stop()
    modules.startOnce()
    #expect(!modules.isStarted)
    try modules.start()
    #expect(modules.isStarted)
  }

  @Test func `a view does not start modules again that the app has started, although they do not run`() throws {
    let failing = manager(Failing.self)
    #expect(throws: ModuleError.self) { try failing.start() }
    failing.startOnce()
    #expect(trace.lines == ["set up"] && problems.diagnostics.isEmpty)
    let stopped = manager(LinkRecorder.self)
    try stopped.start()
    stopped.stop()
    stopped.startOnce()
    #expect(!stopped.isStarted)
  }

  @Test func `a delegate reports no failure if the app or a view has started the modules before`() throws {
    for startsInView in [false, true] {
      let modules = manager(LinkRecorder.self)
      if startsInView { modules.startOnce() } else { try modules.start() }
      modules.startOnce(
        LaunchOptions(), { try modules.start(launch: $0) }, onFailure: { Issue.record($0) })
      #expect(modules.isStarted)
      modules.stop()
    }
  }

  @Test func `a delegate that starts the modules itself, and then calls super, reports no failure`() {
    let modules = manager(LinkRecorder.self)
    modules.startOnce(
      LaunchOptions(), { for _ in 1...2 { try modules.start(launch: $0) } }, onFailure: { Issue.record($0) })
    #expect(modules.isStarted)
    modules.stop()
  }

  @Test func `an asynchronous phase that fails later is reported`() async throws {
    let modules = manager(FailingLater.self)
    modules.startOnce()
    #expect(modules.isStarted)
    try await until("the failure is reported") { problems.diagnostics.contains { $0.code == .startFailed } }
    #expect(!modules.isStarted)
  }

  @Test func `views receive the activities of the system and of the app`() {
    #expect(UserActivity.types(nil) == ["NSUserActivityTypeBrowsingWeb", "com.apple.corespotlightitem"])
    let info = ["NSUserActivityTypes": ["com.example.order", "NSUserActivityTypeBrowsingWeb"]]
    #expect(
      UserActivity.types(info) == [
        "NSUserActivityTypeBrowsingWeb", "com.apple.corespotlightitem", "com.example.order",
      ])
  }

  @Test func `a phase that modules miss because they never started is reported once`() {
    let modules = manager()
    modules.on(.sceneDidBecomeActive) { _, _ in }
    var phase = AppScene.Phase.background
    for next in [AppScene.Phase.active, .background, .active] {
      modules.scene(AppScene(identifier: "s1"), has: phase.enter(next))
    }
    #expect(problems.diagnostics.map(\.subject) == ["scene.didBecomeActive"])
  }

  @Test func `a view reports no phases that notifications report`() throws {
    let modules = manager()
    try modules.start()
    var count = 0
    modules.on(.sceneDidBecomeActive) { _, _ in count += 1 }
    let scene = AppScene(identifier: "s1")
    var phase = AppScene.Phase.background
    modules.scene(scene, has: phase.enter(.active))
    #expect(count == 1)
    modules.observe(.sceneDidBecomeActive) { _ in }
    modules.scene(scene, has: phase.enter(.inactive))
    modules.scene(scene, has: phase.enter(.active))
    #expect(count == 1)
  }
}
