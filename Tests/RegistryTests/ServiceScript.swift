import Registry
import TestSupport

// These sequences of user actions run on managers and on the model at the same time.

protocol MadeA: AnyObject, Sendable { var thing: Thing { get } }
protocol MadeB: AnyObject, Sendable { var thing: Thing { get } }

/// An instance that a factory of a sequence creates.
final class Thing: MadeA, MadeB {
  let implementation: Int
  let serial: Int
  private let ledger: Ledger
  var thing: Thing { self }

  init(_ implementation: Int, _ ledger: Ledger) {
    self.implementation = implementation
    self.ledger = ledger
    serial = ledger.made.increment()
  }

  deinit { ledger.freed.increment() }
}

/// The numbers of instances that a sequence created and released.
final class Ledger: Sendable {
  let made = Counter()
  let freed = Counter()
}

/// A service without its type.
struct Kind: Sendable {
  let register:
    @Sendable (ServiceManager, ServiceScope, String?, Int, Bool, @escaping @Sendable () -> Thing) -> RegistrationToken
  let unregister: @Sendable (ServiceManager, String?) -> Bool
  let contains: @Sendable (ServiceManager, String?) -> Bool
  let one: @Sendable (ServiceManager, String?) throws(ServiceError) -> Thing
  let all: @Sendable (ServiceManager) throws(ServiceError) -> [Thing]
  let override: @Sendable (inout ServiceOverrides, ServiceScope, String?, @escaping @Sendable () -> Thing) -> Void
  let allow: @Sendable (inout ServiceOverrides) -> Void

  init<Service: Sendable>(
    _ type: Service.Type, _ wrap: @escaping @Sendable (Thing) -> Service,
    _ unwrap: @escaping @Sendable (Service) -> Thing
  ) {
    register = { manager, scope, name, priority, replacing, make in
      manager.register(Service.self, scope: scope, named: name, priority: priority, replacing: replacing) {
        wrap(make())
      }
    }
    unregister = { $0.unregister(Service.self, named: $1) }
    contains = { $0.contains(Service.self, named: $1) }
    one = { (manager, name) throws(ServiceError) in unwrap(try manager.createService(for: Service.self, named: name)) }
    all = { manager throws(ServiceError) in try manager.createServices(for: Service.self).map(unwrap) }
    override = { overrides, scope, name, make in
      overrides.override(Service.self, scope: scope, named: name) { wrap(make()) }
    }
    allow = { $0.allowLive(Service.self) }
  }

  static let every = [
    Kind(MadeA.self, { $0 }, { $0.thing }), Kind(MadeB.self, { $0 }, { $0.thing }), Kind(Thing.self, { $0 }, { $0 }),
  ]
}

/// A single action of a user.
enum ServiceStep: CustomStringConvertible {
  struct Override {
    let kind: Int
    let scope: ServiceScope
    let name: String?
  }

  enum Isolation: String, CaseIterable { case none, inherited, lenient, strict }

  case register(on: Int, kind: Int, scope: ServiceScope, name: String?, priority: Int, replacing: Bool)
  case cancel(Int)
  case unregister(on: Int, kind: Int, name: String?)
  case one(on: Int, kind: Int, name: String?, holds: Bool)
  case all(on: Int, kind: Int)
  case contains(on: Int, kind: Int, name: String?)
  case letGo(Int)
  case reset(on: Int)
  case enter(on: Int, Isolation, overrides: [Override], allowed: [Int])
  case leave

  var description: String {
    func named(_ kind: Int, _ name: String?) -> String { "kind \(kind)" + (name.map { " named \($0)" } ?? "") }
    switch self {
    case .register(let on, let kind, let scope, let name, let priority, let replacing):
      return
        "manager \(on): register \(scope) \(named(kind, name)), priority \(priority)\(replacing ? ", replacing" : "")"
    case .cancel(let index): return "cancel registration \(index)"
    case .unregister(let on, let kind, let name): return "manager \(on): unregister \(named(kind, name))"
    case .one(let on, let kind, let name, let holds):
      return "manager \(on): createService \(named(kind, name))\(holds ? " and hold it" : "")"
    case .all(let on, let kind): return "manager \(on): createServices kind \(kind)"
    case .contains(let on, let kind, let name): return "manager \(on): contains \(named(kind, name))"
    case .letGo(let index): return "release held instance \(index)"
    case .reset(let on): return "manager \(on): reset the cache"
    case .enter(let on, let isolation, let overrides, let allowed):
      let list = overrides.map { "\($0.scope) \(named($0.kind, $0.name))" }.joined(separator: "; ")
      return "manager \(on): enter a scope, isolation \(isolation), overrides [\(list)], allowLive \(allowed)"
    case .leave: return "leave the innermost scope"
    }
  }

  static func random(_ random: inout SeededGenerator) -> ServiceStep {
    let on = random.below(ServiceModel.managers)
    let kind = random.below(Kind.every.count)
    let name = [nil, nil, "x", "y"].randomElement(using: &random)!
    let scope = ServiceScope.every.randomElement(using: &random)!
    switch random.below(22) {
    case 0..<5:
      return .register(
        on: on, kind: kind, scope: scope, name: name, priority: random.below(3), replacing: random.one(in: 4))
    case 5: return .cancel(random.below(8))
    case 6: return .unregister(on: on, kind: kind, name: name)
    case 7..<12: return .one(on: on, kind: kind, name: name, holds: random.one(in: 2))
    case 12, 13: return .all(on: on, kind: kind)
    case 14: return .contains(on: on, kind: kind, name: name)
    case 15: return .letGo(random.below(4))
    case 16: return .leave
    case 17, 18: return .reset(on: on)
    default:
      var overrides: [Override] = []
      while overrides.count < 4, random.one(in: 2) {
        overrides.append(
          Override(
            kind: random.below(Kind.every.count), scope: ServiceScope.every.randomElement(using: &random)!,
            name: random.one(in: 2) ? nil : "x"))
      }
      let isolation = Isolation.allCases.randomElement(using: &random)!
      return .enter(on: on, isolation, overrides: overrides, allowed: random.one(in: 4) ? [kind] : [])
    }
  }
}
