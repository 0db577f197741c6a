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
    SystemEventHost(modules).startOnce()
    #expect(modules.modules == ["AppHostTests.LinkRecorder"])
    #expect(modules.context.launch[.launchOptions] != nil)
    SystemEventHost(modules).startOnce()
    #expect(problems.diagnostics.isEmpty)
    modules.stop()
    try await until("the modules have stopped") { !modules.isStarted }
  }

  @Test func `a view does not start modules that the app or its delegate has started`() throws {
    let modules = manager(LinkRecorder.self)
    try modules.start()
    SystemEventHost(modules).startOnce()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a start that fails is reported and not repeated`() {
    let modules = manager(Failing.self)
    for _ in 0..<3 { SystemEventHost(modules).startOnce() }
    #expect(trace.lines == ["set up"])
    #expect(problems.diagnostics.map(\.code) == [.startFailed])
  }

  @Test func `a view does not repeat the failed start of a delegate`() {
    let modules = manager(Failing.self)
    var failures = 0
    SystemEventHost(modules).startOnce(
      LaunchOptions(), { try modules.start(launch: $0) }, onFailure: { _ in failures += 1 })
    SystemEventHost(modules).startOnce()
    #expect(failures == 1 && trace.lines == ["set up"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a view does not start modules again that the app has stopped`() throws {
    let modules = manager(LinkRecorder.self)
    SystemEventHost(modules).startOnce(
      LaunchOptions(), { try modules.start(launch: $0) }, onFailure: { _ in Issue.record("no failure") })
    modules.stop()
    SystemEventHost(modules).startOnce()
    #expect(!modules.isStarted)
    try modules.start()
    #expect(modules.isStarted)
  }

  @Test func `a delegate reports no failure if the app or a view has started the modules before`() throws {
    for startsInView in [false, true] {
      let modules = manager(LinkRecorder.self)
      if startsInView { SystemEventHost(modules).startOnce() } else { try modules.start() }
      SystemEventHost(modules).startOnce(
        LaunchOptions(), { try modules.start(launch: $0) }, onFailure: { Issue.record($0) })
      #expect(modules.isStarted)
      modules.stop()
    }
  }

  @Test func `an asynchronous phase that fails later is reported`() async throws {
    let modules = manager(FailingLater.self)
    SystemEventHost(modules).startOnce()
    #expect(modules.isStarted)
    try await until("the failure is reported") { problems.diagnostics.contains { $0.code == .startFailed } }
    #expect(!modules.isStarted)
  }

  @Test func `views receive the activities of the system and of the app`() {
    #expect(SystemEventHost.activityTypes(nil) == ["NSUserActivityTypeBrowsingWeb", "com.apple.corespotlightitem"])
    let info = ["NSUserActivityTypes": ["com.example.order", "NSUserActivityTypeBrowsingWeb"]]
    #expect(
      SystemEventHost.activityTypes(info) == [
        "NSUserActivityTypeBrowsingWeb", "com.apple.corespotlightitem", "com.example.order",
      ])
  }

  @Test func `a view reports no phases if the scene has a delegate or hooks`() throws {
    let modules = manager()
    try modules.start()
    var count = 0
    modules.on(.sceneDidBecomeActive) { _, _ in count += 1 }
    let (host, scene) = (SystemEventHost(modules), AppScene(identifier: "s1"))
    var phase = AppScene.Phase.background
    host.scene(scene, enters: .active, from: &phase)
    #expect(count == 1)
    modules.sharedHostState.hasSceneDelegates = true
    host.scene(scene, enters: .inactive, from: &phase)
    host.scene(scene, enters: .active, from: &phase)
    #expect(count == 1)
  }
}
