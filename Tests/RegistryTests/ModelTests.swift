import Registry
import TestSupport
import Testing

/// Random sequences that run on managers and on a simple model.
@Suite struct ModelTests {
  /// The managers, and the model that they are compared with.
  private final class Comparison {
    struct Disagreement: Error { let message: String }

    private let managers: [ServiceManager]
    private var model = ServiceModel()
    private var registrations: [(registration: RegistrationToken, manager: Int, implementation: Int)] = []
    private var held: [Thing] = []
    private var implementations = 0
    private let ledger: Ledger

    init(_ ledger: Ledger) {
      self.ledger = ledger
      var managers = [ServiceManager(onDiagnostic: { _ in })]
      while managers.count < ServiceModel.managers { managers.append(ServiceManager(parent: managers.last!)) }
      self.managers = managers
    }

    /// Runs steps until one leaves their scope, and returns the rest.
    func play(_ steps: ArraySlice<ServiceStep>, depth: Int = 0) throws -> ArraySlice<ServiceStep> {
      var rest = steps
      while let step = rest.popFirst() {
        switch step {
        case .leave: if depth > 0 { return rest }
        case .enter(let on, let isolation, let overrides, let allowed):
          rest = try enter(on, isolation, overrides, allowed) { try play(rest, depth: depth + 1) }
        default: try play(step)
        }
      }
      return rest
    }

    private func make() -> (implementation: Int, make: @Sendable () -> Thing) {
      implementations += 1
      return (implementations, { [ledger, implementations] in Thing(implementations, ledger) })
    }

    private func enter<Result>(
      _ on: Int, _ isolation: ServiceStep.Isolation, _ overrides: [ServiceStep.Override], _ allowed: [Int],
      _ operation: () throws -> Result
    ) throws -> Result {
      var entries: [ModelEntry] = []
      let collect = { (real: inout ServiceOverrides) in
        for override in overrides {
          let (implementation, make) = self.make()
          Kind.every[override.kind].override(&real, override.scope, override.name, make)
          entries.append(
            ModelEntry(
              implementation: implementation, kind: override.kind, scope: override.scope, name: override.name,
              priority: 0, isReplacing: false, isGiven: true))
        }
        for kind in allowed { Kind.every[kind].allow(&real) }
      }
      let inside = {
        self.model.enter(
          on, isolating: isolation != .none, isStrict: [.strict: true, .lenient: false][isolation], overrides: entries,
          allowed: Set(allowed))
        defer { self.model.leave() }
        return try operation()
      }
      switch isolation {
      case .none: return try managers[on].withOverrides(collect, operation: inside)
      case .inherited: return try managers[on].withTestScope(overrides: collect, operation: inside)
      case .lenient: return try managers[on].withTestScope(.lenient, overrides: collect, operation: inside)
      case .strict: return try managers[on].withTestScope(.strict, overrides: collect, operation: inside)
      }
    }

    private func play(_ step: ServiceStep) throws {
      switch step {
      case .enter, .leave: break
      case .register(let on, let kind, let scope, let name, let priority, let replacing):
        let (implementation, make) = make()
        let registration = Kind.every[kind].register(managers[on], scope, name, priority, replacing, make)
        registrations.append((registration, on, implementation))
        model.register(
          ModelEntry(
            implementation: implementation, kind: kind, scope: scope, name: name, priority: priority,
            isReplacing: replacing, isGiven: false), on: on)
      case .cancel(let index):
        guard !registrations.isEmpty else { return }
        let (registration, on, implementation) = registrations[index % registrations.count]
        try agree(registration.cancel(), model.remove(on: on) { $0.implementation == implementation })
      case .unregister(let on, let kind, let name):
        try agree(
          Kind.every[kind].unregister(managers[on], name), model.remove(on: on) { $0.kind == kind && $0.name == name })
      case .contains(let on, let kind, let name):
        try agree(Kind.every[kind].contains(managers[on], name), model.contains(on: on, kind, name))
      case .reset(let on):
        managers[on].resetCache("session")
        model.reset(on: on, .cached("session"))
      case .letGo(let index):
        guard !held.isEmpty else { return }
        model.held.remove(at: index % held.count)
        held.remove(at: index % held.count)
      case .one(let on, let kind, let name, let holds): try one(on, kind, name, holds)
      case .all(let on, let kind): try all(on, kind)
      }
    }

    private func agree<Value: Equatable>(_ real: Value, _ model: Value) throws {
      guard real == model else { throw Disagreement(message: "the manager says \(real), the model \(model)") }
    }

    private func one(_ on: Int, _ kind: Int, _ name: String?, _ holds: Bool) throws {
      let last = ledger.made.value
      let answer = model.one(on: on, kind, name)
      var thing: Thing?
      let finding: ModelFinding
      do throws(ServiceError) {
        let made = try Kind.every[kind].one(managers[on], name)
        finding = describe(made, after: last)
        thing = made
      } catch {
        finding = try describe(error)
        if finding == .notFound, model.scopes.isEmpty { try agree(error.available, model.names(on: on, kind)) }
      }
      try agree(finding, answer.finding)
      try agree(ledger.made.value, last + (isNew(finding) ? 1 : 0))
      if let thing, isNew(finding) { answer.keep(thing.serial) }
      if let thing, holds {
        held.append(thing)
        model.held.append(thing.serial)
      }
    }

    private func all(_ on: Int, _ kind: Int) throws {
      let last = ledger.made.value
      guard let answers = model.all(on: on, kind) else {
        let count: Int
        do throws(ServiceError) {
          count = try Kind.every[kind].all(managers[on]).count
        } catch {
          return try agree(try describe(error), .live)
        }
        throw Disagreement(message: "the manager gives \(count) services, the model none")
      }
      let things = try Kind.every[kind].all(managers[on])
      try agree(things.count, answers.joined().count)
      var rest = things[...]
      for together in answers {
        let part = rest.prefix(together.count).sorted { $0.implementation < $1.implementation }
        rest = rest.dropFirst(together.count)
        let expected = together.sorted { implementation($0.finding) < implementation($1.finding) }
        try agree(part.map { describe($0, after: last) }, expected.map(\.finding))
        for (thing, answer) in zip(part, expected) where isNew(answer.finding) { answer.keep(thing.serial) }
      }
      try agree(ledger.made.value, last + answers.joined().filter { isNew($0.finding) }.count)
    }

    private func describe(_ thing: Thing, after last: Int) -> ModelFinding {
      thing.serial > last
        ? .new(implementation: thing.implementation)
        : .instance(implementation: thing.implementation, serial: thing.serial)
    }

    private func describe(_ error: ServiceError) throws -> ModelFinding {
      switch error.code {
      case .noService: return .notFound
      case .liveService: return .live
      default: throw Disagreement(message: "the manager throws \(error)")
      }
    }

    private func isNew(_ finding: ModelFinding) -> Bool {
      if case .new = finding { true } else { false }
    }

    private func implementation(_ finding: ModelFinding) -> Int {
      switch finding {
      case .new(let implementation), .instance(let implementation, _): implementation
      case .notFound, .live: -1
      }
    }
  }

  /// Returns the problem of a sequence, or nil if the managers and the model agree.
  private static func problem(_ steps: [ServiceStep]) -> String? {
    let ledger = Ledger()
    do {
      _ = try Comparison(ledger).play(steps[...])
    } catch {
      return (error as? Comparison.Disagreement)?.message ?? "\(error)"
    }
    guard ledger.made.value == ledger.freed.value else {
      return "\(ledger.made.value) instances were made and \(ledger.freed.value) freed with the managers"
    }
    return nil
  }

  @Test func `random sequences have the same effect on managers and on a simple model`() {
    let count = Effort.count("SEQUENCES", default: 100)
    let first = Effort.seed
    for seed in first..<(first + count) {
      var random = SeededGenerator(seed: UInt64(seed))
      let steps = (0..<(5 + random.below(20))).map { _ in ServiceStep.random(&random) }
      guard Self.problem(steps) != nil else { continue }
      let fewest = shrunk(steps) { Self.problem($0) != nil }
      let list = fewest.map { "  \($0)" }.joined(separator: "\n")
      Issue.record("REGISTRY_SEED=\(seed): \(Self.problem(fewest) ?? "it does not fail again") after\n\(list)")
      return
    }
  }
}
