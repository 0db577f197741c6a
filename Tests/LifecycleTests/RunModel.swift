@testable import Lifecycle
import Registry
import TestSupport

// Random graphs of modules that fail, hang, and are registered and removed during a run, with the
// conditions that must hold for each module.

/// The behavior of a module in an asynchronous phase.
enum RunAct: Equatable {
  case returns(yields: Int)
  case fails(yields: Int)
  /// The phase continues until it is cancelled.
  case waits
  /// The phase continues even if it is cancelled.
  case hangs

  static func random(_ random: inout SeededGenerator, usually: RunAct) -> RunAct {
    switch random.below(24) {
    case 0, 1: return .fails(yields: random.below(6))
    case 2: return .hangs
    case 3: return .waits
    case 4..<14: return usually
    default: return .returns(yields: random.below(8))
    }
  }
}

/// The plan of a module in a graph.
struct RunPlan: CustomStringConvertible {
  let isAsync: Bool
  let level: ModuleLevel
  /// The numbers of the modules that this one depends on, which are lower than its own to avoid
  /// cycles.
  let after: [Int]
  let becomeReady: RunAct
  let run: RunAct
  let shutDown: RunAct

  var description: String {
    "\(level), after \(after)" + (isAsync ? ": becomeReady \(becomeReady), run \(run), shutDown \(shutDown)" : "")
  }
}

/// The phases of one instance of a module.
@MainActor final class RunLife {
  let number: Int
  var hasBegun = false
  var hasBegunEnded = false
  var isReady = false
  var isWorking = false
  var shutDowns = 0
  var hasShutDown = false
  var tearDowns = 0
  /// A Boolean value that indicates whether time has advanced during a phase, which may then exceed
  /// its limit.
  var mayBeLate = false

  init(_ number: Int) { self.number = number }
}

/// A graph of modules, their instances, and the faults that were found.
@MainActor final class RunModel {
  static let names = RunTags.workers.map { recordName(of: $0) }
  static let plainNames = RunTags.plains.map { recordName(of: $0) }

  let plans: [RunPlan]
  /// The gate that opens at the end, so that no task remains.
  let gate = Gate()
  var lives: [RunLife] = []
  var trace: [String] = []
  var faults: [String] = []
  weak var manager: ModuleManager?

  init(_ plans: [RunPlan]) { self.plans = plans }

  func name(_ number: Int) -> String { plans[number].isAsync ? Self.names[number] : Self.plainNames[number] }

  func type(_ number: Int) -> any Module.Type {
    plans[number].isAsync ? RunTags.workers[number] : RunTags.plains[number]
  }

  /// Marks the phases in progress as those that may exceed their limits.
  func timePasses() {
    for life in lives where life.tearDowns == 0 {
      let isInPhase =
        life.hasBegun && (!life.hasBegunEnded || (life.shutDowns > 0 && (!life.hasShutDown || life.isWorking)))
      if isInPhase { life.mayBeLate = true }
    }
  }

  func register(_ number: Int) {
    trace.append("register \(number)")
    let plan = plans[number]
    manager?.register(type(number), level: plan.level, after: plan.after.map(name))
  }

  func unregister(_ number: Int) {
    trace.append("unregister \(number)")
    manager?.unregister(named: name(number))
  }

  /// The instances of the modules that the manager lists, by number.
  private var present: [Int: RunLife] {
    let listed = Set(manager?.modules ?? [])
    var result: [Int: RunLife] = [:]
    for life in lives where life.tearDowns == 0 && listed.contains(name(life.number)) { result[life.number] = life }
    return result
  }

  /// Returns the modules that a module waits for, either directly or through other present modules.
  ///
  /// - Parameter isDeep: A Boolean value that indicates whether to continue through modules with
  ///   asynchronous phases. Such a module may have become ready before a module that it waits for
  ///   was registered again.
  private func awaited(by number: Int, among present: [Int: RunLife], isDeep: Bool) -> Set<Int> {
    var result: Set<Int> = []
    var open = [number]
    while let next = open.popLast() {
      let level = plans[next].level
      for other in present.keys where other != next {
        let isAwaited =
          plans[other].level == level
          ? plans[next].after.contains(other) : plans[other].level == .basic
        guard isAwaited, result.insert(other).inserted else { continue }
        if isDeep || !plans[other].isAsync { open.append(other) }
      }
    }
    return result
  }

  private func check(_ holds: Bool, _ fault: @autoclosure () -> String) {
    if !holds { faults.append(fault()) }
  }

  // MARK: - Calls of modules

  func perform(_ act: RunAct) async throws {
    switch act {
    case .returns(let yields): for _ in 0..<yields { await Task.yield() }
    case .fails(let yields):
      for _ in 0..<yields { await Task.yield() }
      throw Broken()
    case .waits: try await untilCancelled()
    case .hangs: await gate.pass()
    }
  }

  func becomeReady(_ life: RunLife) async throws {
    trace.append("\(life.number) becomeReady")
    check(!life.hasBegun && life.shutDowns == 0 && life.tearDowns == 0, "\(life.number) begins twice or too late")
    life.hasBegun = true
    let present = present
    for other in awaited(by: life.number, among: present, isDeep: false) where plans[other].isAsync {
      check(present[other]!.isReady, "\(life.number) begins, and \(other) is not ready")
    }
    defer {
      trace.append("\(life.number) becomeReady.")
      life.hasBegunEnded = true
    }
    try await perform(plans[life.number].becomeReady)
    life.isReady = true
  }

  func run(_ life: RunLife) async throws {
    trace.append("\(life.number) run")
    check(life.isReady && !life.isWorking, "\(life.number) works and is not ready")
    life.isWorking = true
    defer {
      trace.append("\(life.number) run.")
      life.isWorking = false
    }
    try await perform(plans[life.number].run)
  }

  func shutDown(_ life: RunLife) async throws {
    trace.append("\(life.number) shutDown")
    life.shutDowns += 1
    let plan = plans[life.number]
    check(life.shutDowns == 1 && life.hasBegun, "\(life.number) shuts down twice, or did not begin")
    check(
      life.hasBegunEnded || plan.becomeReady == .hangs || life.mayBeLate,
      "\(life.number) shuts down while it becomes ready")
    check(life.tearDowns == 0, "\(life.number) shuts down when it was torn down")
    let present = present
    if present[life.number] === life {
      for (other, dependent) in present
      where plans[other].isAsync && awaited(by: other, among: present, isDeep: true).contains(life.number) {
        let isDown = dependent.hasShutDown || dependent.mayBeLate
        check(
          !dependent.hasBegun || (isDown && dependent.shutDowns == 1),
          "\(life.number) shuts down, and \(other), which waits for it, has not")
        check(!dependent.isWorking || dependent.mayBeLate, "\(life.number) shuts down, and \(other) works")
      }
    }
    defer {
      trace.append("\(life.number) shutDown.")
      life.hasShutDown = true
    }
    try await perform(plan.shutDown)
  }

  func tearDown(_ life: RunLife) {
    trace.append("\(life.number) tearDown")
    life.tearDowns += 1
    check(life.tearDowns == 1, "\(life.number) is torn down twice")
    check(
      !life.hasBegun || life.hasShutDown || (life.shutDowns == 1 && life.mayBeLate),
      "\(life.number) is torn down and has not shut down")
    check(!life.isWorking || life.mayBeLate, "\(life.number) is torn down and works")
  }

  /// Checks the conditions that hold after the run.
  func checkEnd() {
    for life in lives {
      check(life.tearDowns == 1, "\(life.number) was torn down \(life.tearDowns) times")
      check(life.shutDowns == (life.hasBegun ? 1 : 0), "\(life.number) was shut down \(life.shutDowns) times")
    }
    check(manager?.modules.isEmpty == true && manager?.launch.phases == nil, "there are modules left")
  }
}

extension ContextKey where Value == RunModel? {
  static var runModel: Self { .init("test.runModel") }
}

/// A number as a type.
protocol RunTag { static var number: Int { get } }
private enum T0: RunTag { static let number = 0 }
private enum T1: RunTag { static let number = 1 }
private enum T2: RunTag { static let number = 2 }
private enum T3: RunTag { static let number = 3 }
private enum T4: RunTag { static let number = 4 }
private enum T5: RunTag { static let number = 5 }
private enum T6: RunTag { static let number = 6 }
private enum T7: RunTag { static let number = 7 }

enum RunTags {
  @MainActor static let workers: [any Module.Type] = [
    ModelWorker<T0>.self, ModelWorker<T1>.self, ModelWorker<T2>.self, ModelWorker<T3>.self, ModelWorker<T4>.self,
    ModelWorker<T5>.self, ModelWorker<T6>.self, ModelWorker<T7>.self,
  ]
  @MainActor static let plains: [any Module.Type] = [
    ModelPlain<T0>.self, ModelPlain<T1>.self, ModelPlain<T2>.self, ModelPlain<T3>.self, ModelPlain<T4>.self,
    ModelPlain<T5>.self, ModelPlain<T6>.self, ModelPlain<T7>.self,
  ]
}

private final class ModelWorker<Name: RunTag>: AsyncModule {
  let life = RunLife(Name.number)

  func setUp(_ context: Context) throws { context.configuration[.runModel]!.lives.append(life) }
  func becomeReady(_ context: Context) async throws { try await context.configuration[.runModel]!.becomeReady(life) }
  func run(_ context: Context) async throws { try await context.configuration[.runModel]!.run(life) }
  func shutDown(_ context: Context) async throws { try await context.configuration[.runModel]!.shutDown(life) }
  func tearDown(_ context: Context) throws { context.configuration[.runModel]!.tearDown(life) }
}

private final class ModelPlain<Name: RunTag>: Module {
  let life = RunLife(Name.number)

  func setUp(_ context: Context) throws { context.configuration[.runModel]!.lives.append(life) }
  func tearDown(_ context: Context) throws { context.configuration[.runModel]!.tearDown(life) }
}
