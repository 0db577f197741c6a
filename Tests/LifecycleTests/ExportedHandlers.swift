import Foundation
import Lifecycle
import TestSupport

// The tests' binary exports these handlers, and only their tests trigger the events.

extension Event where Payload == Int, Outcome == Void {
  static var arrived: Self { .init("handlers.arrived") }
  static var broken: Self { .init("handlers.broken") }
  static var nested: Self { .init("handlers.nested") }
  static var away: Self { .init("handlers.away") }
  static var awayBroken: Self { .init("handlers.awayBroken") }
}
extension Event where Payload == Void, Outcome == [String] {
  static var gathered: Self { .init("handlers.gathered", combining: .collect) }
}
extension Event where Payload == Void, Outcome == Void {
  static var once: Self { .init("handlers.once") }
  static var awayOnce: Self { .init("handlers.awayOnce") }
}

extension Context {
  fileprivate func note(_ line: String) { configuration[.trace].add(line) }
}

#onEvent(.arrived) { number, context in context.note("ninth \(number)") }
#onEvent(.arrived) { $1.note("tenth \($0)") }; #onEvent(.arrived) { _, context in context.note("beside") }
#onEvent(.arrived, priority: 10) { number, context in context.note("early \(number)") }
#onEvent(Event<Int, Void>.arrived, priority: -10) { number, context in
  context.note("late \(number)")
}

enum Handlers {
  static let name = "in a type"

  #onEvent(.gathered) { _ in [name] }
  #onEvent(.gathered, priority: 1) { _, _ in ["first"] }
}

extension Handlers {
  #onEvent(.gathered, handler: { _ in ["in an extension"] })
}

#onEvent(.broken) { number, _ in throw Broken() }
#onEvent(.broken) { number, context in context.note("after the broken one") }

#onEvent(.once, once: true) { context in
  context.note("once")
  HandlerProbe.manager?.trigger(.once)
}
#onEvent(.once) { context in context.note("always") }

#onEvent(.away, taskPriority: .utility) { number in await HandlerProbe.shared.work(number) }
#onEvent(.awayBroken, taskPriority: .background) { _ in throw Broken() }
#onEvent(.awayOnce, once: true, taskPriority: .high) { HandlerProbe.shared.trace.add("away once") }

/// The reports of handlers that run in tasks, and the conditions that they wait for.
final class HandlerProbe: Sendable {
  static let shared = HandlerProbe()
  @MainActor static weak var manager: ModuleManager?

  let trace = Trace()
  /// A semaphore that a handler signals when it begins.
  let began = DispatchSemaphore(value: 0)

  func work(_ number: Int) async {
    trace.add("began \(number) at \(Task.currentPriority.rawValue)")
    began.signal()
    for _ in 0..<100 { await Task.yield() }
    trace.add("ended \(number)")
  }
}

extension AsyncEvent where Payload == Int, Outcome == [String] {
  static var collected: Self { .init("handlers.collected", combining: .collect) }
}
extension AsyncEvent where Payload == Void, Outcome == Bool {
  static var mayEnd: Self { .init("handlers.mayEnd", combining: .any) }
}
extension Event where Payload == Void, Outcome == [String] {
  static var aroundHost: Self { .init("handlers.aroundHost", combining: .collect) }
}

#onEvent(.collected) { number, context in
  await Task.yield()
  return ["before \(number)"]
}
#onEvent(.collected, .afterApp, priority: 1) { number, context in ["after \(number)"] }
#onEvent(.mayEnd, once: true) { _ in true }
#onEvent(.aroundHost, .afterApp, priority: 1) { _ in ["after"] }
#onEvent(.aroundHost, .beforeApp) { _ in ["before"] }
