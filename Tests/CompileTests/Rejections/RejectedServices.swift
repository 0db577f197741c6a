// This file must not compile. See RejectedCode.swift.

/// Calls of the registry that the compiler rejects with the library's message.
let misusedServices = RejectedCode(
  "Services.swift",
  #"""
  import Registry

  protocol Misused { var n: Int { get } }
  struct Use: Misused { let n = 1 }
  func misuse(_ services: ServiceManager) {
    services.register(Misused.self, with: Use())
  // 12: error: 'register(_:scope:named:priority:replacing:with:)' is unavailable: pass a closure that returns the
  //   instance: 'register(P.self) { instance }'
    services.register(Misused.self, Use())
  // 12: error: 'register(_:scope:named:priority:replacing:_:)' is unavailable: pass a closure ...
    services.register(Misused.self, named: "one", Use())
  // 12: error: 'register(_:scope:named:priority:replacing:_:)' is unavailable: pass a closure ...
    services.withOverrides { $0.override(Misused.self) { Use() } }
  // 12: error: 'withOverrides' is unavailable: add the code that uses the overrides as a second closure:
  //   'withOverrides { … } operation: { … }'
    services.withTestScope { $0.override(Misused.self) { Use() } }
  // 12: error: 'withTestScope(_:overrides:)' is unavailable: add the code that uses the overrides as a second
  //   closure: 'withTestScope { … } operation: { … }'
    services.withTestScope(.strict) { $0.allowLive(Misused.self) }
  // 12: error: 'withTestScope(_:overrides:)' is unavailable: add the code ...
    services.withOverrides { $0.override(Misused.self, with: Use()) } operation: {}
  // 31: error: 'override(_:scope:named:with:)' is unavailable: pass a closure that returns the instance:
  //   'override(P.self) { instance }'
    services.withOverrides { $0.override(Misused.self, Use()) } operation: {}
  // 31: error: 'override(_:scope:named:_:)' is unavailable: pass a closure ...
    services.withOverrides { $0.register(Misused.self) { Use() } } operation: {}
  // 31: error: 'register(_:scope:named:factory:)' is unavailable: override the service instead:
  //   '$0.override(P.self) { instance }'
    services.register(Misused.self) { 5 }
  // 12: error: 'register(_:scope:named:priority:replacing:factory:)' is unavailable: the closure must return an instance
  //   that conforms to the service
    services.register(Misused.self) { services in 5 }
  // 12: error: 'register(_:scope:named:priority:replacing:factory:)' is unavailable: the closure must return ...
    services.register(S.self, scope: .shared) { 5 }
  // 12: error: 'register(_:scope:named:priority:replacing:factory:)' is unavailable: the closure must return ...
    services.register(S.self, scope: .shared) { services in 5 }
  // 12: error: 'register(_:scope:named:priority:replacing:factory:)' is unavailable: the closure must return ...
    services.withOverrides { $0.override(Misused.self) { 5 } } operation: {}
  // 31: error: 'override(_:scope:named:factory:)' is unavailable: the closure must return an instance that conforms to the
  //   service
    services.withOverrides { $0.override(S.self, scope: .shared) { 5 } } operation: {}
  // 31: error: 'override(_:scope:named:factory:)' is unavailable: the closure must return ...
    services.register(Misused.self) { await load(); return Use() }
  // 12: error: 'register(_:scope:named:priority:replacing:factory:)' is unavailable: a factory is synchronous, because
  //   lookups do not wait; create the instance without 'await', and let its methods wait for what it needs, or register
  //   the service in 'becomeReady'
    services.register(S.self, scope: .shared) { try await Task.sleep(nanoseconds: 1); return Use() }
  // 12: error: 'register(_:scope:named:priority:replacing:factory:)' is unavailable: a factory is synchronous, ...
    services.withOverrides { $0.override(Misused.self) { await load(); return Use() } } operation: {}
  // 31: error: 'override(_:scope:named:factory:)' is unavailable: a factory is synchronous; create the instance before
  //   the scope, and return it
    services.withOverrides { $0.override(Use()) } operation: {}
  // 31: error: 'override' is unavailable: pass the service and a closure: 'override(P.self) { instance }'
    _ = try? services.createService(for: (any Misused).self as Any.Type)
  // 21: error: 'createService(for:named:)' is unavailable: leave out the cast of the type, as in
  //   'createService(for: P.self)'
    print(services.report())
  // 18: error: 'report()' is unavailable: add 'import RegistryReports' to this file, and the product to its target
    services.withTestScope { () in }
    services.withTestScope(overrides: { $0.allowLive(Misused.self) }) {}
    let both: ServiceCondition = .debug && .test
  // 39: error: '&&' is unavailable: an implementation has one condition; set a flag if both hold, and write
  //   'when: .flag("name")'
    let one: ServiceCondition = .debug || .test
  // 38: error: '||' is unavailable: an implementation has one condition; set a flag if either holds, and write
  //   'when: .flag("name")'
    _ = (both, one)
  }
  """#)
