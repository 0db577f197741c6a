import Registry
import Routing

// The tests' binary exports these routes and actions. Tests find them by their line numbers.

extension Route where Parameters == OrderLink, Outcome == any Screen {
  static var exported: Self { .init("exported.closure", [#pattern("exp://closure/:id(Int)")], access: .remote) }
  static var exportedScreen: Self { .init("exported.screen", [#pattern("exp://screen/:id(Int)")]) }
  static var exportedBare: Self { .init("exported.bare") }
  static var exportedThrowing: Self { .init("exported.throwing", [#pattern("exp://throwing/:id(Int)")]) }
  static var exportedActor: Self { .init("exported.actor") }
}
extension Route where Parameters == Void, Outcome == String {
  static var exportedRequest: Self { .init("exported.request", [#pattern("exp://request/**")]) }
  static var exportedNothing: Self { .init("exported.nothing") }
  static var exportedInType: Self { .init("exported.inType") }
  static var exportedOnMain: Self { .init("exported.onMain") }
  static var exportedAway: Self { .init("exported.away") }
}
extension Route where Parameters == Void, Outcome == VoidScreen {
  static var exportedVoid: Self { .init("exported.void", [#pattern("exp://void")]) }
}

protocol Screen: Sendable {
  var id: Int { get }
}

struct ScreenBroken: Error {}

struct ValueScreen: Screen {
  let id: Int
}

#exportRoute(.exported) { parameters, request in ValueScreen(id: parameters.id) }
#exportRoute(.exportedBare) { parameters in
  MainActor.assertIsolated()
  return ValueScreen(id: parameters.id)
}
#exportRoute(.exportedRequest) { _, request in request.remainingSegments?.joined(separator: "|") ?? "none" }
#exportRoute(.exportedNothing) { "nothing" }
#exportRoute(
  Route<Void, String>.exportedAway,
  handler: { @concurrent in
    await Task.yield()
    return "away"
  })

enum RouteSpace {
  private static let secret = "in a type"

  #exportRoute(.exportedInType) { secret }
}

@MainActor enum MainSpace {
  static var count = 0

  #exportRoute(.exportedOnMain) {
    count += 1
    return "on main \(count)"
  }
}

@ExportRoute(.exportedScreen) @MainActor final class MainScreen: Screen {
  let id: Int

  init(_ parameters: OrderLink) {
    id = parameters.id
  }
}

extension RouteSpace {
  @ExportRoute(.exportedThrowing) struct ThrowingScreen: Screen {
    let id: Int

    init(parameters: OrderLink, for request: RouteRequest) throws {
      guard request.origin == .local else { throw ScreenBroken() }
      id = parameters.id + 1
    }
  }
}

@ExportRoute(.exportedActor) actor ActorScreen: Screen {
  let id: Int

  init(_ parameters: OrderLink) async {
    await Task.yield()
    id = parameters.id
  }
}

@ExportRoute(.exportedVoid) final class VoidScreen: Sendable {
  init() {}
}

extension Route where Parameters == Void, Outcome == ChoiceScreen {
  static var exportedChoice: Self { .init("exported.choice", [#pattern("exp://choice")]) }
}
extension Route where Parameters == OrderLink, Outcome == OrderChoiceScreen {
  static var exportedOrderChoice: Self { .init("exported.orderChoice", [#pattern("exp://choice/:id(Int)")]) }
}

/// A type with two initializers that a route could use.
@ExportRoute(.exportedChoice) struct ChoiceScreen {
  let route: String?

  init() { route = nil }
  init(_ request: RouteRequest) { route = request.routeID }
}

@ExportRoute(.exportedOrderChoice) final class OrderChoiceScreen: Sendable {
  let route: String?

  init(_ link: OrderLink) async { route = nil }
  init(_ link: OrderLink, for request: RouteRequest) async { route = request.routeID }
}

struct ShowOrder: Codable, Sendable {
  enum Style: String, Codable { case short, long }
  var id: Int
  var style: Style?
}

#exportAction("exported", "show") { (parameters: ShowOrder) in "order \(parameters.id) \(parameters.style as Any)" }
#exportAction("exported", "refresh", access: .remote) { 17 }

// These types are created from the request, or by initializers that run on the caller's actor. All
// asynchronous initializers do so in modules with `NonisolatedNonsendingByDefault`.

extension Route where Parameters == Void, Outcome == RequestScreen {
  static var exportedOfRequest: Self { .init("exported.ofRequest", [#pattern("exp://of-request")]) }
}
extension Route where Parameters == OrderLink, Outcome == WaitingScreen {
  static var exportedWaiting: Self { .init("exported.waiting") }
}
extension Route where Parameters == OrderLink, Outcome == WaitingRequestScreen {
  static var exportedWaitingRequest: Self { .init("exported.waitingRequest") }
}
extension Route where Parameters == Void, Outcome == WaitingVoidScreen {
  static var exportedWaitingVoid: Self { .init("exported.waitingVoid") }
}
extension Route where Parameters == Void, Outcome == WaitingOfRequestScreen {
  static var exportedWaitingOfRequest: Self { .init("exported.waitingOfRequest") }
}

@ExportRoute(.exportedOfRequest) struct RequestScreen: Sendable {
  let query: String?

  init(_ request: RouteRequest) {
    query = request.queryValue("q")
  }
}

@ExportRoute(.exportedWaiting) struct WaitingScreen: Sendable {
  let text: String

  nonisolated(nonsending) init(_ parameters: OrderLink) async {
    await Task.yield()
    text = "\(parameters.id) \(isOnMainActor())"
  }
}

@ExportRoute(.exportedWaitingRequest) struct WaitingRequestScreen: Sendable {
  let text: String

  nonisolated(nonsending) init(_ parameters: OrderLink, request: RouteRequest) async throws {
    await Task.yield()
    text = "\(parameters.id) \(request.routeID ?? "") \(isOnMainActor())"
  }
}

@ExportRoute(.exportedWaitingVoid) struct WaitingVoidScreen: Sendable {
  let text: String

  nonisolated(nonsending) init() async {
    await Task.yield()
    text = "\(isOnMainActor())"
  }
}

@ExportRoute(.exportedWaitingOfRequest) struct WaitingOfRequestScreen: Sendable {
  let text: String

  nonisolated(nonsending) init(_ request: RouteRequest) async throws {
    await Task.yield()
    text = "\(request.routeID ?? "") \(isOnMainActor())"
  }
}

extension Route where Parameters == Void, Outcome == MainVoidScreen {
  static var exportedMainVoid: Self { .init("exported.mainVoid") }
}

@ExportRoute(.exportedMainVoid) @MainActor final class MainVoidScreen {
  init() { MainActor.assertIsolated() }
}
