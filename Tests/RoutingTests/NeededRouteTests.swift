import Registry
import TestSupport
import Testing

@testable import Routing

extension Route where Parameters == Void, Outcome == String {
  fileprivate static var needed: Self { .init("needs.found") }
  fileprivate static var missing: Self { .init("needs.fond") }
}

#exportRoute(.needed) { "found" }
#needs(route: .needed)
#needs(route: .missing)

@MainActor @Suite struct NeededRouteTests {
  private func problem(of route: String, in services: ServiceManager = .shared) throws -> String? {
    let need = try #require(
      RecordSource.records { $0.kind == .need && $0.attributes.contains("\"route\":\"\(route)\"") }.records().first)
    let check: __NeedCheck = try #require(need.accessor.flatMap(provided))
    return check.problem(services)
  }

  @Test func `A need for a route is satisfied if an image exports a handler`() throws {
    #expect(try problem(of: ".needed") == nil)
  }

  @Test func `A need for a route without a handler names the nearest route`() throws {
    let problem = try #require(try problem(of: ".missing"))
    #expect(problem.hasPrefix("no loaded image exports a handler of the route 'needs.fond'"))
    #expect(problem.hasSuffix("did you mean 'needs.found'?"))
  }

  @Test func `A need for a route is satisfied by a handler that code registers`() {
    let router = Router()
    #expect(router.problem(of: "needs.fond") != nil)
    router.register(.missing) { "registered" }
    #expect(router.problem(of: "needs.fond") == nil)
  }

  @Test func `A need for a route is checked in the router of the manager that starts`() throws {
    let services = ServiceManager()
    let problem = try #require(try problem(of: ".missing", in: services))
    #expect(problem.hasPrefix("its router reads no records, and no code registered a route"))
    #expect(try self.problem(of: ".needed", in: services) == nil, "features can use the shared router")
    services.router.register(.missing) { "registered" }
    #expect(try self.problem(of: ".missing", in: services) == nil)
    let child = ServiceManager(parent: services)
    #expect(try self.problem(of: ".missing", in: child) == nil)
    #expect(try self.problem(of: ".missing", in: ServiceManager(parent: child)) == nil)
  }

  @Test func `A need for a route that the manager's router opens asks no other router`() throws {
    let parent = ServiceManager()
    let services = ServiceManager(parent: parent)
    services.router.register(.missing) { "registered" }
    #expect(try problem(of: ".missing", in: services) == nil)
    let unused = Router()
    #expect(parent.core.attachment { unused } === unused)
  }

  @Test func `A route of another actor that was not read yet is not missing`() async {
    let router = Router(records: ExportedRouteTests.records, onDiagnostic: { _ in })
    #expect(await Task.detached { router.problem(of: "exported.onMain") }.value == nil)
  }

  @Test func `A router that only performs actions has no routes`() {
    let router = Router()
    router.registerAction("needs", "act") { "acted" }
    #expect(router.problem(of: "needs.fond")?.hasPrefix("its router reads no records") == true)
    router.register(.needed) { "found" }
    #expect(router.problem(of: "needs.fond")?.hasSuffix("did you mean 'needs.found'?") == true)
  }
}
