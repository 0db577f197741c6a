import TestSupport
import Testing

/// Repeated operations of module managers, which must not use more memory over time.
@Suite struct ModuleMemoryTests {
  @Test(arguments: ["subscriptions", "starts", "module failures", "module managers"])
  func `modules that come and go without end leave memory as it is`(scenario: String) throws {
    let growth = try MemoryProbe.growth(scenario, warmUp: 1_200, rounds: Effort.count("ROUNDS", default: 2_000))
    #expect(growth < MemoryProbe.toleranceOfDispatch)
  }

  @Test func `plug-ins of C alone that are opened and closed without end leave memory as it is`() throws {
    let growth = try MemoryProbe.growth("plug-ins", warmUp: 150, rounds: Effort.count("ROUNDS", default: 150))
    #expect(growth < MemoryProbe.toleranceOfDispatch)
  }
}
