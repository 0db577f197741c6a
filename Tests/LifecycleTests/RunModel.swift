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
@MainActor final class RunSession {
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
  var sessions: [RunSession] = []
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
    for session in sessions where session.tearDowns == 0 {
      let isInPhase =
        session.hasBegun
        && (!session.hasBegunEnded || (session.shutDowns > 0 && (!session.hasShutDown || session.isWorking)))
      if isInPhase { session.mayBeLate = true }
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
  private var present: [Int: RunSession] {
    let listed = Set(manager?.moduleNames ?? [])
    var result: [Int: RunSession] = [:]
    for session in sessions where session.tearDowns == 0 && listed.contains(name(session.number)) {
      result[session.number] = session
    }
    return result
  }

  /// Returns the modules that a module waits for, either directly or through other present modules.
  ///
  /// - Parameter isDeep: A Boolean value that indicates whether to continue through modules with
  ///   asynchronous phases. Such a module may have become ready before a module that it waits for
  ///   was registered again.
  private func awaited(by number: Int, among present: [Int: RunSession], isDeep: Bool) -> Set<Int> {
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

  func becomeReady(_ session: RunSession) async throws {
    trace.append("\(session.number) becomeReady")
    check(
      !session.hasBegun && session.shutDowns == 0 && session.tearDowns == 0,
      "\(session.number) begins twice or too late")
    session.hasBegun = true
    let present = present
    for other in awaited(by: session.number, among: present, isDeep: false) where plans[other].isAsync {
      check(present[other]!.isReady, "\(session.number) begins, and \(other) is not ready")
    }
    defer {
      trace.append("\(session.number) becomeReady.")
      session.hasBegunEnded = true
    }
    try await perform(plans[session.number].becomeReady)
    session.isReady = true
  }

  func run(_ session: RunSession) async throws {
    trace.append("\(session.number) run")
    check(session.isReady && !session.isWorking, "\(session.number) works and is not ready")
    session.isWorking = true
    defer {
      trace.append("\(session.number) run.")
      session.isWorking = false
    }
    try await perform(plans[session.number].run)
  }

  func shutDown(_ session: RunSession) async throws {
    trace.append("\(session.number) shutDown")
    session.shutDowns += 1
    let plan = plans[session.number]
    check(session.shutDowns == 1 && session.hasBegun, "\(session.number) shuts down twice, or did not begin")
    check(
      session.hasBegunEnded || plan.becomeReady == .hangs || session.mayBeLate,
      "\(session.number) shuts down while it becomes ready")
    check(session.tearDowns == 0, "\(session.number) shuts down when it was torn down")
    let present = present
    if present[session.number] === session {
      for (other, dependent) in present
      where plans[other].isAsync && awaited(by: other, among: present, isDeep: true).contains(session.number) {
        let isDown = dependent.hasShutDown || dependent.mayBeLate
        check(
          !dependent.hasBegun || (isDown && dependent.shutDowns == 1),
          "\(session.number) shuts down, and \(other), which waits for it, has not")
        check(!dependent.isWorking || dependent.mayBeLate, "\(session.number) shuts down, and \(other) works")
      }
    }
    defer {
      trace.append("\(session.number) shutDown.")
      session.hasShutDown = true
    }
    try await perform(plan.shutDown)
  }

  func tearDown(_ session: RunSession) {
    trace.append("\(session.number) tearDown")
    session.tearDowns += 1
    check(session.tearDowns == 1, "\(session.number) is torn down twice")
    check(
      !session.hasBegun || session.hasShutDown || (session.shutDowns == 1 && session.mayBeLate),
      "\(session.number) is torn down and has not shut down")
    check(!session.isWorking || session.mayBeLate, "\(session.number) is torn down and works")
  }

  /// Checks the conditions that hold after the run.
  func checkEnd() {
    for session in sessions {
      check(session.tearDowns == 1, "\(session.number) was torn down \(session.tearDowns) times")
      check(
        session.shutDowns == (session.hasBegun ? 1 : 0), "\(session.number) was shut down \(session.shutDowns) times")
    }
    check(manager?.moduleNames.isEmpty == true && manager?.runner.phases == nil, "there are modules left")
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
  let session = RunSession(Name.number)

  func setUp(_ context: Context) throws { context.configuration[.runModel]!.sessions.append(session) }
  func becomeReady(_ context: Context) async throws { try await context.configuration[.runModel]!.becomeReady(session) }
  func run(_ context: Context) async throws { try await context.configuration[.runModel]!.run(session) }
  func shutDown(_ context: Context) async throws { try await context.configuration[.runModel]!.shutDown(session) }
  func tearDown(_ context: Context) throws { context.configuration[.runModel]!.tearDown(session) }
}

private final class ModelPlain<Name: RunTag>: Module {
  let session = RunSession(Name.number)

  func setUp(_ context: Context) throws { context.configuration[.runModel]!.sessions.append(session) }
  func tearDown(_ context: Context) throws { context.configuration[.runModel]!.tearDown(session) }
}
