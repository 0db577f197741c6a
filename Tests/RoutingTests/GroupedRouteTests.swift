import Foundation
import Registry
import Testing

@testable import Routing

extension Route where Parameters == Void, Outcome == String {
  fileprivate static var grouped: Self { .init("groups.closure", [#pattern("grp://closure")]) }
}

@ExportRoute(.groupedScreen, group: "RoutingTests.document")
struct GroupedScreen: Sendable {
  let text: String

  init(_ word: Word) { text = word.word }
}

extension Route where Parameters == Word, Outcome == GroupedScreen {
  static var groupedScreen: Self { .init("groups.screen") }
}

#exportRoute(.grouped, group: "RoutingTests.document") { _, request in "grouped \(request.origin)" }
#exportAction("groups", "act", group: "RoutingTests.document") { 1 }

/// Tests of routes and actions that belong to a group.
@Suite(.timeLimit(.minutes(20))) struct GroupedRouteTests {
  @Test func `only a router of the group has its routes and actions`() async throws {
    let router = Router(records: .group("RoutingTests.document"))
    #expect(router.routes.map(\.id) == ["groups", "groups.closure", "groups.screen"])
    #expect(try await router.open(.grouped) == "grouped local")
    #expect(try await router.open(.groupedScreen, Word(word: "w")).text == "w")
    #expect(try await router.perform("groups", "act", as: Int.self) == 1)
    for other in [Router.shared, Router(records: .group("RoutingTests.other"))] {
      await #expect(throws: RouteError.self) { try await other.open(.grouped) }
      await #expect(throws: RouteError.self) { try await other.perform("groups", "act") }
    }
  }

  @Test func `an error of another router names the group`() async {
    for router in [Router.shared, Router(services: .shared, records: .records { $0.group == nil })] {
      for id in ["closure", "screen"] {
        let error = await #expect(throws: RouteError.self) {
          if id == "closure" {
            try await router.open(.grouped)
          } else {
            try await router.open(.groupedScreen, Word(word: "w"))
          }
        }
        let says = """
          the group 'RoutingTests.document' exports it; use the router of a manager with \
          'records: .group("RoutingTests.document")'
          """
        #expect(error?.description.contains(says) == true, "\(String(describing: error))")
      }
    }
    let problem = Router.shared.problem(of: "groups.closure") ?? ""
    #expect(problem.hasPrefix("the group 'RoutingTests.document' exports it"), "\(problem)")
    let request = await #expect(throws: RouteError.self) {
      try await Router.shared.open(URL(string: "grp://closure")!, from: .remote)
    }
    #expect(request?.description.contains("RoutingTests.document") == false)
  }

  @Test func `a router of a group without routes says so`() async {
    let router = Router(records: .group("RoutingTests.other"))
    let error = await #expect(throws: RouteError.self) { try await router.open(.grouped) }
    let says = ", but its router reads none; correct the filter or the group in 'records:'"
    #expect(error?.description.contains(says) == true)
  }
}
