import Registry
import Routing
import TestSupport
import Testing

extension Route where Parameters == Word, Outcome == String {
  fileprivate static var plugged: Self { .init("plugged.word", [#pattern("plug://:word")], access: .remote) }
}
extension Route where Parameters == Void, Outcome == String {
  fileprivate static var shared: Self { .init("plugged.shared", [#pattern("plug-shared://x")]) }
}

/// The routes in the order in which a router read them.
private let readRoutes = Trace()

/// Implements the accessor of a route that belongs to the main actor.
private func provideTraced(_ name: String, _ out: UnsafeMutableRawPointer?, _ type: UnsafeRawPointer?) -> Bool {
  guard let out else { return false }
  return __provideRoute(out, type) { @MainActor routes in
    readRoutes.add(name)
    routes.on(Route<Void, String>("traced.\(name)")) { name }
  }
}

/// Routes of images that are loaded and unloaded.
///
/// The tests run one at a time, so that none observes another test's images.
@Suite(.serialized, .timeLimit(.minutes(20))) struct PlugInTests {
  let problems = DiagnosticCollector()

  private func router(_ objects: SharedObject...) -> Router {
    let paths = objects.map(\.path)
    return Router(records: .images { paths.contains($0.path) }, onDiagnostic: problems.handler)
  }

  /// Returns C code for the records of a route and an action, whose accessors are in this process.
  private func source(_ name: String, line: Int = 1) -> String {
    SharedObject.badAccessors(kind: RecordKind.route.rawValue)
      + SharedObject.goodAccessor { out, type, _ in
        guard let out else { return false }
        return __provideRoute(out, type) { routes in routes.on(.plugged) { parameters in "plugged \(parameters.word)" }
        }
      }
        + """
        RECORD(first, good, "{\\"route\\":\\".plugged\\",\\"handler\\":\\"\(name)/P.swift:\(line):1\\"}")

        """
  }

  /// C code for the record of a route that belongs to the main actor.
  private var mainActorSource: String {
    SharedObject.badAccessors(kind: RecordKind.route.rawValue)
      + SharedObject.goodAccessor { out, type, _ in
        guard let out else { return false }
        return __provideRoute(out, type) { @MainActor routes in routes.on(.shared) { "shared" } }
      } + #"RECORD(first, good, "{\"route\":\".shared\",\"handler\":\"Main/P.swift:1:1\"}")"#
  }

  @Test func `opening an image adds its routes, and closing it removes them`() async throws {
    let object = try SharedObject(source("Plug"), name: "routes")
    let router = router(object)
    #expect(router.routes.isEmpty)
    for _ in 0..<2 {
      let opened = try OpenedImage(object.path)
      #expect(router.canOpen(url("plug://x"), from: .remote)?.routeID == "plugged.word")
      #expect(try await router.open(.plugged, Word(word: "a")) == "plugged a")
      #expect(try await router.object(for: url("plug://b"), from: .remote) == "plugged b")
      #expect(router.routes.map(\.image?.path) == [object.path] && router.report().records.count == 1)
      opened.close()
      #expect(router.canOpen(url("plug://x"), from: .local) == nil && router.routes.isEmpty)
      await #expect(throws: RouteError.self) { try await router.open(.plugged, Word(word: "a")) }
      await #expect(throws: RouteError.self) { try await router.open(url("plug://b"), from: .local) }
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a handler is not called if its image is closed while interceptors wait`() async throws {
    let object = try SharedObject(source("Slow"), name: "slow_routes")
    let router = router(object)
    let opened = try OpenedImage(object.path)
    router.intercept { request in
      opened.close()
      return .proceed
    }
    await #expect(throws: RouteError.self) { try await router.open(url("plug://b"), from: .local) }
  }

  @Test func `a route that is unread when its image is closed stays unread`() async throws {
    let object = try SharedObject(mainActorSource, name: "main_routes")
    let router = router(object)
    for isRead in [false, true] {
      let opened = try OpenedImage(object.path)
      #expect(await Task.detached { router.routes.count }.value == 0)
      if isRead { #expect(try await router.open(.shared) == "shared") }
      opened.close()
      await router.scanImages()
      #expect(router.routes.isEmpty)
    }
    #expect(problems.codes.allSatisfy { $0 == .unreadRoute } && !problems.codes.isEmpty)
  }

  @Test func `a later image does not replace a route until the first image is closed`() async throws {
    let (first, second) = (try SharedObject(source("First"), name: "one"), try SharedObject(source("Aaa"), name: "two"))
    let router = router(first, second)
    let one = try OpenedImage(first.path)
    #expect(router.routes.map(\.handler) == ["First/P.swift:1:1"])
    let two = try OpenedImage(second.path)
    #expect(router.routes.map(\.handler) == ["First/P.swift:1:1"])
    let problem = try #require(problems[.duplicate].first)
    #expect(problems.diagnostics.count == 1 && problem.image == two.image && problem.subject == "Aaa/P.swift:1:1")
    #expect(problem.message.hasSuffix("; if both must run, trigger an event"))
    #expect(problem.message.contains("plugged.word") && problem.message.contains("'First/P.swift:1:1' (libone.so)"))
    one.close()
    #expect(router.routes.map(\.handler) == ["Aaa/P.swift:1:1"])
    #expect(try await router.object(for: url("plug://x"), from: .local) == "plugged x")
    two.close()
    #expect(router.routes.isEmpty)
  }

  @Test func `closing the image of an ignored handler removes only that handler`() throws {
    let (first, second) = (
      try SharedObject(source("First"), name: "used"), try SharedObject(source("Aaa"), name: "ignored")
    )
    let router = router(first, second)
    let one = try OpenedImage(first.path)
    #expect(router.routes.map(\.handler) == ["First/P.swift:1:1"])
    let two = try OpenedImage(second.path)
    #expect(router.routes.map(\.handler) == ["First/P.swift:1:1"])
    two.close()
    #expect(router.routes.map(\.handler) == ["First/P.swift:1:1"])
    one.close()
    #expect(router.routes.isEmpty && router.canOpen(url("plug://x"), from: .local) == nil)
  }

  @Test func `among images that are loaded together, the smaller source location decides`()
    throws
  {
    let (named, numbered) = ([("Xa", 12), ("Xb", 9)], [("Xc", 9), ("Xc", 12)])
    for (order, places) in [named, numbered].flatMap({ [($0, $0), ($0, $0.reversed())] }) {
      let problems = DiagnosticCollector()
      let objects = try places.map { try SharedObject(source($0, line: $1), name: "together\($0)\($1)") }
      let paths = objects.map(\.path)
      // An image that needs both loads them at the same time. If they were opened one by one,
      // another test could scan between the two.
      let needing = try SharedObject("int unused;", name: "together", flags: ["-Wl,--no-as-needed"] + paths)
      defer { withExtendedLifetime(objects) {} }
      try needing.open()
      let router = Router(records: .images { paths.contains($0.path) }, onDiagnostic: problems.handler)
      let handlers = order.map { "\($0)/P.swift:\($1):1" }
      #expect(router.routes.map(\.handler) == [handlers[0]])
      #expect(problems.diagnostics.map(\.subject) == [handlers[1]])
      needing.close()
    }
  }

  @Test func `an image does not replace a handler that was registered before`() async throws {
    let object = try SharedObject(source("Late"), name: "late_routes")
    let router = router(object)
    let token = router.register(.plugged) { _ in "registered" }
    let opened = try OpenedImage(object.path)
    #expect(try await router.object(for: url("plug://x"), from: .local) == "registered")
    #expect(problems[.duplicate].map(\.subject) == ["Late/P.swift:1:1"])
    token.cancel()
    #expect(try await router.object(for: url("plug://x"), from: .local) == "plugged x")
    opened.close()
  }

  @Test func `a registered handler does not replace one of an image until the image is closed`() async throws {
    let object = try SharedObject(source("Early"), name: "early_routes")
    let router = router(object)
    let opened = try OpenedImage(object.path)
    #expect(router.routes.count == 1)
    let token = router.register(.plugged) { _ in "registered" }
    #expect(try await router.object(for: url("plug://x"), from: .local) == "plugged x")
    #expect(problems[.duplicate].count == 1 && problems[.duplicate][0].message.contains("Early/P.swift:1:1"))
    #expect(!problems[.duplicate][0].message.contains("cancel its token"), "the handler in use has no token")
    opened.close()
    #expect(try await router.object(for: url("plug://x"), from: .local) == "registered")
    token.cancel()
  }

  @Test func `a handler that is registered right after an image was opened does not replace its handler`() async throws
  {
    let object = try SharedObject(source("Early"), name: "unscanned_routes")
    let router = router(object)
    #expect(router.routes.isEmpty)
    let opened = try OpenedImage(object.path)
    // Registering is the first use of the router since the image was opened.
    let token = router.register(.plugged) { _ in "registered" }
    #expect(try await router.object(for: url("plug://x"), from: .local) == "plugged x")
    #expect(problems[.duplicate].map { $0.subject.hasPrefix("RoutingTests/PlugInTests.swift:") } == [true])
    opened.close()
    #expect(try await router.object(for: url("plug://x"), from: .local) == "registered")
    token.cancel()
  }

  @Test func `an exported route that another actor reads late precedes one that code registered before`() async throws {
    let object = try SharedObject(mainActorSource, name: "late_read")
    let router = router(object)
    let opened = try OpenedImage(object.path)
    let token = await Task.detached { router.register(.shared) { "registered" } }.value
    #expect(try await router.open(.shared) == "shared")
    #expect(problems.codes == [.duplicate])
    #expect(problems.diagnostics.map { $0.image == nil && $0.message.contains("'Main/P.swift:1:1'") } == [true])
    opened.close()
    #expect(try await router.open(.shared) == "registered")
    token.cancel()
  }

  @Test func `an interceptor can open the image of a main-actor route and redirect to it`() async throws {
    let object = try SharedObject(mainActorSource, name: "opened_late")
    let (router, path) = (router(object), object.path)
    let opened = Locked<OpenedImage?>(nil)
    router.register(.home) { "home" }
    router.intercept { request in
      guard request.routeID == "test.home" else { return .proceed }
      try opened.withLock { $0 = try OpenedImage(path) }
      return .redirect(.shared)
    }
    #expect(try await Task.detached { try await router.open(.home) }.value == "shared")
    opened.withLock { $0?.close() }
  }

  // Reading a route runs code of its feature, so the order must not depend on a hash.
  @MainActor @Test func `routes of the main actor are read in the order of their images and locations`() throws {
    readRoutes.clear()
    let accessors: [SharedObject.Accessor] = [
      { out, type, _ in provideTraced("a", out, type) }, { out, type, _ in provideTraced("b", out, type) },
      { out, type, _ in provideTraced("c", out, type) }, { out, type, _ in provideTraced("d", out, type) },
      { out, type, _ in provideTraced("e", out, type) }, { out, type, _ in provideTraced("f", out, type) },
    ]
    // Each image has two routes. The second one is first by its location.
    let objects = try (0..<3).map { number in
      let (first, second) = (accessors[2 * number], accessors[2 * number + 1])
      let source =
        SharedObject.badAccessors(kind: RecordKind.route.rawValue)
        + SharedObject.goodAccessor(first).replacing("good", with: "first")
        + SharedObject.goodAccessor(second).replacing("good", with: "second")
          + """
          RECORD(one, first, "{\\"route\\":\\".x\\",\\"handler\\":\\"Traced/\(3 - number).swift:2:1\\"}")
          RECORD(two, second, "{\\"route\\":\\".x\\",\\"handler\\":\\"Traced/\(3 - number).swift:1:1\\"}")

          """
      return try SharedObject(source, name: "traced\(number)")
    }
    let paths = objects.map(\.path)
    let router = Router(records: .images { paths.contains($0.path) }, onDiagnostic: problems.handler)
    let opened = try objects.map { try OpenedImage($0.path) }
    #expect(router.routes.map(\.id) == ["a", "b", "c", "d", "e", "f"].map { "traced.\($0)" })
    #expect(readRoutes.lines == ["b", "a", "d", "c", "f", "e"])
    for image in opened { image.close() }
  }

  @Test func `opening an image adds its actions, and closing it removes them`() async throws {
    let object = try SharedObject(
      SharedObject.badAccessors(kind: RecordKind.action.rawValue)
        + SharedObject.goodAccessor { out, type, _ in
          guard let out else { return false }
          return __provideRoute(out, type) { routes in routes.action("plug", "count", access: .remote) { 7 } }
        } + #"RECORD(first, good, "{\"target\":\"plug\",\"action\":\"count\",\"handler\":\"Acts/P.swift:1:1\"}")"#,
      name: "actions")
    let router = router(object)
    for _ in 0..<2 {
      let opened = try OpenedImage(object.path)
      #expect(try await router.perform("plug", "count", as: Int.self, module: "Acts", from: .remote) == 7)
      #expect(router.routes.map(\.image?.path) == [object.path])
      opened.close()
      let error = await #expect(throws: RouteError.self) { try await router.perform("plug", "count") }
      #expect(error?.kind == .actionNotFound(module: nil, nearest: nil) && error?.target == "plug.count")
      #expect(router.routes.isEmpty)
    }
    #expect(problems.diagnostics.isEmpty)
  }

  // MARK: - Malformed records

  @Test(arguments: [
    ("expected an object", ""), ("missing member 'route'", #"{"handler":"A/B.swift:1:1"}"#),
    ("missing member 'route'", #"{"route":"","handler":"A/B.swift:1:1"}"#),
    ("missing member 'handler' or 'class'", #"{"route":".a"}"#),
    ("expected a string", #"{"route":7,"handler":"A/B.swift:1:1"}"#),
    ("expected a string", #"{"route":".a","class":["A.B"]}"#),
    ("duplicate key 'route'", #"{"route":".a","route":".b","handler":"A"}"#),
    ("expected the end", #"{"route":".a","handler":"A/B.swift:1:1"}x"#),
    ("nesting deeper than 64", #"{"route":".a","x":"# + String(repeating: "{\"y\":", count: 100)),
    (
      "the record of a route has no accessor; export the route with '#exportRoute': {",
      #"{"route":".a","handler":"A/B:1"}"#
    ),
    (
      "the record of a route has no accessor",
      "{\"route\":\"\(String(repeating: "x", count: 1 << 20))\",\"handler\":\"A/\\u0007\"}"
    ),
  ])
  func `a broken record of a route is reported with image and offset`(
    says: String, json: String
  ) throws {
    let problem = try problem(json, RecordKind.route.rawValue)
    #expect(problem.message.contains(says), "\(problem.message)")
  }

  @Test(arguments: [
    ("missing member 'target'", #"{"action":"a","handler":"A"}"#),
    ("missing member 'action'", #"{"target":"a","handler":"A"}"#),
    ("missing member 'handler'", #"{"target":"a","action":"b"}"#),
    ("export the action with '#exportAction'", #"{"target":"a","action":"b","handler":"A/B:1","access":[]}"#),
  ])
  func `a broken record of an action is reported with image and offset`(says: String, json: String) throws {
    let problem = try problem(json, RecordKind.action.rawValue)
    #expect(problem.message.contains(says), "\(problem.message)")
  }

  /// Returns the diagnostic that a malformed record causes.
  private func problem(_ json: String, _ kind: UInt32) throws -> Diagnostic {
    var records = RecordBytes()
    records.record(json, kind: kind)
    let object = try SharedObject(records: records, name: "hostile_routes")
    try object.open()
    let router = router(object)
    #expect(router.routes.isEmpty)
    let problem = try #require(problems.diagnostics.first)
    #expect(problems.diagnostics.count == 1)
    #expect(problem.code == .malformedRecord && problem.severity == .error && problem.image?.path == object.path)
    #expect(problem.subject.hasPrefix("record at offset ") && problem.description.utf8.count <= 2_000)
    return problem
  }

  @Test func `a broken section is reported once for a router and its services`() throws {
    var records = RecordBytes()
    records.record(Array("{}".utf8), keep: 24)
    let object = try SharedObject(records: records, name: "broken_section")
    try object.open()
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    defer { withExtendedLifetime(services) {} }
    for (count, router) in [services.router, router(object)].enumerated() {
      #expect(router.routes.isEmpty && !router.services.contains(Shelf.self))
      #expect(problems.codes.count == count + 1)
    }
    #expect(problems.codes == [.malformedRecord, .malformedRecord])
  }

  @Test func `a broken record, or one with a wrong accessor, affects only itself`()
    async throws
  {
    let object = try SharedObject(
      source("Good") + #"""
        static bool empty(void *out, const void *type, uintptr_t reserved) { return type ? true : good(out, type, reserved); }
        static bool sulky(void *out, const void *type, uintptr_t reserved) { return type ? false : good(out, type, reserved); }
        RECORD(two, nothing, "{\"route\":\".a\",\"handler\":\"A/A:2:1\"}")
        RECORD(three, liar, "{\"route\":\".a\",\"handler\":\"A/A:3:1\"}")
        RECORD(four, empty, "{\"route\":\".a\",\"handler\":\"A/A:4:1\"}")
        RECORD(five, sulky, "{\"route\":\".a\",\"handler\":\"A/A:5:1\"}")
        """#
        + SharedObject.goodAccessor { out, type, _ in
          guard let out else { return false }
          return __provideRoute(out, type) { _ in }
        }.replacing("good", with: "lazy")
        + SharedObject.goodAccessor { out, type, _ in
          guard let out else { return false }
          return __provideRoute(out, type) { routes in
            routes.on(.shared) { "one" }
            routes.on(.shared) { "two" }
          }
        }.replacing("good", with: "twice")
        + SharedObject.goodAccessor { out, type, _ in
          guard let out else { return false }
          return __provideRoute(out, type) { routes in routes.action("x", "y") { 1 } }
        }.replacing("good", with: "action")
          + #"""
          RECORD(six, lazy, "{\"route\":\".a\",\"handler\":\"A/A:6:1\"}")
          RECORD(seven, twice, "{\"route\":\".a\",\"handler\":\"A/A:7:1\"}")
          RECORD(eight, action, "{\"route\":\".a\",\"handler\":\"A/A:8:1\"}")
          RECORD(nine, good, "{\"route\":7,\"handler\":\"A/A:9:1\"}")
          """#, name: "odd_routes")
    try object.open()
    let router = router(object)
    #expect(try await router.object(for: url("plug://x"), from: .local) == "plugged x")
    #expect(router.routes.map(\.action) == [nil])
    #expect(problems[.malformedRecord].count == 1)
    #expect(problems[.unavailable].map(\.subject) == ["A/A:2:1"])
    #expect(
      problems[.accessorRefused].map(\.subject) == ["A/A:3:1", "A/A:4:1", "A/A:5:1", "A/A:6:1", "A/A:7:1", "A/A:8:1"])
    #expect(problems.diagnostics.allSatisfy { $0.image?.path == object.path })
  }
}
