// These routes and actions must compile without a diagnostic.

/// Handlers, types, and actions, in every position and spelling, in a file that does not import
/// Registry.
let routes = Fixture(
  name: "Routes.swift",
  source: """
    import Routing
    nonisolated struct OrderLink: Codable, Sendable { var id: Int }
    nonisolated struct Free: Sendable { var text: String }
    nonisolated protocol Screen: Sendable {}
    extension Route where Parameters == OrderLink, Outcome == any Screen {
      static var orderDetail: Self {
        .init(
          "shop.orderDetail",
          [#pattern("shop://order/:id(Int)"), #pattern("https://shop.example/orders/:id(Int).html")], access: .remote)
      }
      nonisolated static var orderFree: Self { .init("shop.free", [#Routing::pattern(#"shop://free/:id"#)]) }
    }
    extension Route where Parameters == OrderLink, Outcome == OrderScreen {
      static var own: Self { .init("shop.own", [#pattern("own:**")]) }
    }
    extension Route where Parameters == OrderLink, Outcome == OrderValue { static var value: Self { .init("shop.value") } }
    extension Route where Parameters == Free, Outcome == Void { static var free: Self { .init("shop.freeText") } }
    extension Route where Parameters == Void, Outcome == String {
      static var orderList: Self { .init("shop.orderList", [#pattern("shop://orders")]) }
    }
    extension Route where Parameters == Void, Outcome == any Screen { static var home: Self { .init("shop.home") } }
    nonisolated struct PlainScreen: Screen { let id: Int }
    @Sendable func makeScreen(_ link: OrderLink, _ request: RouteRequest) async throws -> any Screen { PlainScreen(id: link.id) }
    @MainActor func record(routes text: String) {}

    #exportRoute(.orderDetail) { parameters, request in PlainScreen(id: parameters.id) }
    #exportRoute(.orderDetail) { parameters in
      record(routes: "\\(parameters.id)")
      return MainScreen(parameters)
    }
    #exportRoute(.orderDetail) { parameters, _ in try await makeScreen(parameters, RouteRequest?.none!) }
    #exportRoute(.orderDetail, handler: makeScreen)
    #exportRoute(Route<OrderLink, any Screen>.orderFree, handler: { @concurrent link, request in
      await Task.yield()
      return PlainScreen(id: link.id)
    })
    #exportRoute(.free) { text in print(text.text) }; #exportRoute(.free) { _, request in print(request.origin) }
    typealias OrderHandler = @MainActor @Sendable (OrderLink) async throws -> any Screen
    func measured(_ body: @escaping OrderHandler) -> OrderHandler { { link in try await body(link) } }
    #exportRoute(.orderDetail, handler: measured { PlainScreen(id: $0.id) })
    #exportRoute(.orderDetail, handler: { id in { _ in PlainScreen(id: id) } as OrderHandler }(1))
    #exportRoute(.orderDetail) { @MainActor @Sendable link in PlainScreen(id: link.id) }
    @available(macOS 99, iOS 99, *) #exportRoute(.orderDetail) { link in PlainScreen(id: link.id) }
    #exportRoute(.orderList) { _, request in request.fragment ?? "" }
    #exportRoute(.orderList) { _ in "" }
    #exportRoute(.orderList) { "list" }
    #Routing::exportRoute(.home) { MainScreen(OrderLink(id: 1)) }
    #exportAction("orders", "show") { (parameters: OrderLink) in parameters.id }
    #exportAction("orders", "clear", access: .remote) { await Task.yield() }
    #exportAction("orders", "count") { _, request in request.router.routes.count }
    #exportAction("orders", "find") { (link: OrderLink, request) in request.origin == .local ? link.id : 0 }
    #exportAction("orders", "free", access: RouteOrigin.local, handler: { @concurrent (parameters: OrderLink) in })

    @ExportRoute(.orderDetail) @MainActor final class MainScreen: Screen { init(_ parameters: OrderLink) {} }
    @ExportRoute(.own) @ExportRoute(.value2) final class OrderScreen: Sendable { init(parameters: OrderLink) throws {} }
    extension Route where Parameters == OrderLink, Outcome == OrderScreen { static var value2: Self { .init("shop.own2") } }
    @ExportRoute(.hidden) fileprivate struct PrivateValue { fileprivate init(_ link: OrderLink) {} }
    extension Route where Parameters == OrderLink, Outcome == PrivateValue {
      fileprivate static var hidden: Self { .init("shop.private") }
    }
    nonisolated struct OrderValue: Sendable {}
    @ExportRoute(.orderDetail) actor ActorScreen: Screen { init(_ parameters: OrderLink, _ request: RouteRequest) {} }
    @ExportRoute(.orderDetail) struct AsyncScreen: Screen { init(_ parameters: OrderLink) async throws {} }
    @ExportRoute(.orderDetail) struct AsyncRequestScreen: Screen { init(_ l: OrderLink, for request: RouteRequest) async {} }
    @ExportRoute(.home) struct AsyncHome: Screen { init() async {} }
    @ExportRoute(.home) struct AsyncRequestHome: Screen { init(_ request: RouteRequest) async throws {} }
    @ExportRoute(.home) nonisolated struct HomeScreen: Screen {}
    @ExportRoute(.home) nonisolated struct RequestScreen: Screen { init(for request: RouteRequest) {} }
    @ExportRoute(.orderDetail) @available(macOS 15, iOS 18, *) struct NewScreen: Screen { init(_ link: OrderLink) {} }
    @ExportRoute(.orderDetail) @available(*, deprecated) struct OldScreen: Screen { init(_ link: OrderLink) {} }
    @ExportRoute(.orderDetail) struct `protocol`: Screen { init(_ link: OrderLink) {} }
    @ExportRoute(.home) struct Choice: Screen { init() {}; init(_ request: RouteRequest) {} }
    @ExportRoute(.home) final class AsyncChoice: Screen { init() async {}; init(_ request: RouteRequest) async throws {} }
    @ExportRoute(.orderDetail) struct EitherScreen: Screen { init(_ link: OrderLink) {}; init(_ link: OrderLink, _ request: RouteRequest) {} }
    @ExportRoute(.orderDetail) struct EitherAsync: Screen { init(_ link: OrderLink) async {}; init(_ link: OrderLink, _ request: RouteRequest) async {} }
    @available(macOS 26, iOS 26, *) extension RouteSpace {
      #exportRoute(.orderList) { "new" }
      #exportAction("space", "new") { print(secret) }
      @ExportRoute(.home) struct New: Screen {}
    }
    @available(macOS 26, iOS 26, *) struct NewRoutes { #exportRoute(.orderList) { "new" } }
    enum RouteSpace {
      private static let secret = 1
      #exportRoute(.orderList) { "\\(secret) \\(RouteSpace.secret)" }
      #exportAction("space", "show") { print(secret) }
      @ExportRoute(.orderDetail) private struct Inner: Screen { fileprivate init(_ link: OrderLink) {} }
      struct Deep { #exportRoute(.home) { _, request in try await makeScreen(OrderLink(id: 1), request) } }
    }
    extension RouteSpace { #exportRoute(.orderList) { "\\(secret)" } }
    extension Int { #exportRoute(.orderList) { "\\(Int.max)" } }
    @MainActor final class OnMainRoutes { #exportRoute(.orderList) { "main" } }
    actor ActorRoutes { init() {}; #exportRoute(.orderList2) { _ = ActorRoutes() } }

    @MainActor func use(_ router: Router) async throws {
      let screen = try await router.open(.orderDetail, OrderLink(id: 7))
      print(screen, try await router.open(.orderList))
      try await router.open(.free, Free(text: "x"))
      router.register(.orderList) { "registered" }
      router.register(.orderDetail) { link in MainScreen(link) }
      router.intercept { request in request.routeID == "shop.home" ? .redirect(.orderList2) : .proceed }
      print(try router.url(for: .orderDetail, OrderLink(id: 7)), try router.url(for: .orderList))
      print(try await router.perform("orders", "show", as: Int.self))
    }
    extension Route where Parameters == Void, Outcome == Void {
      nonisolated static var orderList2: Self { .init("shop.orderList2") }
    }
    """)

/// Uses of types from Registry: the parameters of an action, and a token.
let actionParameters = Fixture(
  name: "Parameters.swift",
  source: """
    import Registry
    import Routing
    func perform(_ router: Router) async throws -> Int {
      try await router.perform("orders", "show", ["id": 7, "tags": ["new", nil]], as: Int.self)
    }
    func intercept(_ router: Router) {
      let token = router.intercept { _ in .proceed }
      token.cancel()
    }
    """)
