import TestSupport
import Testing

/// Repeated operations of module managers, which must not use more memory over time.
@Suite struct ModuleMemoryTests {
  @Test(arguments: ["subscriptions", "starts", "module failures", "module managers"])
  func `registering and removing modules repeatedly leaves memory constant`(scenario: String) throws {
    let growth = try MemoryProbe.growth(scenario, warmUp: 1_200, rounds: Effort.count("ROUNDS", default: 2_000))
    #expect(growth < MemoryProbe.toleranceOfDispatch)
  }

  @Test func `opening and closing plug-ins of C code repeatedly leaves memory constant`() throws {
    let growth = try MemoryProbe.growth("plug-ins", warmUp: 150, rounds: Effort.count("ROUNDS", default: 150))
    #expect(growth < MemoryProbe.toleranceOfDispatch)
  }
}
