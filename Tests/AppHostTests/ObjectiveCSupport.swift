import AppHost
import Foundation
import Lifecycle
import Registry
import TestSupport

/// Plays an object of an Objective-C class.
final class LegacyObject: Sendable {}

/// What a played class was called with, as text, and what it does then.
@MainActor final class LegacyLog {
  var lines: [String] = []
  var calls: [ObjectiveCCall] = []

  /// A class with these methods, each of which writes its selector down and does what is said.
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
  /// A run time with one class, `LegacyModule`.
  init(legacy: SimulatedClass) {
    self.init()
    classes["LegacyModule"] = legacy
  }
}
