import AppHost
import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

/// A row of the table of system events, with a call of the manager, the answers of the modules,
/// and the outcome.
@MainActor struct SystemEventRow {
  /// The answers of the modules, and the outcome that the manager returns as text.
  struct Case {
    /// A closure that sets the answers of both modules.
    let prepare: @MainActor () -> Void
    let outcome: String
  }

  let name: String
  let id: String
  /// The type of the payload, as code spells it.
  let payloadType: String
  /// The description of the payload that the modules receive.
  let payload: String
  /// The beginning of the event's row on the page of events.
  let documentation: String
  let cases: [Case]
  /// A closure that subscribes the first module to the event.
  let first: @MainActor (Subscriptions<FirstRecorder>) -> Void
  /// A closure that subscribes the second module to the event.
  let second: @MainActor (Subscriptions<SecondRecorder>) -> Void
  /// A closure that calls the manager and returns the outcome as text and the number of times it
  /// was returned.
  let fire: @MainActor (ModuleManager) async throws -> (outcome: String, count: Int)

  /// The answers of the two modules.
  @MainActor final class Answers<Outcome> {
    var both: (Outcome, Outcome)
    init(_ both: (Outcome, Outcome)) { self.both = both }
  }

  /// Creates a row of an event that modules answer synchronously.
  ///
  /// - Parameter cases: The answers of the first and the second module, and the outcome.
  init<Payload, Outcome>(
    _ name: String, _ event: Event<Payload, Outcome>, _ payload: Payload, _ cases: [(Outcome, Outcome, Outcome)],
    fire: (@MainActor (ModuleManager) async throws -> Outcome)? = nil
  ) {
    let answers = Answers((cases[0].0, cases[0].1))
    self.name = name
    id = "\(event.id)"
    payloadType = Self.spelling(of: Payload.self)
    documentation = Self.documentation(name, Payload.self, Outcome.self == Void.self ? nil : Outcome.self)
    self.payload = String(reflecting: payload)
    self.cases = cases.map { one in
      Case(prepare: { answers.both = (one.0, one.1) }, outcome: Self.text(one.2))
    }
    first = { events in
      events.on(event) { module, payload, context in
        module.record(name, payload, context)
        return answers.both.0
      }
    }
    second = { events in
      events.on(event) { module, payload, context in
        module.record(name, payload, context)
        return answers.both.1
      }
    }
    self.fire = { modules in (Self.text(try await fire?(modules) ?? modules.trigger(event, payload)), 1) }
  }

  /// Returns the description of an outcome, which does not depend on the order of a dictionary.
  private static func text<Outcome>(_ outcome: Outcome) -> String {
    guard let activity = outcome as? UserActivity else { return String(reflecting: outcome) }
    let userInfo = activity.userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(activity.type) \(activity.title ?? "-") \(activity.webpageURL as Any) \(userInfo)"
  }

  /// Creates a row of an event that modules answer asynchronously.
  ///
  /// The second module answers before the first.
  init<Payload, Outcome: Sendable>(
    _ name: String, _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, _ cases: [(Outcome, Outcome, Outcome)]
  ) {
    let answers = Answers((cases[0].0, cases[0].1))
    self.name = name
    id = "\(event.id)"
    payloadType = Self.spelling(of: Payload.self)
    documentation = Self.documentation(name, Payload.self, Outcome.self)
    self.payload = String(reflecting: payload)
    self.cases = cases.map { one in
      Case(prepare: { answers.both = (one.0, one.1) }, outcome: String(reflecting: one.2))
    }
    first = { events in
      events.on(event) { module, payload, context in
        module.record(name, payload, context)
        for _ in 0..<10 { await Task.yield() }
        return answers.both.0
      }
    }
    second = { events in
      events.on(event) { module, payload, context in
        module.record(name, payload, context)
        return answers.both.1
      }
    }
    self.fire = { modules in
      var outcomes: [Outcome] = []
      modules.trigger(event, payload) { outcomes.append($0) }
      try await until("the completion of \(name) is called") { !outcomes.isEmpty }
      // The completion is not called a second time.
      for _ in 0..<50 { await Task.yield() }
      return (String(reflecting: outcomes[0]), outcomes.count)
    }
  }

  private static func documentation(_ name: String, _ payload: Any.Type, _ outcome: Any.Type?) -> String {
    "| `\(name)` | `\(spelling(of: payload))` | " + (outcome.map { "`\(spelling(of: $0))`," } ?? "– |")
  }

  /// Returns the spelling of a type in code, which can differ from its description.
  private static func spelling(of type: Any.Type) -> String {
    if type == Void.self { return "Void" }
    if type == (any Error).self { return "any Error" }
    if type == UserActivity?.self { return "UserActivity?" }
    return "\(type)"
  }

  /// Creates a row of an event without answers.
  init<Payload>(
    _ name: String, _ event: Event<Payload, Void>, _ payload: Payload,
    fire: (@MainActor (ModuleManager) async throws -> Void)? = nil
  ) {
    self.init(name, event, payload, [((), (), ())], fire: fire)
  }
}

/// A module that subscribes to every event of the table and records what it receives.
@MainActor protocol Recorder: Module {}

extension Recorder {
  func record(_ event: String, _ payload: Any, _ context: Context) {
    context.configuration[.trace].add("\(Self.self) \(event) \(String(reflecting: payload))")
  }
}

final class FirstRecorder: Recorder {
  static func subscribe(_ events: Subscriptions<FirstRecorder>) {
    for row in SystemEventRow.all { row.first(events) }
  }
}

final class SecondRecorder: Recorder {
  static func subscribe(_ events: Subscriptions<SecondRecorder>) {
    for row in SystemEventRow.all { row.second(events) }
  }
}

/// A module that the test of removals removes.
final class Departing: Module {}
