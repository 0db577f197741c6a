import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

/// A module that records the links that it receives.
final class LinkRecorder: Module {
  static func subscribe(_ events: Subscriptions<LinkRecorder>) {
    events.on(.openLink) { _, link, context in
      context.configuration[.trace].add("\(link.source.name) \(link.url) \(link.scene?.identifier ?? "-")")
    }
  }
}

extension AppLink.Source {
  /// The name of the case.
  var name: String {
    switch self {
    case .url: "url"
    case .universalLink: "universalLink"
    case .handoff: "handoff"
    case .spotlight: "spotlight"
    case .quickAction: "quickAction"
    case .notification: "notification"
    }
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct LinkDeliveryTests {
  private let trace = Trace()
  private let problems = DiagnosticCollector()
  private let time = ManualTime()
  private let modules: ModuleManager

  init() {
    modules = ModuleManager(
      modules: [LinkRecorder.self], configuration: ContextValues { [trace] in $0[.trace] = trace },
      time: time.source, onDiagnostic: problems.handler)
  }

  /// The combinations in which the app receives the link at all.
  ///
  /// SwiftUI passes no quick actions to views. The notification center requires a delegate before
  /// the app has finished launching, and views are created later.
  nonisolated static let rows = AppSetUp.allCases.flatMap { setUp in
    LinkKind.allCases.filter { setUp != .swiftUIWithoutDelegate || ![.quickAction, .notification].contains($0) }
      .map { (setUp, $0) }
  }

  private func expected(_ setUp: AppSetUp, _ kind: LinkKind) -> String {
    let url = kind == .universalLink ? SimulatedLaunch.webURL : SimulatedLaunch.ownURL
    return "\(kind.rawValue) \(url) \(setUp == .appDelegate ? "-" : "s1")"
  }

  @Test(arguments: rows) func `a link that launches the app is delivered once`(
    setUp: AppSetUp, kind: LinkKind
  ) async throws {
    let system = SimulatedLaunch(modules, setUp)
    try modules.start()
    system.launch(kind)
    try await settle()
    #expect(trace.lines == [expected(setUp, kind)])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(arguments: rows) func `a link that finds the app running is delivered once, and again when it is opened again`(
    setUp: AppSetUp, kind: LinkKind
  ) async throws {
    let system = SimulatedLaunch(modules, setUp)
    var events = 0
    modules.on(.openURL) { _, _ in
      events += 1
      return false
    }
    modules.on(.continueUserActivity) { _, _ in
      events += 1
      return false
    }
    try modules.start()
    await modules.waitUntilIdle()
    system.open(kind)
    try await settle()
    #expect(trace.lines == [expected(setUp, kind)])
    let hasEvent = ![.quickAction, .notification].contains(kind)
    #expect(events == (hasEvent ? 1 : 0))
    system.open(kind)
    try await settle()
    #expect(trace.lines.count == 2)
    #expect(events == (hasEvent ? 2 : 0))
  }

  @Test(arguments: rows) func `a link that launched the app is delivered again when it is opened again`(
    setUp: AppSetUp, kind: LinkKind
  ) async throws {
    let system = SimulatedLaunch(modules, setUp)
    try modules.start()
    system.launch(kind)
    try await settle()
    time.advance(seconds: 1)
    system.open(kind)
    try await settle()
    #expect(trace.lines.count == 2)
  }

  @Test func `links wait until the modules are started`() async throws {
    let system = SimulatedLaunch(modules, .sceneDelegate)
    system.open(.url)
    system.open(.universalLink)
    try await settle()
    #expect(trace.lines == [])
    try modules.start()
    #expect(trace.lines == [], "a link is not delivered during the callback that starts the modules")
    try await until("both links are delivered") { trace.lines.count == 2 }
    #expect(trace.lines == ["url shop://order/7 s1", "universalLink https://shop.example/orders/7 s1"])
    modules.stop()
    system.open(.handoff)
    try await settle()
    #expect(trace.lines.count == 2)
    try modules.start()
    try await until("the link after the stop is delivered") { trace.lines.count == 3 }
  }

  @Test func `links wait until asynchronous modules are ready`() async throws {
    Gate.shared = Gate()
    modules.register(SlowModule.self)
    let system = SimulatedLaunch(modules, .sceneDelegate)
    try modules.runInBackground { _ in }
    system.launch(.url)
    try await until("the module is becoming ready") { Gate.shared.isWaiting }
    try await settle()
    #expect(trace.lines == [])
    Gate.shared.open()
    try await until("the link is delivered") { trace.lines.count == 1 }
    modules.stop()
    try await until("the modules have stopped") { !modules.isStarted }
  }

  @Test func `a link that is opened while asynchronous modules shut down waits for the next start`() async throws {
    // Another gate than that of the test above, which can run at the same time.
    Gate.leaving = Gate()
    modules.register(LeavingModule.self)
    let system = SimulatedLaunch(modules, .sceneDelegate)
    try modules.runInBackground { _ in }
    await modules.waitUntilIdle()
    modules.stop()
    try await until("the module is shutting down") { Gate.leaving.isWaiting }
    system.open(.url)
    try await settle()
    #expect(modules.isStarted && trace.lines == [])
    Gate.leaving.open()
    try await until("the modules have stopped") { !modules.isStarted }
    try await settle()
    #expect(trace.lines == [])
    modules.unregister(LeavingModule.self)
    try modules.start()
    try await until("the link is delivered") { trace.lines == ["url shop://order/7 s1"] }
  }

  @Test func `links wait for the next start if an asynchronous module fails`() async throws {
    modules.register(FailingModule.self)
    let system = SimulatedLaunch(modules, .sceneDelegate)
    var failures = 0
    try modules.runInBackground { _ in failures += 1 }
    system.launch(.url)
    try await until("the start has failed") { failures == 1 }
    system.open(.universalLink)
    try await settle()
    #expect(trace.lines == [])
    modules.unregister(FailingModule.self)
    try modules.start()
    try await until("both links are delivered") { trace.lines.count == 2 }
    #expect(trace.lines == ["url shop://order/7 s1", "universalLink https://shop.example/orders/7 s1"])
  }

  @Test func `a link that the app delivers and nothing receives is reported`() async throws {
    let modules = ModuleManager(modules: [OtherModule.self], onDiagnostic: problems.handler)
    let link = try #require(URL(string: "shop://order/7"))
    modules.deliver(AppLink(link))
    try await settle()
    #expect(problems.diagnostics.isEmpty, "the link waits for the start")
    try modules.start()
    try await until("the problem is reported") { !problems.diagnostics.isEmpty }
    #expect(
      problems.diagnostics.map(\.description) == [
        "warning: app.openLink: no module and no handler receives the link 'shop://order/7'; subscribe to '.openLink',"
          + " link the target that does, or deliver the link to the manager that has its modules [unhandled-link]"
      ])
  }

  @Test func `a link that nothing receives is not reported if a system reports it as well, or has a handler`()
    async throws
  {
    let modules = ModuleManager(modules: [OtherModule.self], onDiagnostic: problems.handler)
    let link = try #require(URL(string: "shop://order/7"))
    try modules.start()
    modules.deliver(.openURL, OpenedURL(link), by: .openURL)
    modules.deliver(AppLink(link))
    try await settle()
    let (trace, other) = (trace, try #require(URL(string: "shop://order/8")))
    modules.on(.openLink) { link, _ in trace.add("\(link.url)") }
    modules.deliver(AppLink(other))
    try await until("the handler received the link") { trace.lines == ["shop://order/8"] }
    #expect(problems.diagnostics.isEmpty)
  }

  /// Lets the tasks of links run.
  private func settle() async throws {
    for _ in 0..<100 { await Task.yield() }
  }
}

/// A module that receives no links.
private final class OtherModule: Module {}

/// A gate that a module waits for.
@MainActor private final class Gate {
  static var shared = Gate()
  static var leaving = Gate()
  private var continuation: CheckedContinuation<Void, Never>?
  var isWaiting: Bool { continuation != nil }

  func wait() async { await withCheckedContinuation { continuation = $0 } }

  func open() {
    continuation?.resume()
    continuation = nil
  }
}

private final class SlowModule: AsyncModule {
  func becomeReady(_ context: Context) async throws { await Gate.shared.wait() }
}

private final class LeavingModule: AsyncModule {
  func shutDown(_ context: Context) async throws { await Gate.leaving.wait() }
}

private final class FailingModule: AsyncModule {
  private struct Broken: Error {}

  func becomeReady(_ context: Context) async throws { throw Broken() }
}
