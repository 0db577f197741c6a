import Registry
import RegistryReports

protocol Probed: AnyObject, Sendable { var number: Int { get } }
protocol Missing: Sendable {}

final class Instance: Probed {
  let number: Int
  /// The contents that make a leaked instance large enough to be detected.
  private let load: [Int]

  init(_ number: Int) {
    self.number = number
    load = [Int](repeating: number, count: 64)
  }
}

extension Probe {
  struct Refused: Error {
    let words: String
  }

  private static func manager() -> ServiceManager { ServiceManager(onDiagnostic: { _ in }) }

  @MainActor static let services: [String: Scenario] = [
    "register": {
      let services = manager()
      return { round in
        services.register((any Probed).self) { Instance(round) }
        let number = try services.createService(for: (any Probed).self).number
        try check(number == round, "not the one that is registered")
        services.unregister((any Probed).self)
      }
    },
    "scopes": {
      let services = manager()
      return { round in
        for scope in [ServiceScope.transient, .shared, .weak] {
          let registration = services.register((any Probed).self, scope: scope) { Instance(round) }
          let one = try services.createService(for: (any Probed).self)
          let other = try services.createService(for: (any Probed).self)
          try check((one === other) == (scope != .transient), "not of its scope")
          registration.cancel()
        }
      }
    },
    "replace": {
      let services = manager()
      services.register((any Probed).self, scope: .shared) { Instance(-1) }
      return { round in
        let registrations = [ServiceScope.transient, .shared, .weak].map { scope in
          services.register((any Probed).self, scope: scope, replacing: true) { Instance(round) }
        }
        try check(try services.createService(for: (any Probed).self).number == round, "not replaced")
        for registration in registrations { registration.cancel() }
        try check(try services.createService(for: (any Probed).self).number == -1, "not restored")
      }
    },
    "names": {
      let services = manager()
      return { round in
        services.register((any Probed).self, scope: .shared, named: "name \(round)") { Instance(round) }
        try check(services.contains((any Probed).self, named: "name \(round)"), "not there")
        _ = try services.createService(for: (any Probed).self, named: "name \(round)")
        services.unregister((any Probed).self, named: "name \(round)")
      }
    },
    "overrides": {
      let services = manager()
      services.register((any Probed).self, scope: .shared) { Instance(-1) }
      return { round in
        try services.withOverrides {
          $0.override((any Probed).self) { Instance(round) }
          $0.override((any Probed).self, scope: .shared, named: "name \(round)") { Instance(round) }
        } operation: { () throws in
          _ = try services.createService(for: (any Probed).self, named: "name \(round)")
          try check(try services.createService(for: (any Probed).self).number == round, "not overridden")
        }
        try check(try services.createService(for: (any Probed).self).number == -1, "the override stays")
      }
    },
    "isolation": {
      let services = manager()
      services.register((any Probed).self, scope: .shared) { Instance(-1) }
      return { round in
        try services.withTestScope(.lenient) { () throws in
          services.register((any Probed).self, scope: .weak, named: "name \(round)") { Instance(round) }
          _ = try services.createService(for: (any Probed).self)
          try services.withTestScope(.strict) { () throws in
            _ = try services.createService(for: (any Probed).self, named: "name \(round)")
            try check((try? services.createService(for: (any Probed).self)) == nil, "a strict scope is none")
          }
        }
      }
    },
    "children": {
      let services = manager()
      services.register((any Probed).self, scope: .shared) { Instance(-1) }
      return { round in
        let child = ServiceManager(parent: services)
        let grandchild = ServiceManager(parent: child)
        child.register((any Probed).self, scope: .shared, named: "name") { Instance(round) }
        try check(
          try grandchild.createService(for: (any Probed).self, named: "name").number == round, "not the child's")
        try check(try grandchild.createService(for: (any Probed).self).number == -1, "not the parent's")
      }
    },
    "misses": {
      let services = ServiceManager(records: .loadedImages, onDiagnostic: { _ in })
      let child = ServiceManager(parent: services)
      return { round in
        try check((try? child.createService(for: (any Missing).self)) == nil, "there is none")
        try check((try? child.createService(for: (any Missing).self, named: "name \(round)")) == nil, "there is none")
        try check(!child.contains((any Missing).self, named: "name \(round)"), "there is none")
        try check(try child.createServices(for: (any Missing).self).isEmpty, "there is none")
      }
    },
    "diagnostics": {
      let services = manager()
      services.register((any Probed).self) { Instance(-1) }
      return { round in
        // A later registration that has a higher priority is reported.
        for scope in [ServiceScope.transient, .shared, .weak] {
          services.register((any Probed).self, scope: scope, named: "name \(round)", priority: round) {
            Instance(round)
          }
        }
        services.unregister((any Probed).self, named: "name \(round)")
        try check(services.report().diagnostics.count <= 1_000, "more diagnostics than are kept")
      }
    },
    "failures": {
      let services = manager()
      return { round in
        for scope in [ServiceScope.transient, .shared, .weak] {
          services.register((any Probed).self, scope: scope) { throw Refused(words: "in round \(round)") }
          try check((try? services.createService(for: (any Probed).self)) == nil, "it did not throw")
          services.unregister((any Probed).self)
        }
      }
    },
  ]
}
