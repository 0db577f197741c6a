import Registry
import RegistryReports
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ExportedServiceTests {
  let problems = DiagnosticCollector()
  let services: ServiceManager

  init() {
    services = ServiceManager(records: .ownBinary, onDiagnostic: problems.handler)
  }

  @Test func `the highest priority is preferred, and all implementations are sorted by priority`() throws {
    #expect(try services.createService(for: Greeter.self).greet() == "good day")
    #expect(try services.createServices(for: Greeter.self).map { $0.greet() } == ["good day", "my dear", "what"])
  }

  @Test func `a name finds only the implementation with that name`() throws {
    #expect(try services.createService(for: Greeter.self, named: "warm").greet() == "my dear")
    #expect(services.contains(Greeter.self, named: "warm"))
    #expect(!services.contains(Greeter.self, named: "cold"))
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Greeter.self, named: "cold") }
    #expect(error?.code == .noService && error?.service == "RegistryTests.Greeter" && error?.available == ["warm"])
    #expect(error?.description.hasPrefix("no implementation of 'RegistryTests.Greeter' named 'cold' was found") == true)
  }

  @Test func `a shared service is the same every time, and in the table`() throws {
    let first = try services.createService(for: SharedGreeter.self) as? ActorGreeter
    let second = try services.createService(for: SharedGreeter.self) as? ActorGreeter
    #expect(first != nil && first === second)
  }

  @Test func `a transient service is new every time`() throws {
    services.register(Greeter.self, replacing: true) { GruffGreeter() }
    let first = try services.createService(for: Greeter.self) as? GruffGreeter
    #expect(try services.createService(for: Greeter.self) as? GruffGreeter !== first)
  }

  @Test func `a weak service is shared while it is held`() throws {
    let made = Counter()
    services.register(Kept.self, scope: .weak, replacing: true) {
      made.increment()
      return KeptClass()
    }
    var held: (any Kept)? = try services.createService(for: Kept.self)
    #expect(try services.createService(for: Kept.self) === held)
    #expect(made.value == 1)
    held = nil
    _ = try services.createService(for: Kept.self)
    #expect(made.value == 2)
  }

  @Test func `an exported weak service is shared while it is held`() throws {
    let held = try services.createService(for: Kept.self)
    #expect(try services.createService(for: Kept.self) === held)
  }

  @Test func `scope weak on a struct is transient and reported`() throws {
    struct Value: SharedGreeter { func greet() -> String { "" } }
    services.register(SharedGreeter.self, scope: .weak, replacing: true) { Value() }
    _ = try services.createService(for: SharedGreeter.self)
    #expect(problems[.notConforming].first?.message.contains("weak") == true)
  }

  @Test func `nested types, extensions, compositions, aliases, arguments and backticks`() throws {
    #expect(try services.createService(for: (any Box<Int>).self).content == 7)
    #expect(try services.createService(for: (any Left & Right).self) is Outer.Several)
    #expect(try services.createService(for: Alias.self).name == "several")
    #expect(try services.createService(for: (any `protocol`).self).word == "backticks")
  }

  @Test func `an initializer that throws is an error that names it`() throws {
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Refusing.self) }
    let image = try #require(RecordSource.ownBinary.records().first).image
    #expect(error?.code == .initializerFailed && error?.service == "Refusing" && error?.underlying is Refused)
    #expect(error!.description.contains("by 'RegistryTests.Thrower' (\(image.name)) threw an error"))
  }

  @Test func `a cycle is an error with its path`() throws {
    let error = #expect(throws: ServiceError.self) { try ServiceManager.shared.createService(for: CycleA.self) }
    let image = try #require(RecordSource.ownBinary.records().first).image
    let (a, b) = (["CycleA", "RegistryTests.A"], ["CycleB", "RegistryTests.B"])
    #expect(error?.stepNames == [a, b, a], "\(error as Any)")
    #expect(error!.description.contains("'CycleA' by 'RegistryTests.A' (\(image)) → 'CycleB'"))
  }

  @Test func `an error for a missing service names the protocol, and states that no image exports it`() throws {
    protocol Missing {}
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Missing.self) }
    #expect(error!.description.contains("Missing"))
    #expect(error!.description.contains("was found in '"))
    #expect(!services.contains(Missing.self))
    #expect(try services.createServices(for: Missing.self).isEmpty)
  }

  @Test func `an error for a protocol does not suggest another protocol`() throws {
    protocol Greater {}
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Greater.self) }
    #expect(error?.code == .noService && error?.description.contains("did you mean") == false)
  }

  // MARK: - Records in C

  @Test func `classes that C records name are found, also nested ones`() throws {
    #expect(try services.createService(for: NamedClock.self).now() == 9)
    #expect(try services.createService(for: NestedClock.self).now() == 10)
  }

  @Test(arguments: [
    ("RegistryTests.NoSuchClass", Diagnostic.Code.unknownClass),
    ("RegistryTests.NotNamed", .notConforming),
  ])
  func `a class that cannot be used is reported`(subject: String, code: Diagnostic.Code) throws {
    let report = services.report()
    let found = report.diagnostics.first { $0.subject == subject }
    #expect(found?.code == code)
    #expect(found?.image != nil)
  }

  @Test func `a class that is missing or does not conform is a typed error`() throws {
    for attempt in [
      { try self.services.createService(for: AbsentClock.self) as Any },
      { try self.services.createService(for: PlainClock.self) as Any },
      { try self.services.createService(for: WrongClock.self) as Any },
    ] {
      let error = #expect(throws: ServiceError.self) { try attempt() }
      #expect(error?.code == .unusableService && error?.diagnostics.count == 1)
      #expect(error?.description.contains(" named '") == false)
    }
    #expect(problems[.notConforming].contains { $0.message.contains("RegistryTests.WrongClock") })
  }

  // MARK: - Isolation

  @Test func `a main-actor service is created there only, and then serves every thread`() async throws {
    let services = services
    let error = await Task.detached { () -> ServiceError? in
      do throws(ServiceError) {
        _ = try services.createService(for: Screen.self)
        return nil
      } catch {
        return error
      }
    }.value
    #expect(error?.code == .wrongIsolation && error?.service == "Screen")
    #expect(error?.description.hasPrefix("'RegistryTests.MainScreen' (") == true)
    #expect(error?.description.contains("isolated to 'MainActor'") == true)
    #expect(error!.description.contains("service(for:)"))
    let screen = try await Task.detached { try await services.service(for: Screen.self) }.value
    let again = try await Task.detached { try services.createService(for: Screen.self) }.value
    #expect(await screen.title == "main")
    #expect(screen as AnyObject === again as AnyObject)
  }

  @MainActor @Test func `on the main actor, it is created immediately, also after a suspension`() async throws {
    await Task.yield()
    #expect(try services.createService(for: Screen.self).title == "main")
  }

  @Test func `services of another global actor are created on that actor`() async throws {
    let services = services
    services.register(Greeter.self, replacing: true) { @Elsewhere in PoliteGreeter() }
    #expect(throws: ServiceError.self) { try services.createService(for: Greeter.self) }
    services.register(SharedGreeter.self, scope: .shared, replacing: true) { @Elsewhere in ActorGreeter() }
    _ = try await services.service(for: SharedGreeter.self)
    try await onElsewhere { _ = try services.createService(for: Greeter.self) }
  }

  @Elsewhere func onElsewhere(_ body: @Elsewhere @Sendable () throws -> Void) rethrows { try body() }

  // MARK: - Reports

  @Test func `a report lists every record with its image`() throws {
    let report = services.report()
    let services = report.records.filter { $0.kind == .service }
    #expect(services.contains { $0.attributes.contains("RegistryTests.PoliteGreeter") && $0.hasAccessor })
    #expect(services.contains { $0.attributes.contains("CTest.Straße") && !$0.hasAccessor })
    #expect(services.contains { $0.attributes.contains("CxxTest.Implementation") })
    #expect(report.records.allSatisfy { !$0.image.path.isEmpty })
    #expect(report.description.contains("RegistryTests.ActorGreeter"))
  }
}

@globalActor actor Elsewhere {
  static let shared = Elsewhere()
}
