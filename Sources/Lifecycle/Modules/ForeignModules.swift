package import Registry

/// An adapter that creates modules from Objective-C classes.
///
/// This target finds the adapter by name when a record or a caller names an Objective-C class.
/// Clients that link the adapter need not register it, and this target doesn't depend on it.
package protocol ForeignModuleAdapter: SendableMetatype {
  /// Returns a module for a class.
  ///
  /// - Parameters:
  ///   - own: The class.
  ///   - name: The name of the class in the record or the registration.
  /// - Throws: The reason why the class cannot be used as a module.
  @MainActor static func adapt(
    _ own: any ObjectiveCClass, named name: String
  ) throws(ForeignModule.Refused) -> ForeignModule
}

@MainActor package struct ForeignModule {
  package struct Refused: Error {
    let message: String

    package init(_ message: String) {
      self.message = message
    }
  }

  let handlers: [EventHandler]
  let make: @MainActor () throws -> any Module

  /// Creates a module.
  ///
  /// - Parameters:
  ///   - subscribe: A closure that adds the class's handlers.
  ///   - make: A closure that creates the instance.
  package init<M: Module>(
    subscribe: (Subscriptions<M>) -> Void, make: @escaping @MainActor () throws -> M
  ) {
    let subscriptions = Subscriptions<M>()
    subscribe(subscriptions)
    handlers = subscriptions.added.handlers
    self.make = make
  }

  @TaskLocal package static var adapter = "AppHost.ObjectiveCModules"

  /// Returns an adapter's module for a class that doesn't conform to `Module`.
  static func adapt(_ name: String) throws(Refused) -> ForeignModule {
    guard let own = ClassLookup.objectiveCClass(named: name), !own.isSwift else {
      throw Refused("the class is used as a module, but does not conform to 'Lifecycle.Module'; add the conformance")
    }
    guard let adapter = ClassLookup.type(named: adapter) as? any ForeignModuleAdapter.Type else {
      throw Refused(
        "the class is written in Objective-C, so it can be a module only if the app links 'AppHost'; link that product")
    }
    return try adapter.adapt(own, named: name)
  }
}
