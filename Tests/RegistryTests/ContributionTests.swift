import Registry
import RegistryReports
import TestSupport
import Testing

struct Dish: Sendable, Equatable {
  let name: String
  init(_ name: String) { self.name = name }
}

struct NoStock: Error {}

/// A value whose bytes all have a meaning, so an optional of it is larger.
private struct Size: Sendable, Equatable {
  var width = 1.0
  var height = 2.0

  /// Creates a size in memory that is followed by ones.
  static func afterOnes() -> Self {
    let chunks = (0..<64).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 24, alignment: 8) }
    for chunk in chunks { chunk.initializeMemory(as: UInt8.self, repeating: 1, count: 24) }
    for chunk in chunks { chunk.deallocate() }
    return Size()
  }
}

extension ContributionPoint<[Dish]> {
  static var menu: Self { .init("kitchen.menu") }
  static var specials: Self { .init("kitchen.specials") }
}

extension ContributionPoint<[String: Dish]> {
  static var dishes: Self { .init("kitchen.dishes") }
}

@MainActor final class Stove {
  let number: Int
  init(_ number: Int) { self.number = number }
}

extension ContributionPoint<[Stove]> {
  static var stoves: Self { .init("kitchen.stoves") }
}

extension ContributionPoint<[Int]> {
  fileprivate static var plates: Self { .init("kitchen.plates") }
}

extension ContributionPoint<[String]> {
  fileprivate static var builds: Self { .init("kitchen.builds") }
}

/// A type whose actor reads the name of the point. Other managers don't read the group.
@MainActor private enum Rack {
  #contribute(.plates, group: "tests.rack") { 7 }
}

/// A manager that reads a group while the name of the group's point is evaluated.
private enum Mirror {
  @TaskLocal static var reader: ServiceManager?
  #contribute(.mirrored, group: "tests.mirror") { 7 }
}

extension ContributionPoint<[Int]> {
  fileprivate static var mirrored: Self {
    let point = Self("kitchen.mirrored")
    if let reader = Mirror.reader { Mirror.$reader.withValue(nil) { _ = try? reader.contributions(to: point) } }
    return point
  }
}

#contribute(.menu) { Dish("salad") }
#contribute(.menu, priority: 10) { Dish("soup") }
#contribute(.menu, priority: -1, when: .flag("winter")) { Dish("fondue") }
#contribute(.builds, when: .debug) { "debug" }
#contribute(.builds, when: .release) { "release" }
#contribute(.dishes, key: "soup") { Dish("soup") }
#contribute(.dishes, key: "salad") { Dish("salad") }
#contribute(.stoves) { @MainActor in Stove(2) }
#contribute(.stoves, priority: 1) { @MainActor in Stove(1) }

enum Kitchen {
  #contribute(.menu, priority: 5) { Dish("bread") }
}

typealias Conversion = @convention(c) @Sendable (CInt) -> CInt

extension ContributionPoint<[Conversion]> {
  static var conversions: Self { .init("tests.conversions", cType: "conversion") }
}

/// A pointer to constants, which any thread can read.
struct Numbers: @unchecked Sendable {
  let pointer: UnsafePointer<CInt>
}

extension ContributionPoint<[String: Numbers]> {
  static var numbers: Self { .init("tests.numbers", cType: "numbers") }
}

protocol Waiter: Sendable { var name: String { get } }

private struct NamedWaiter: Waiter { let name: String }

/// Properties that are looked up in the shared manager.
private struct Restaurant {
  @Contributions(.menu) var menu: [Dish]
  @Contributions(.dishes) var dishes: [String: Dish]
  @Service var waiters: [any Waiter]
}

#needs(contributions: .specials)

@Suite struct ContributionTests {
  /// A manager of the contributions that this file exports.
  private let services = ServiceManager(records: .records { $0.handlerName?.contains("ContributionTests") ?? false })

  @Test func `contributions are in the order of their priorities and locations`() throws {
    #expect(try services.contributions(to: .menu) == ["soup", "bread", "salad"].map(Dish.init))
    #expect(try services.contributions(to: .specials).isEmpty)
  }

  @Test func `a record of a need states what is needed`() {
    let needs = RecordSource.ownBinary.records(of: .need)
    #expect(needs.contains { $0.name == ".specials" } && needs.allSatisfy { $0.name != nil })
  }

  @Test func `a condition decides whether a contribution exists`() throws {
    services.conditions = [.flag("winter")]
    #expect(try services.contributions(to: .menu).last == Dish("fondue"))
  }

  @Test func `a contribution exists in the build of its condition only`() throws {
    #if DEBUG
    let build = "debug"
    #else
    let build = "release"
    #endif
    #expect(try services.contributions(to: .builds) == [build])
  }

  @Test func `a keyed point is a dictionary`() throws {
    #expect(try services.contributions(to: .dishes) == ["soup": Dish("soup"), "salad": Dish("salad")])
  }

  @Test @MainActor func `contributions of the main actor are created there`() async throws {
    #expect(try services.contributions(to: .stoves).map(\.number) == [1, 2])
  }

  @Test func `code elsewhere waits for contributions of the main actor`() async throws {
    let stoves = try await services.allContributions(to: .stoves)
    #expect(await MainActor.run { stoves.map(\.number) } == [1, 2])
    let error = #expect(throws: ServiceError.self) {
      _ = try ServiceManager(parent: services).contributions(to: .stoves)
      let other = ServiceManager(records: .records { $0.handlerName?.contains("ContributionTests") ?? false })
      _ = try other.contributions(to: .stoves)
    }
    #expect(error?.description.contains(" contributes to 'ContributionPoint<[") == true)
    #expect(error?.description.contains(", or call 'try await allContributions(to:)'") == true)
  }

  @Test func `synchronous code misses a contribution until the actor of its point has read it`() async throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .group("tests.rack"), onDiagnostic: problems.handler)
    #expect(try services.contributions(to: .plates).isEmpty)
    for _ in 0..<2 { #expect(try await services.allContributions(to: .plates) == [7]) }
    #expect(try services.contributions(to: .plates) == [7])
    #expect(problems.codes == [.unreadContribution])
  }

  @Test func `a contribution that two lookups read at once exists once`() throws {
    let services = ServiceManager(records: .group("tests.mirror"))
    let list = try Mirror.$reader.withValue(services) {
      try services.contributions(to: ContributionPoint<[Int]>("kitchen.mirrored"))
    }
    #expect(list == [7])
  }

  @Test func `code registers and removes contributions`() throws {
    let services = ServiceManager()
    services.contribute(to: .menu) { Dish("rice") }
    let token = services.contribute(to: .menu, priority: 1) { Dish("beans") }
    #expect(try services.contributions(to: .menu) == ["beans", "rice"].map(Dish.init))
    #expect(token.cancel())
    #expect(try services.contributions(to: .menu) == [Dish("rice")])
  }

  @Test func `an override in a child replaces its parent's contributions, and the child's come first`() throws {
    let parent = ServiceManager()
    parent.contribute(to: .menu, priority: 9) { Dish("rice") }
    parent.contribute(to: .dishes, key: "soup") { Dish("broth") }
    let child = ServiceManager(parent: parent)
    child.contribute(to: .menu) { Dish("peas") }
    child.contribute(to: .dishes, key: "soup") { Dish("stew") }
    func menu(_ services: ServiceManager) throws -> [Dish] { try services.contributions(to: .menu) }
    #expect(try menu(child) == ["peas", "rice"].map(Dish.init))
    #expect(try child.contributions(to: .dishes) == ["soup": Dish("stew")])
    func override(_ overrides: inout ServiceOverrides) { overrides.contribute(to: .menu) { Dish("beans") } }
    try child.withOverrides(override) { () throws in
      #expect(try menu(child) == [Dish("beans")] && menu(parent) == [Dish("rice")])
    }
    try parent.withOverrides(override) { () throws in
      #expect(try menu(child) == ["peas", "beans"].map(Dish.init) && menu(parent) == [Dish("beans")])
    }
  }

  @Test func `a contribution that fails does not hide the others`() async throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.contribute(to: .menu) { Dish("rice") }
    services.contribute(to: .menu, priority: 1) { throw NoStock() }
    let error = try #require(throws: ServiceError.self) { try services.contributions(to: .menu) }
    #expect("\(error)".contains("ContributionTests.swift:"))
    let results = try services.contributionResults(to: .menu)
    #expect(results.map { try? $0.get() } == [nil, Dish("rice")])
    let menu: [Dish] = __contributions(.menu, in: services, "Kitchen", "Kitchen.swift:1:1")
    #expect(menu == [Dish("rice")] && problems.codes == [.unmetNeed])
    #expect(
      problems.diagnostics[0].message.hasPrefix("the contribution for the property at Kitchen.swift:1:1 cannot be"))
    var lists = services.contributionChanges(to: .menu).makeAsyncIterator()
    #expect(await lists.next() == [Dish("rice")])
    #expect(problems.diagnostics.last?.message.hasPrefix("a contribution is left out of the changes") == true)
  }

  @Test func `points with the same identifier and different types are reported`() throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.contribute(to: ContributionPoint<[Int]>("numbers")) { 1 }
    #expect(try services.contributions(to: ContributionPoint<[Int]>("numbers")) == [1])
    #expect(problems.diagnostics.isEmpty)
    #expect(try services.contributions(to: ContributionPoint<[String]>("numbers")).isEmpty)
    #expect(try services.contributions(to: ContributionPoint<[String: Int]>("numbers")).isEmpty)
    _ = try services.contributions(to: ContributionPoint<[String]>("numbers"))
    #expect(
      problems[.twoTypes].map(\.subject) == [
        #"ContributionPoint<[Swift.String]>("numbers")"#, #"ContributionPoint<[String: Swift.Int]>("numbers")"#,
      ])
    _ = try services.contributions(to: ContributionPoint<[Int]>("numbers", cType: "long"))
    #expect(problems[.twoTypes].last?.message.contains("declare the point once") == true)
    let first = problems[.twoTypes][0].message
    #expect(first.hasPrefix(#"'ContributionPoint<[Swift.Int]>("numbers")' has the same identifier"#))
  }

  @Test func `an instance is read as its type, not as an optional of it`() throws {
    let services = ServiceManager()
    let point = ContributionPoint<[String: Size]>("sizes")
    let keys = ["a", "b", "c"]
    for key in keys { services.contribute(to: point, key: key) { Size.afterOnes() } }
    #expect(try services.contributions(to: point) == Dictionary(uniqueKeysWithValues: keys.map { ($0, Size()) }))
    services.register(Size.self, scope: .shared, named: "screen") { Size.afterOnes() }
    for _ in 0..<3 { #expect(try services.createService(for: Size.self, named: "screen") == Size()) }
  }

  @Test(.timeLimit(.minutes(20))) func `changes are observed`() async throws {
    let services = ServiceManager()
    var lists = services.contributionChanges(to: .menu).makeAsyncIterator()
    #expect(await lists.next() == [])
    // The copy of a test scope ends its own streams only.
    services.withTestScope { _ = services.contains(Int.self) }
    let token = services.contribute(to: .menu) { Dish("rice") }
    #expect(await lists.next() == [Dish("rice")])
    token.cancel()
    #expect(await lists.next() == [])
  }

  @Test func `an error of changes that are observed in a test scope is reported there`() async {
    let (outside, inside) = (DiagnosticCollector(), DiagnosticCollector())
    let services = ServiceManager(onDiagnostic: outside.handler)
    await services.withTestScope(.strict) {
      services.onDiagnostic = inside.handler
      var lists = services.contributionChanges(to: .menu).makeAsyncIterator()
      #expect(await lists.next() == [])
    }
    #expect(inside.codes == [.liveService] && outside.codes.isEmpty)
  }

  @Test func `a test scope replaces the contributions of properties`() throws {
    let restaurant = Restaurant()
    let services = ServiceManager.shared
    #expect(restaurant.menu.contains(Dish("soup")) && restaurant.dishes["soup"] == Dish("soup"))
    services.withTestScope(.strict) {
      $0.contribute(to: .menu) { Dish("rice") }
      $0.contribute(to: .menu, priority: 1) { Dish("beans") }
      $0.contribute(to: .dishes, key: "soup") { Dish("broth") }
    } operation: {
      #expect(restaurant.menu == [Dish("beans"), Dish("rice")])
      #expect(restaurant.dishes == ["soup": Dish("broth")])
      services.withOverrides {
        $0.contribute(to: .menu, priority: 2) { Dish("peas") }
        $0.contribute(to: .dishes, key: "soup") { Dish("stew") }
      } operation: {
        #expect(restaurant.menu == ["peas", "beans", "rice"].map(Dish.init))
        #expect(restaurant.dishes == ["soup": Dish("stew")])
      }
    }
    services.withTestScope(.lenient) {
      services.contribute(to: .menu, priority: 100) { Dish("cake") }
      #expect(restaurant.menu.first == Dish("cake"))
    }
    services.withTestScope(.lenient) {
      $0.contribute(to: .menu) { Dish("rice") }
    } operation: {
      #expect(restaurant.menu == [Dish("rice")])
    }
    #expect(restaurant.menu.first != Dish("cake"))
  }

  @Test func `contributions of nested scopes have the order of their calls`() throws {
    let services = ServiceManager()
    func menu(_ names: ArraySlice<String>) throws -> [String] {
      guard let name = names.first else { return try services.contributions(to: .menu).map(\.name) }
      func contribute(_ scope: inout ServiceOverrides) {
        for part in 1...2 { scope.contribute(to: .menu) { Dish("\(name)\(part)") } }
      }
      if name == "test" { return try services.withTestScope(overrides: contribute) { try menu(names.dropFirst()) } }
      return try services.withOverrides(contribute) { try menu(names.dropFirst()) }
    }
    for names in [["a", "b"], ["test", "a", "b"], ["a", "test", "b"]] {
      #expect(try menu(names[...]) == names.flatMap { ["\($0)1", "\($0)2"] })
    }
  }

  @Test func `a strict test scope withholds contributions`() throws {
    try services.withTestScope(.strict) {
      let error = try #require(throws: ServiceError.self) { try services.contributions(to: .menu) }
      #expect("\(error)".contains("with 'contribute(to:)'"))
    }
    try services.withTestScope(.strict) {
      $0.allowLive(.menu)
    } operation: { () throws in
      #expect(try services.contributions(to: .menu).first == Dish("soup"))
    }
  }

  @Test func `a property contains all implementations of a service`() {
    let restaurant = Restaurant()
    #expect(restaurant.waiters.isEmpty)
    ServiceManager.shared.withTestScope {
      $0.override((any Waiter).self) { NamedWaiter(name: "Ann") }
      $0.override((any Waiter).self, named: "second") { NamedWaiter(name: "Bob") }
    } operation: {
      #expect(restaurant.waiters.map(\.name) == ["Ann", "Bob"])
    }
  }

  @Test func `two contributions with one key are reported`() throws {
    let log = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: log.handler)
    services.contribute(to: .dishes, key: "soup") { Dish("soup") }
    services.contribute(to: .dishes, key: "soup") { Dish("broth") }
    #expect(try services.contributions(to: .dishes) == ["soup": Dish("soup")])
    #expect(log.codes == [.tie] && "\(log.diagnostics)".contains("the key 'soup'"))
    #expect(log.diagnostics[0].message.hasSuffix(" a higher priority, or give them other keys"))
    services.contribute(to: .menu) { Dish("soup") }
    services.contribute(to: .menu) { Dish("soup") }
    #expect(log.diagnostics.count == 1)
    for _ in 0..<2 { services.contribute(to: .dishes, key: "salad") { Dish("salad") } }
    #expect(log.diagnostics.last?.message.hasSuffix(" is registered again; cancel its token first") == true)
  }

  @Test func `C code contributes functions and constants`() throws {
    let log = DiagnosticCollector()
    let services = ServiceManager(records: .loadedImages, onDiagnostic: log.handler)
    #expect(try services.contributions(to: .conversions).map { $0(4) } == [-4, 8])
    let wrong = try #require(log[.wrongContribution].first)
    #expect(
      log[.wrongContribution].count == 1 && wrong.subject == "primes" && wrong.message.contains("the type 'numbers'"))
    #expect(try services.contributions(to: .numbers)["primes"]?.pointer[2] == 5)
    let unknown = services.report().diagnostics.filter { $0.code == .unknownPoint }
    #expect(unknown.count == 1 && unknown[0].message.contains("did you mean 'tests.conversions'?"))
  }

  @Test func `a point of another type with the same identifier takes no contributions of C code`() throws {
    let services = ServiceManager(records: .loadedImages) { _ in }
    #expect(try services.contributions(to: ContributionPoint<[String]>("tests.conversions")).isEmpty)
    #expect(try services.contributions(to: .conversions).map { $0(4) } == [-4, 8])
    let unknown = services.report().diagnostics.filter { $0.code == .unknownPoint }
    #expect(unknown.map(\.subject) == ["twice", "primes"])
  }

  @Test func `a child reads the contributions that its parent exports`() async throws {
    let child = ServiceManager(parent: ServiceManager(records: .loadedImages) { _ in })
    #expect(try child.contributions(to: .menu).contains(Dish("soup")))
    #expect(try child.contributions(to: .conversions).map { $0(4) } == [-4, 8])
    let other = ServiceManager(parent: ServiceManager(records: .loadedImages) { _ in })
    #expect(try await other.allContributions(to: .menu).contains(Dish("soup")))
  }

  @Test func `a test scope finds contributions that nobody read before it`() async throws {
    let (first, second) = (
      ServiceManager(records: .loadedImages) { _ in }, ServiceManager(records: .loadedImages) { _ in }
    )
    let numbers = try first.withTestScope { () throws in try first.contributions(to: .conversions).map { $0(4) } }
    #expect(numbers == [-4, 8])
    let menu = try await second.withTestScope { () async throws in try await second.allContributions(to: .menu) }
    #expect(menu.contains(Dish("soup")))
  }

  @Test func `a report tells of contributions that no manager reads`() throws {
    let told = "so it leaves out the "
    let services = ServiceManager()
    #expect(!services.report().description.contains(told))
    #expect(try services.contributions(to: .menu).isEmpty)
    #expect(services.report().description.contains(told))
    let child = ServiceManager(parent: ServiceManager(records: .loadedImages) { _ in })
    _ = try child.contributions(to: .menu)
    #expect(!child.report().description.contains(told))
  }

  @Test func `a report lists contributions`() throws {
    let services = ServiceManager(records: .records { $0.handlerName?.contains("ContributionTests") ?? false })
    _ = try services.contributions(to: .menu)
    let report = "\(services.report())"
    #expect(report.contains("  ContributionPoint<[RegistryTests.Dish]>(\"kitchen.menu\")\n"))
    #expect(
      report.contains("  ContributionPoint<[String: RegistryTests.Dish]>(\"kitchen.dishes\"), which no code has read\n")
    )
    #expect(
      report.contains("key 'soup', priority 0") && report.contains("its condition '.flag(\"winter\")' does not hold"))
    services.withTestScope { #expect(!services.report().description.contains("which no code has read")) }
  }
}
