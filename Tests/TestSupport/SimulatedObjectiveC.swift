package import Registry

/// A simulated Objective-C runtime whose classes are Swift classes under names without a module.
///
/// ```swift
/// try runtime.run { try services.createService(for: Clock.self) }
/// ```
package struct SimulatedObjectiveC: ObjectiveCRuntime {
  package var isAvailable = true
  package var classes: [String: SimulatedClass] = [:]
  package var protocols: [String: Any.Type] = [:]

  package init(_ classes: [SimulatedClass] = [], protocols: [String: Any.Type] = [:]) {
    self.classes = Dictionary(classes.map { (_typeName($0.type, qualified: false), $0) }) { first, _ in first }
    self.protocols = protocols
  }

  package func classNamed(_ name: String) -> (any ObjectiveCClass)? { classes[name] }

  package func existential(named name: String) -> Any.Type? { protocols[name] }

  /// Runs a closure with this runtime in place of the system's.
  @discardableResult package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ClassLookup.$objectiveC.withValue(self, operation: body)
  }
}

/// A class of a simulated runtime, whose methods are closures.
package struct SimulatedClass: ObjectiveCClass {
  package typealias Method = @Sendable (AnyObject, AnyObject?) -> Void

  package let type: AnyClass
  package var isSwift = false
  package var adopted: [String: Bool] = [:]
  package var methods: [String: Method] = [:]
  private let initialize: @Sendable () -> AnyObject?

  package init(
    _ type: AnyClass, isSwift: Bool = false, adopted: [String: Bool] = [:], methods: [String: Method] = [:],
    make: @escaping @Sendable () -> AnyObject?
  ) {
    self.type = type
    self.isSwift = isSwift
    self.adopted = adopted
    self.methods = methods
    initialize = make
  }

  package func adopts(_ name: String) -> Bool? { adopted[name] }

  package func responds(to selector: String) -> Bool { methods[selector] != nil }

  package func make() -> AnyObject? { initialize() }

  package func send(_ selector: String, to object: AnyObject, with argument: AnyObject?) -> Bool {
    methods[selector]?(object, argument) != nil
  }
}
