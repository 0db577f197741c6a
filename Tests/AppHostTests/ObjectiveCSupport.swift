import AppHost
import Foundation
import Lifecycle
import Registry
import TestSupport

/// An object of a simulated Objective-C class.
final class LegacyObject: Sendable {}

/// The calls that a simulated class has received.
@MainActor final class LegacyLog {
  var lines: [String] = []
  var calls: [ObjectiveCCall] = []

  /// Creates a simulated class whose methods record their selectors and run the closure.
  nonisolated func legacy(
    _ selectors: [String], adopted: [String: Bool] = [:], makes: Bool = true,
    _ body: @escaping @MainActor (String, ObjectiveCCall) -> Void = { _, _ in }
  ) -> SimulatedClass {
    var methods: [String: SimulatedClass.Method] = [:]
    for selector in selectors {
      methods[selector] = { _, argument in
        let call = argument as? ObjectiveCCall
        MainActor.assumeIsolated {
          guard let call else { return self.lines.append("\(selector) without a call") }
          self.lines.append(selector)
          self.calls.append(call)
          body(selector, call)
        }
      }
    }
    return SimulatedClass(LegacyObject.self, adopted: adopted, methods: methods) {
      MainActor.assumeIsolated { self.lines.append("init") }
      return makes ? LegacyObject() : nil
    }
  }
}

extension SimulatedObjectiveC {
  /// Creates a runtime with one class, whose name is LegacyModule.
  init(legacy: SimulatedClass) {
    self.init()
    classes["LegacyModule"] = legacy
  }
}
