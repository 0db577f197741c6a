package import Registry

/// Makes modules of classes that do not conform to ``Module``: of Objective-C's.
///
/// It is found by its name when such a class is exported. So whoever has it need not register it, and this target need not know it.
package protocol ForeignModuleAdapter: SendableMetatype {
  /// Makes ready to use a class as a module; throws what it lacks.
  @MainActor static func adapt(
    _ own: any ObjectiveCClass, named name: String
  ) throws(ForeignModule.Refused) -> ForeignModule
}

/// A class that is used as a module by way of another one, which has its instance.
@MainActor package struct ForeignModule {
  /// Why a class cannot be used as a module.
  package struct Refused: Error {
    let message: String

    /// - Parameter message: What is wrong and what to do about it.
    package init(_ message: String) {
      self.message = message
    }
  }

  let type: any Module.Type
  let handlers: [EventHandler]
  let make: @MainActor () throws -> any Module

  /// - Parameters:
  ///   - subscribe: Says which events the class wants.
  ///   - make: Makes what has the instance.
  package init<M: Module>(
    subscribe: (Subscriptions<M>) -> Void, make: @escaping @MainActor () throws -> M
  ) {
    let subscriptions = Subscriptions<M>()
    subscribe(subscriptions)
    type = M.self
    handlers = subscriptions.handlers
    self.make = make
  }

  /// Where the adapter is looked for; tests look elsewhere.
  @TaskLocal package static var adapter = "AppHost.ObjectiveCModules"

  /// Finds out how a class is a module that does not conform to ``Module``.
  static func adapt(_ name: String) throws(Refused) -> ForeignModule {
    guard let own = ClassLookup.objectiveCClass(named: name), !own.isSwift else {
      throw Refused("a record says that it is a module, and it does not conform to Lifecycle.Module")
    }
    guard let adapter = ClassLookup.type(named: adapter) as? any ForeignModuleAdapter.Type else {
      throw Refused(
        "it is a class of Objective-C's, and what makes modules of those is in AppHost: link that to the app as well")
    }
    return try adapter.adapt(own, named: name)
  }
}

extension Context {
  /// Reports what a module did that it should not.
  package func report(_ diagnostic: Diagnostic) { log.report(diagnostic, always: true) }
}
