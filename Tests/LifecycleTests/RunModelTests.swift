@testable import Lifecycle
import Registry
import TestSupport
import Testing

/// Random graphs of modules that run with failures, stops, cancellations, registrations, and
/// removals.
@Suite(.serialized, .timeLimit(.minutes(Effort.minutes("GRAPHS", "SEQUENCES")))) @MainActor struct RunModelTests {
  private static func plans(_ random: inout SeededGenerator) -> [RunPlan] {
    // In some graphs, no module fails.
    let isTame = random.one(in: 3)
    return (0..<(1 + random.below(8))).map { number in
      var after: [Int] = []
      while number > 0, after.count < 3, !random.one(in: 3) { after.append(random.below(number)) }
      let level: ModuleLevel = random.one(in: 4) ? .basic : .normal
      guard !random.one(in: 4) else {
        let nothing = RunAct.returns(yields: 0)
        return RunPlan(
          isAsync: false, level: level, after: after, becomeReady: nothing, run: nothing, shutDown: nothing)
      }
      return RunPlan(
        isAsync: true, level: level, after: after,
        becomeReady: isTame
          ? .returns(yields: random.below(8)) : .random(&random, usually: .returns(yields: random.below(8))),
        run: isTame ? .waits : .random(&random, usually: .waits),
        shutDown: isTame
          ? .returns(yields: random.below(8)) : .random(&random, usually: .returns(yields: random.below(8))))
    }
  }

  /// Returns the fault of a result that the run could not have had, or nil if the result is
  /// possible.
  private static func fault(
    _ result: Result<Void, any Error>, _ model: RunModel, wasStopped: Bool, wasCancelled: Bool
  ) -> String? {
    let named: (String) -> RunPlan? = { name in
      model.plans.indices.first { model.name($0) == name }.map { model.plans[$0] }
    }
    guard case .failure(let error) = result else { return wasStopped ? nil : "run returned without a stop" }
    if error is CancellationError { return wasCancelled ? nil : "run was canceled without a cancellation" }
    guard let failed = error as? ModuleError, let name = failed.modules.first else { return "run threw \(error)" }
    switch failed.code {
    case .phaseFailed:
      guard let plan = named(name) else { return "run throws an error about \(name), which is unknown" }
      let act = failed.phase == "run" ? plan.run : plan.becomeReady
      if case .fails = act { return nil }
      return "\(name) does not fail in \(failed.phase ?? "")"
    case .timedOut where failed.phase == "becomeReady" && failed.description.contains(" 30.0 s "):
      guard let plan = named(name) else { return "run throws an error about \(name), which is unknown" }
      let isSlow = model.sessions.contains { $0.mayBeLate && model.name($0.number) == name }
      return isSlow || [.waits, .hangs].contains(plan.becomeReady) ? nil : "\(name) does not take that long"
    default: return "run threw \(error)"
    }
  }

  /// Runs one graph.
  ///
  /// - Returns: The model, which contains the faults.
  private static func play(_ seed: Int) async -> RunModel {
    var random = SeededGenerator(seed: UInt64(seed))
    let model = RunModel(plans(&random))
    let time = ManualTime()
    let manager = ModuleManager(
      configuration: ContextValues { $0[.runModel] = model }, time: time.source, onDiagnostic: { _ in })
    model.manager = manager
    for number in model.plans.indices where !random.one(in: 5) { model.register(number) }
    var (result, wasStopped, wasCancelled) = (Result<Void, any Error>?.none, false, false)
    let running = Task {
      do {
        try await manager.run()
        result = .success(())
      } catch {
        result = .failure(error)
      }
    }
    await Task.yield()
    let isRestless = random.one(in: 2)
    for _ in 0..<random.below(30) where result == nil {
      for _ in 0..<random.below(6) { await Task.yield() }
      switch random.below(isRestless ? 12 : 20) {
      case 0, 1: if isRestless { model.register(random.below(model.plans.count)) }
      case 2, 3: if isRestless { model.unregister(random.below(model.plans.count)) }
      case 4:
        model.timePasses()
        time.advance(seconds: Double(random.below(40)))
      case 5 where random.one(in: 4):
        model.trace.append("stop")
        wasStopped = true
        manager.triggerGracefulShutdown()
      case 6 where random.one(in: 6):
        model.trace.append("cancel")
        wasCancelled = true
        running.cancel()
      default: break
      }
    }
    if !wasStopped, !wasCancelled {
      let isCancelled = random.one(in: 3)
      model.trace.append(isCancelled ? "cancel" : "stop")
      if isCancelled { running.cancel() } else { manager.triggerGracefulShutdown() }
      (wasStopped, wasCancelled) = (!isCancelled, isCancelled)
    }
    // Modules that hang exceed their limits, and then the run returns.
    for round in 0..<4_000 where result == nil {
      await Task.yield()
      guard round % 40 == 39 else { continue }
      model.timePasses()
      time.advance(seconds: 10)
    }
    if let result {
      model.checkEnd()
      if time.sleeperCount != 0 { model.faults.append("somebody sleeps still") }
      if let fault = fault(result, model, wasStopped: wasStopped, wasCancelled: wasCancelled) {
        model.faults.append(fault)
      }
    } else {
      model.faults.append("it does not return")
      running.cancel()
    }
    model.gate.open()
    return model
  }

  @Test func `random graphs become ready in order, shut down in reverse exactly once, and run returns`() async {
    let count = Effort.count("GRAPHS", default: 300)
    let first = Effort.seed
    var begun = 0
    for seed in first..<(first + count) {
      let model = await Self.play(seed)
      begun += model.sessions.count { $0.hasBegun }
      guard !model.faults.isEmpty else { continue }
      let plans = model.plans.enumerated().map { "  \($0): \($1)" }.joined(separator: "\n")
      Issue.record(
        "REGISTRY_SEED=\(seed): \(model.faults.joined(separator: "; "))\n\(plans)\n\(model.trace.joined(separator: ", "))"
      )
      return
    }
    // A test in which no module begins would find no faults either.
    #expect(begun >= count / 2)
  }
}
