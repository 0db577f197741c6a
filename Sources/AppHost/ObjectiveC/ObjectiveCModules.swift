package import Lifecycle
package import Registry

/// Makes modules of Objective-C's classes: each hears what it has methods for.
///
/// ``Lifecycle/ModuleManager`` finds it by this name, which is why it is a class.
package final class ObjectiveCModules: ForeignModuleAdapter {
  package static func adapt(
    _ own: any ObjectiveCClass, named name: String
  ) throws(ForeignModule.Refused) -> ForeignModule {
    var hasMethods = ObjectiveCPhase.allCases.contains { own.responds(to: $0.rawValue) }
    let module = ForeignModule { events in
      for event in SystemEvent.all + [.custom] where event.subscribe(events, own.responds) { hasMethods = true }
    } make: {
      try ObjectiveCModule(own, name)
    }
    // A class may be there for its initializer alone; then it says that it is meant to be a module.
    guard hasMethods || ["REGModule", "BHModuleProtocol"].contains(where: { own.adopts($0) == true }) else {
      throw ForeignModule.Refused(
        "it is a class of Objective-C's with no method of a module, such as -modSetUp: or -modDidBecomeActive:; one that needs none"
          + " adopts REGModule")
    }
    return module
  }
}

/// A method that is called for a phase of a module's life and not for an event.
enum ObjectiveCPhase: String, CaseIterable {
  case setUp = "modSetUp:"
  case initialize = "modInit:"
  case didFinishStarting = "modSplash:"
  case tearDown = "modTearDown:"
}

/// A module that is an object of Objective-C's.
@MainActor package final class ObjectiveCModule: Module {
  private let own: any ObjectiveCClass
  private let name: String
  private let object: AnyObject

  /// Makes an instance of a class.
  fileprivate init(_ own: any ObjectiveCClass, _ name: String) throws {
    guard let object = own.make() else { throw NoInstance(name: name) }
    self.own = own
    self.name = name
    self.object = object
  }

  /// What ``Module`` asks for and nobody calls: a class is needed.
  package init() throws { throw NoInstance(name: "") }

  package func setUp(_ context: Context) throws { try run(.setUp, context) }
  package func initialize(_ context: Context) throws { try run(.initialize, context) }
  package func didFinishStarting(_ context: Context) throws { try run(.didFinishStarting, context) }
  package func tearDown(_ context: Context) throws { try run(.tearDown, context) }

  private func run(_ phase: ObjectiveCPhase, _ context: Context) throws {
    try call(phase.rawValue, SystemEventContents(event: "\(phase)"), context, neutral: ())
  }

  /// Calls a method, and gives what it answered by the time it returns.
  func call<Outcome>(
    _ selector: String, _ contents: SystemEventContents, _ context: Context, neutral: Outcome
  ) throws -> Outcome {
    let call = ObjectiveCCall(name, selector, contents, context, wanted: ObjectiveCAnswer.selector(for: Outcome.self))
    _ = own.send(selector, to: object, with: call.argument)
    return try call.result(neutral: neutral)
  }

  /// Calls a method, and gives what it answered by the time it is done.
  func callAndWait<Outcome>(
    _ selector: String, _ contents: SystemEventContents, _ context: Context, neutral: Outcome
  ) async throws -> Outcome {
    let call = ObjectiveCCall(
      name, selector, contents, context, wanted: ObjectiveCAnswer.selector(for: Outcome.self), mayTakeTime: true)
    _ = own.send(selector, to: object, with: call.argument)
    await call.finish()
    return try call.result(neutral: neutral)
  }
}

extension ObjectiveCCall {
  /// What a method is given: the call as Objective-C sees it.
  fileprivate var argument: AnyObject {
    #if canImport(ObjectiveC)
    REGContext(self)
    #else
    self
    #endif
  }
}
