import AppHost
import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

/// A row of the table of system events: what is called on the host, what modules are given and say, and what comes back.
@MainActor struct SystemEventRow {
  /// What the modules say, and what the host gets then; as text, to be compared.
  struct Case {
    /// Makes the two modules answer so.
    let prepare: @MainActor () -> Void
    let outcome: String
  }

  let name: String
  let id: String
  /// As text.
  let payload: String
  let cases: [Case]
  /// Lets both modules subscribe.
  let first: @MainActor (Subscriptions<FirstRecorder>) -> Void
  let second: @MainActor (Subscriptions<SecondRecorder>) -> Void
  /// Calls the host; the outcome as text, and how often it came.
  let fire: @MainActor (SystemEventHost) async throws -> (outcome: String, count: Int)

  /// Tells what each of the two modules answers.
  @MainActor final class Answers<Outcome> {
    var both: (Outcome, Outcome)
    init(_ both: (Outcome, Outcome)) { self.both = both }
  }

  /// A row of an event that is answered at once.
  ///
  /// - Parameter cases: The answers of the first and the second module, and the outcome.
  init<Payload, Outcome>(
    _ name: String, _ event: Event<Payload, Outcome>, _ payload: Payload, _ cases: [(Outcome, Outcome, Outcome)],
    fire: @escaping @MainActor (SystemEventHost) async throws -> Outcome
  ) {
    let answers = Answers((cases[0].0, cases[0].1))
    self.name = name
    id = "\(event.id)"
    self.payload = String(reflecting: payload)
    self.cases = cases.map { one in
      Case(prepare: { answers.both = (one.0, one.1) }, outcome: String(reflecting: one.2))
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
    self.fire = { host in (String(reflecting: try await fire(host)), 1) }
  }

  /// A row of an event that is answered in a module's own time. The second module answers before the first.
  init<Payload, Outcome>(
    _ name: String, _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, _ cases: [(Outcome, Outcome, Outcome)],
    fire: @escaping @MainActor (SystemEventHost, @escaping @MainActor (Outcome) -> Void) -> Void
  ) {
    let answers = Answers((cases[0].0, cases[0].1))
    self.name = name
    id = "\(event.id)"
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
    self.fire = { host in
      var outcomes: [Outcome] = []
      fire(host) { outcomes.append($0) }
      try await until("the completion of \(name) is called") { !outcomes.isEmpty }
      // And not again.
      for _ in 0..<50 { await Task.yield() }
      return (String(reflecting: outcomes[0]), outcomes.count)
    }
  }

  /// A row of an event that nobody answers.
  init<Payload>(
    _ name: String, _ event: Event<Payload, Void>, _ payload: Payload,
    fire: @escaping @MainActor (SystemEventHost) async throws -> Void
  ) {
    self.init(name, event, payload, [((), (), ())], fire: fire)
  }
}

/// Subscribes to every event of the table, and writes down what it is given.
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

/// Is taken out by the test of that.
final class Departing: Module {}
