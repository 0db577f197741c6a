import TestSupport
import Testing

/// Repeated operations of service managers, which must not use more memory over time.
@Suite struct MemoryTests {
  @Test(arguments: [
    "register", "scopes", "replace", "names", "overrides", "isolation", "children", "misses", "diagnostics", "failures",
  ])
  func `registering and removing services repeatedly leaves memory constant`(scenario: String) throws {
    let growth = try MemoryProbe.growth(scenario, warmUp: 1_200, rounds: Effort.count("ROUNDS", default: 1_000))
    #expect(growth < MemoryProbe.tolerance)
  }

  @Test(arguments: ["images", "reopened"])
  func `opening and closing images of C code repeatedly leaves memory constant`(scenario: String) throws {
    let growth = try MemoryProbe.growth(scenario, warmUp: 150, rounds: Effort.count("ROUNDS", default: 150))
    #expect(growth < MemoryProbe.tolerance)
  }
}
