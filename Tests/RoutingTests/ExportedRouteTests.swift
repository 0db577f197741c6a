import Registry
import Routing
import TestSupport
import Testing

/// Routes that are exported as in an app.
///
/// The routes are in ExportedRoutes.swift.
@Suite(.timeLimit(.minutes(20))) struct ExportedRouteTests {
  let problems = DiagnosticCollector()

  static let records = RecordSource.records {
    guard $0.kind == .route || $0.kind == .action, $0.group == nil else { return false }
    if let handler = $0.handlerName { return handler.hasPrefix("RoutingTests/ExportedRoutes.swift:") }
    // The other tests export one type.
    return $0.typeName.map { $0.hasPrefix("RoutingTests.") && !$0.hasSuffix(".CanceledScreen") } ?? false
  }

  private func router() -> Router { Router(records: Self.records, onDiagnostic: problems.handler) }

  @Test func `a closure takes the parameters and the request, one of them, or nothing`() async throws {
    let router = router()
    #expect(try await router.open(.exported, OrderLink(id: 7)).id == 7)
    #expect(try await router.open(.exportedBare, OrderLink(id: 8)).id == 8)
    #expect(try await router.open(url("exp://request/a%2Fb/c"), from: .local).value as? String == "a/b|c")
    #expect(try await router.open(.exportedRequest) == "none")
    #expect(try await router.open(.exportedNothing) == "nothing")
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a closure in a type can use private members on the type's actor`() async throws {
    let router = router()
    #expect(try await router.open(.exportedInType) == "in a type")
    #expect(try await router.open(.exportedOnMain).hasPrefix("on main "))
    #expect(try await router.open(.exportedAway) == "away")
  }

  @Test func `a type is created from its parameters on its actor`() async throws {
    let router = router()
    let screen = try await router.open(.exportedScreen, OrderLink(id: 3))
    #expect(screen is MainScreen && screen.id == 3)
    #expect(try await router.object(for: url("exp://screen/4"), as: MainScreen.self, from: .local).id == 4)
    #expect(try await router.object(for: url("exp://throwing/4"), as: (any Screen).self, from: .local).id == 5)
    #expect(try await router.open(.exportedActor, OrderLink(id: 6)) is ActorScreen)
    let void = try await router.open(.exportedVoid)
    _ = try await router.open(.exportedMainVoid)
    #expect(try await router.object(for: url("exp://void"), as: VoidScreen.self, from: .local) !== void)
  }

  @Test func `a type is created from the request, in the isolation of its initializer`() async throws {
    let router = router()
    #expect(
      try await router.object(for: url("exp://of-request?q=7"), as: RequestScreen.self, from: .local).query == "7")
    #expect(try await router.open(.exportedOfRequest).query == nil)
    for isOnMain in [true, false] {
      let open: nonisolated(nonsending) @Sendable () async throws -> [String] = {
        let screens = (
          try await router.open(.exportedWaiting, OrderLink(id: 3)),
          try await router.open(.exportedWaitingRequest, OrderLink(id: 4)),
          try await router.open(.exportedWaitingVoid), try await router.open(.exportedWaitingOfRequest)
        )
        return [screens.0.text, screens.1.text, screens.2.text, screens.3.text]
      }
      let texts =
        isOnMain
        ? try await Task { @MainActor in try await open() }.value
        : try await Task { @concurrent in try await open() }.value
      #expect(
        texts == [
          "3 \(isOnMain)", "4 exported.waitingRequest \(isOnMain)", "\(isOnMain)",
          "exported.waitingOfRequest \(isOnMain)",
        ])
    }
  }

  @Test func `the initializer that takes the request is preferred`() async throws {
    let router = router()
    #expect(
      try await router.object(for: url("exp://choice"), as: ChoiceScreen.self, from: .local).route == "exported.choice")
    let screen = try await router.open(.exportedOrderChoice, OrderLink(id: 5))
    #expect(screen.route == "exported.orderChoice")
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `the list contains every route with its image, types, and location`() async throws {
    let router = router()
    await router.scanImages()
    let routes = router.routes.filter { $0.action == nil }
    #expect(
      routes.map(\.id) == [
        "exported.actor", "exported.away", "exported.bare", "exported.choice", "exported.closure", "exported.inType",
        "exported.mainVoid", "exported.nothing", "exported.ofRequest", "exported.onMain", "exported.orderChoice",
        "exported.request", "exported.screen", "exported.throwing", "exported.void", "exported.waiting",
        "exported.waitingOfRequest", "exported.waitingRequest", "exported.waitingVoid",
      ])
    let closure = try #require(routes.first { $0.id == "exported.closure" })
    #expect(closure.handler == "RoutingTests/ExportedRoutes.swift:34:1" && closure.access == .remote)
    #expect(closure.parameters == OrderLink.self && closure.outcome == (any Screen).self)
    #expect(closure.patterns == [#pattern("exp://closure/:id(Int)")] && closure.image != nil)
    #expect(
      closure.description.hasPrefix(
        "exported.closure (OrderLink) -> Screen, remote: exp://closure/:id(Int); RoutingTests/ExportedRoutes.swift:34:1 ("
      ))
    #expect(routes.first { $0.id == "exported.throwing" }?.handler == "RoutingTests.RouteSpace.ThrowingScreen")
    let actions = router.routes.filter { $0.action != nil }
    #expect(actions.map(\.action) == ["refresh", "show"] && actions.map(\.access) == [.remote, .local])
    #expect(actions.allSatisfy { $0.module == "RoutingTests" && $0.id == "exported" && $0.image != nil })
    #expect(
      actions[1].description.hasPrefix(
        "exported.show (ShowOrder) -> String, local; RoutingTests/ExportedRoutes.swift:"))
    #expect(actions[1].description.hasSuffix(" (\(try #require(actions[1].image)))"))
  }

  @Test func `records name their routes and actions`() {
    let records = router().report().records
    #expect(records.contains { $0.kind == .route && $0.name == ".exported" && $0.hasAccessor })
    #expect(records.contains { $0.name == "Route<Void, String>.exportedAway" })
    #expect(records.contains { $0.name == ".exportedScreen" && $0.typeName == "RoutingTests.MainScreen" })
    #expect(records.contains { $0.kind == .action && $0.name == "exported.show" })
    #expect(Set(records.map(\.kind.description)) == ["rout", "actn"])
  }

  @Test func `synchronous code off the main actor finds a main-actor route after it was read`() async throws {
    let router = router()
    let before = await Task.detached { router.routes.map(\.id) }.value
    #expect(!before.contains("exported.onMain") && before.contains("exported.closure"))
    #expect(problems[.unreadRoute].map(\.subject) == ["RoutingTests/ExportedRoutes.swift:57:3"])
    #expect(problems[.unreadRoute].first?.message.contains("await router.scanImages()") == true)
    await Task.detached { await router.scanImages() }.value
    #expect(await Task.detached { router.routes.map(\.id) }.value.contains("exported.onMain"))

    let another = self.router()
    let there = await MainActor.run { another.routes.map(\.id) }
    #expect(there.contains("exported.onMain"))
    #expect(problems.diagnostics.count == 1)
  }

  @Test func `a second handler of an exported route is reported and not used`() async throws {
    let router = router()
    let token = router.register(.exportedNothing) { "late" }
    #expect(try await router.open(.exportedNothing) == "nothing")
    let problem = try #require(problems[.duplicate].first)
    #expect(problems.diagnostics.count == 1 && problem.subject.hasPrefix("RoutingTests/ExportedRouteTests.swift:"))
    #expect(
      problem.message.contains("exported.nothing") && problem.message.contains("RoutingTests/ExportedRoutes.swift:40:1")
    )
    #expect(token.cancel() && !token.cancel())
  }

  @Test func `a separate router has the routes that its source selects`() async throws {
    let none = Router()
    await #expect(throws: RouteError.self) { try await none.open(.exportedNothing) }
    let one = Router(records: .records { $0.name == ".exportedNothing" })
    #expect(one.routes.map(\.id) == ["exported.nothing"])
  }
}
