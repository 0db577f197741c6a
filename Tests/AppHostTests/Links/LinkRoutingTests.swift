import AppHost
import Foundation
import Lifecycle
import Registry
import Routing
import TestSupport
import TestWaits
import Testing

extension Route where Parameters == Void, Outcome == String {
  fileprivate static var order: Self { .init("test.order", [#pattern("shop://order/7")], access: .remote) }
  fileprivate static var refund: Self { .init("test.refund", [#pattern("shop://refund/7")]) }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct LinkRoutingTests {
  private let trace = Trace()
  private let modules = ModuleManager()

  init() {
    let (router, trace) = (Router(records: .none), trace)
    router.onDiagnostic = { _ in }
    router.register(.order) { "order" }
    router.register(.refund) { "refund" }
    // Opens links as `Documentation/SystemEvents.md` does, with a router of the test.
    modules.on(.openLink, taskPriority: .userInitiated) { link in
      do {
        trace.add("\(try await router.open(link.url, from: .remote).value)")
      } catch {
        trace.add("\(error)".contains("[route-not-found]") ? "not found" : "\(error)")
      }
    }
  }

  @Test(arguments: [("shop://order/7", "order"), ("shop://refund/7", "not found")])
  func `a link that launches the app reaches a remote route, and not an internal one`(
    link: String, outcome: String
  ) async throws {
    let url = try #require(URL(string: link))
    try modules.start()
    modules.deliver(
      .sceneWillConnect, SceneConnection(AppScene(identifier: "s1"), urls: [OpenedURL(url)]), by: .sceneDelegate)
    try await until("the router has answered") { trace.lines == [outcome] }
  }
}
