import TestSupport
import Testing

/// Repeated operations of service managers, which must not use more memory over time.
@Suite struct MemoryTests {
  @Test(arguments: [
    "register", "scopes", "replace", "names", "overrides", "isolation", "children", "misses", "diagnostics", "failures",
  ])
  func `services that come and go without end leave memory as it is`(scenario: String) throws {
    let growth = try MemoryProbe.growth(scenario, warmUp: 1_200, rounds: Effort.count("ROUNDS", default: 2_000))
    #expect(growth < MemoryProbe.tolerance)
  }

  @Test(arguments: ["images", "reopened"])
  func `images of C alone that are opened and closed without end leave memory as it is`(scenario: String) throws {
    let growth = try MemoryProbe.growth(scenario, warmUp: 150, rounds: Effort.count("ROUNDS", default: 150))
    #expect(growth < MemoryProbe.tolerance)
  }
}
