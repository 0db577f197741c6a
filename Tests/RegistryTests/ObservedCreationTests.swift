@testable import Registry
import TestSupport
import Testing

private protocol StampMark: Sendable {}
private final class RubberStamp: StampMark {}

/// Observers of the creation of services.
@Suite(.timeLimit(.minutes(20))) struct ObservedCreationTests {
  let problems = DiagnosticCollector()

  private func observe(_ services: ServiceManager) -> (lines: Trace, token: RegistrationToken) {
    let lines = Trace()
    let token = services.observeIntervals { interval in
      let side = interval.hasEnded ? "ended" : "began"
      lines.add("\(interval.kind) \(interval.name) \(side) \(interval.id)")
      #expect(interval.isConcurrent == !MainActor.shared.isCurrent)
    }
    return (lines, token)
  }

  @Test func `observers receive each creation of an exported service, also if it is in the lookup table`() throws {
    let services = ServiceManager(records: .records { $0.name == "Ticket" }, onDiagnostic: problems.handler)
    _ = try services.createService(for: Ticket.self)
    let (lines, token) = observe(services)
    // The end of a scope shows the lookup table again, except to observers.
    services.withTestScope {}
    for _ in 0..<2 { _ = try services.createService(for: Ticket.self) }
    let name = "service RegistryTests.PaperTicket"
    #expect(
      lines.lines == ["\(name) began 1", "\(name) ended 1", "\(name) began 2", "\(name) ended 2"])
    #expect(token.cancel() && !token.cancel())
    _ = try services.createService(for: Ticket.self)
    #expect(lines.lines.count == 4)
    // Canceling the last observer doesn't show the table while there is a scope.
    let (_, last) = observe(services)
    services.withTestScope(.strict) {
      #expect(last.cancel())
      #expect(throws: ServiceError.self) { try services.createService(for: Ticket.self) }
    }
  }

  @Test func `observers in a test scope receive the creation of overrides inside it`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let (outside, token) = observe(services)
    try services.withTestScope { () throws in
      let (inside, _) = observe(services)
      try services.withOverrides {
        $0.override(StampMark.self, scope: .cached("stamps")) { RubberStamp() }
      } operation: {
        let stamp = try services.createService(for: StampMark.self) as AnyObject
        #expect(try services.createServices(for: StampMark.self).map { $0 as AnyObject === stamp } == [true])
        #expect(services.resetCache("stamps"))
        #expect(try services.createService(for: StampMark.self) as AnyObject !== stamp)
      }
      #expect(inside.lines.count == 4 && outside.lines.isEmpty)
    }
    token.cancel()
  }

  @Test func `a shared instance is observed once, and a weak one each time that it is created`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(StampMark.self, scope: .shared, fileID: "A/Shared.swift", line: 1) { RubberStamp() }
    services.register(StampMark.self, scope: .weak, named: "weak", fileID: "A/Weak.swift", line: 1) { RubberStamp() }
    let (lines, _) = observe(services)
    for _ in 0..<2 { _ = try services.createService(for: StampMark.self) }
    for _ in 0..<2 { _ = try services.createService(for: StampMark.self, named: "weak") }
    _ = try services.createServices(for: StampMark.self)
    #expect(
      lines.lines.filter { $0.contains("began") } == [
        "service the factory at A/Shared.swift:1 began 1", "service the factory at A/Weak.swift:1 began 2",
        "service the factory at A/Weak.swift:1 began 3",
        "service the factory at A/Weak.swift:1 began 4",
      ])
  }

  @Test func `an observer receives the end of a creation that fails`() {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(StampMark.self, fileID: "A/Broken.swift", line: 1) { throw Refused() }
    let (lines, _) = observe(services)
    #expect(throws: ServiceError.self) { try services.createService(for: StampMark.self) }
    #expect(
      lines.lines == [
        "service the factory at A/Broken.swift:1 began 1", "service the factory at A/Broken.swift:1 ended 1",
      ])
  }

  @Test func `the creation of a contribution is observed, and its end by the last observer first`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.contribute(to: .menu, fileID: "A/Menu.swift", line: 1) { Dish("rice") }
    let lines = Trace()
    for name in ["a", "b"] {
      services.observeIntervals { lines.add("\(name) \($0.hasEnded ? "ended" : "began") \($0.kind) \($0.name)") }
    }
    #expect(try services.contributions(to: .menu) == [Dish("rice")])
    #expect(
      lines.lines
        == ["a began", "b began", "b ended", "a ended"].map { "\($0) contribution the contribution at A/Menu.swift:1" })
  }

  @Test func `an observer of a manager receives no creations in its parent or in a test scope`() throws {
    let parent = ServiceManager(onDiagnostic: problems.handler)
    parent.register(StampMark.self, fileID: "A/Parent.swift", line: 1) { RubberStamp() }
    let services = ServiceManager(parent: parent)
    services.register(StampMark.self, named: "own", fileID: "A/Own.swift", line: 1) { RubberStamp() }
    let (lines, _) = observe(services)
    _ = try services.createService(for: StampMark.self)
    try services.withTestScope { _ = try services.createService(for: StampMark.self, named: "own") }
    #expect(lines.lines.isEmpty)
    _ = try services.createService(for: StampMark.self, named: "own")
    #expect(
      lines.lines == [
        "service the factory at A/Own.swift:1 began 1", "service the factory at A/Own.swift:1 ended 1",
      ])
  }
}
