package import Lifecycle
package import Registry

/// An adapter that creates modules from Objective-C classes, whose methods determine their events.
///
/// The adapter is a class, because ``/Lifecycle/ModuleManager`` looks it up by name.
package final class ObjectiveCModules: ForeignModuleAdapter {
  package static func adapt(
    _ own: any ObjectiveCClass, named name: String
  ) throws(ForeignModule.Refused) -> ForeignModule {
    var hasMethods = ObjectiveCPhase.allCases.contains { own.responds(to: $0.rawValue) }
    let module = ForeignModule { events in
      for event in SystemEvent.all + [.custom] {
        guard let selector = event.moduleSelectors.first(where: own.responds) else { continue }
        event.visit(ObjectiveCSubscriber(events: events, selector: selector))
        hasMethods = true
      }
    } make: {
      try ObjectiveCModule(own, name)
    }
    // A class that needs only its initializer adopts a protocol to show that it's a module.
    guard hasMethods || ["REGModule", "BHModuleProtocol"].contains(where: { own.adopts($0) == true }) else {
      throw ForeignModule.Refused(
        "the class has no method of a module, such as '-modSetUp:' or '-modDidBecomeActive:'; implement one, or adopt"
          + " 'REGModule' if the module needs none")
    }
    return module
  }
}

struct ObjectiveCSubscriber: SystemEventSubscriber {
  let events: Subscriptions<ObjectiveCModule>
  let selector: String

  func subscribe<Payload, Outcome: Sendable>(to event: Event<Payload, Outcome>) {
    events.on(event) { [selector] module, payload, context in
      try module.call(selector, "\(event.id)", payload, context, Outcome.self).result(neutral: event.rule.initial())
    }
  }

  func subscribe<Payload, Outcome: Sendable>(to event: AsyncEvent<Payload, Outcome>) {
    events.on(event) { [selector] module, payload, context in
      let call = module.call(selector, "\(event.id)", payload, context, Outcome.self, mayTakeTime: true)
      await call.finish()
      return try call.result(neutral: event.rule.initial())
    }
  }
}

/// A method that's called for a phase of the module rather than for an event.
enum ObjectiveCPhase: String, CaseIterable {
  case setUp = "modSetUp:"
  case initialize = "modInit:"
  case didFinishStarting = "modSplash:"
  case tearDown = "modTearDown:"
}

@MainActor package final class ObjectiveCModule: Module {
  private let own: any ObjectiveCClass
  private let name: String
  private let object: AnyObject

  fileprivate init(_ own: any ObjectiveCClass, _ name: String) throws {
    guard let object = own.make() else { throw NoInstance(name: name) }
    self.own = own
    self.name = name
    self.object = object
  }

  /// The protocol requires this initializer, but an instance needs an Objective-C class.
  package init() throws { throw NoInstance(name: "") }

  package func setUp(_ context: Context) throws { try run(.setUp, context) }
  package func initialize(_ context: Context) throws { try run(.initialize, context) }
  package func didFinishStarting(_ context: Context) throws { try run(.didFinishStarting, context) }
  package func tearDown(_ context: Context) throws { try run(.tearDown, context) }

  private func run(_ phase: ObjectiveCPhase, _ context: Context) throws {
    try call(phase.rawValue, "\(phase)", (), context).result(neutral: ())
  }

  func call(
    _ selector: String, _ event: String, _ payload: Any, _ context: Context, _ outcome: Any.Type = Void.self,
    mayTakeTime: Bool = false
  ) -> ObjectiveCCall {
    var contents = SystemEventContents(event: event)
    contents.add(payload)
    let call = ObjectiveCCall(name, selector, contents, context, outcome, mayTakeTime: mayTakeTime)
    _ = own.send(selector, to: object, with: call.argument)
    return call
  }
}

extension ObjectiveCCall {
  /// The call as Objective-C represents it.
  fileprivate var argument: AnyObject {
    #if canImport(ObjectiveC)
    REGContext(self)
    #else
    self
    #endif
  }
}
