import Lifecycle
import Registry
import TestSupport
import Testing

/// A single action of a user of a module manager.
private enum ModuleStep: CustomStringConvertible {
  case register(Int, ModuleLevel, priority: Int, after: [Int])
  case unregister(Int)
  case start
  case stop
  case weaken(Int, Weakness)
  case strengthen(Int)
  case list(reaction: (module: Int, Reaction)?)
  case first(Int)
  case any(Int)

  var description: String {
    switch self {
    case .register(let number, let level, let priority, let after):
      return "register \(number), \(level), priority \(priority), after \(after)"
    case .unregister(let number): return "unregister \(number)"
    case .start: return "start"
    case .stop: return "stop"
    case .weaken(let number, let weakness): return "\(number) throws in \(weakness) from now on"
    case .strengthen(let number): return "\(number) throws no more"
    case .list(let reaction):
      return "trigger list" + (reaction.map { "; a handler of \($0.module) does \($0.1)" } ?? "")
    case .first(let wanted): return "trigger first \(wanted)"
    case .any(let wanted): return "trigger any \(wanted)"
    }
  }

  static func random(_ random: inout SeededGenerator) -> ModuleStep {
    let number = random.below(12)
    switch random.below(23) {
    case 0..<9:
      var after: [Int] = []
      // There is no thirteenth module.
      while after.count < 3, random.one(in: 2) { after.append(random.below(13)) }
      return .register(
        number, random.one(in: 4) ? .basic : .normal, priority: random.below(3) - 1, after: after)
    case 9, 10: return .unregister(number)
    case 11..<14: return .start
    case 14: return .stop
    case 15: return .weaken(number, Weakness.allCases.randomElement(using: &random)!)
    case 16: return .strengthen(number)
    case 17..<21:
      guard random.one(in: 3) else { return .list(reaction: nil) }
      let other = random.below(12)
      return .list(reaction: (number, random.one(in: 2) ? .unregister(other) : .register(other)))
    case 21: return .first(random.below(4))
    default: return .any(number)
    }
  }
}

/// Random sequences that run on a module manager and on a simple model.
@Suite(.serialized, .timeLimit(.minutes(Effort.minutes("SEQUENCES")))) @MainActor struct ModuleModelTests {
  private struct Disagreement: Error { let message: String }

  private static func agree<Value: Equatable>(_ what: String, _ real: Value, _ model: Value) throws {
    guard real == model else { throw Disagreement(message: "\(what): the manager says \(real), the model \(model)") }
  }

  private static func play(_ steps: [ModuleStep]) throws {
    let world = ModuleWorld()
    ModuleWorld.current = world
    let manager = ModuleManager(onDiagnostic: { _ in })
    var model = ModuleModel()
    // The world outlives the manager, and an unowned reference in it would keep the manager's
    // memory.
    defer { world.react = { _ in } }
    world.react = { [unowned manager] reaction in
      switch reaction {
      case .unregister(let number): manager.unregister(named: NumberedModules.names[number])
      case .register(let number): manager.register(NumberedModules.types[number])
      }
    }
    for step in steps {
      world.trace = []
      model.trace = []
      try play(step, world, manager, &model)
      try agree("what was done", world.trace, model.trace)
      // With a cycle, there is no order to compare.
      if model.order() != nil {
        try agree("who is set up", manager.moduleNames, model.running.map { NumberedModules.names[$0] })
      }
    }
  }

  private static func play(
    _ step: ModuleStep, _ world: ModuleWorld, _ manager: ModuleManager, _ model: inout ModuleModel
  ) throws {
    let names = NumberedModules.names
    switch step {
    case .register(let number, let level, let priority, let after):
      try agree(
        "register",
        manager.adds {
          $0.register(NumberedModules.types[number], level: level, priority: priority, after: after.map { names[$0] })
        },
        model.register(number, level, priority, after))
    case .unregister(let number):
      try agree("unregister", manager.unregister(NumberedModules.types[number]), model.unregister(number))
    case .start:
      let before = model
      try agree("start", try start(manager, before), model.start())
    case .stop:
      manager.stop()
      model.stop()
    case .weaken(let number, let weakness):
      world.weaknesses[number, default: []].insert(weakness)
      model.weaknesses = world.weaknesses
    case .strengthen(let number):
      world.weaknesses[number] = nil
      model.weaknesses = world.weaknesses
    case .list(let reaction):
      world.reaction = reaction
      let real = manager.trigger(.modelList)
      world.reaction = nil
      var expected: [String] = []
      model.trigger(.list, ["list first", "list second"], reaction: reaction) { number, part in
        expected.append("\(number) \(part.dropFirst("list ".count))")
      }
      try agree("list", real, expected)
    case .first(let wanted):
      let real = manager.trigger(.modelFirst, wanted)
      var expected: Int?
      model.trigger(.first, ["first"], reaction: nil) { number, _ in
        if expected == nil, number % 4 == wanted { expected = number }
      }
      try agree("first", real, expected)
    case .any(let wanted):
      let real = manager.trigger(.modelAny, wanted)
      var expected = false
      model.trigger(.any, ["any"], reaction: nil) { number, _ in expected = expected || number == wanted }
      try agree("any", real, expected)
    }
  }

  /// Starts the manager and returns the result in the terms of the model.
  private static func start(_ manager: ModuleManager, _ model: ModuleModel) throws -> ModuleModel.Start {
    do throws(ModuleError) {
      try manager.start()
      return .started
    } catch {
      switch error.code {
      case .alreadyStarted: return .alreadyStarted
      case .cycle:
        guard model.isCycle(error.modules) else {
          throw Disagreement(message: "no cycle of these modules: \(error.modules)")
        }
        return .cycle
      case .setUpFailed where error.underlying is Broken:
        return .failed(NumberedModules.names.firstIndex(of: error.modules[0]) ?? -1)
      default: throw Disagreement(message: "start threw \(error)")
      }
    }
  }

  private static func problem(_ steps: [ModuleStep]) -> String? {
    do {
      try play(steps)
      return nil
    } catch {
      return (error as? Disagreement)?.message ?? "\(error)"
    }
  }

  @Test func `random sequences have the same effect on a module manager and on a simple model`() async {
    let count = Effort.count("SEQUENCES", default: 100)
    let first = Effort.seed
    for seed in first..<(first + count) {
      var random = SeededGenerator(seed: UInt64(seed))
      let steps = (0..<(6 + random.below(18))).map { _ in ModuleStep.random(&random) }
      // A suspension runs deferred work, and lets other tests use the main actor.
      if seed % 16 == 0 { await Task.yield() }
      guard Self.problem(steps) != nil else { continue }
      let fewest = shrunk(steps) { Self.problem($0) != nil }
      let list = fewest.map { "  \($0)" }.joined(separator: "\n")
      Issue.record("REGISTRY_SEED=\(seed): \(Self.problem(fewest) ?? "it does not fail again") after\n\(list)")
      return
    }
  }
}
