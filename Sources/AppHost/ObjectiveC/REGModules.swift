#if canImport(ObjectiveC)
public import Foundation
import Lifecycle
import Registry

/// The shared module manager for code written in Objective-C.
@objc(REGModules) public final class REGModules: NSObject {
  /// Triggers a custom event with a name and parameters.
  ///
  /// ```objc
  /// [REGModules triggerCustomEvent:@"cart.didChange" parameters:@{@"count": @3}];
  /// ```
  ///
  /// The event is ``Lifecycle/Event/custom``. A call on the main thread delivers it immediately. A
  /// call on another thread delivers it on the main thread's next turn. Parameters that can't be
  /// converted to property values are omitted and reported.
  @objc(triggerCustomEvent:parameters:)
  public static func triggerCustomEvent(_ name: String, parameters: [AnyHashable: Any]?) {
    let (values, leftOut) = PropertyValue.converting(parameters ?? [:])
    ObjectiveCThread.onMain {
      let modules = ModuleManager.shared
      for value in leftOut { modules.report(value.diagnostic(name)) }
      modules.trigger(.custom, CustomEvent(name, parameters: values?.dictionary ?? [:]))
    }
  }

  /// Adds a module by the name of its class, and sets it up if the manager is running.
  ///
  /// The level is normal, and the priority is zero. A call on another thread takes effect on the
  /// main thread's next turn. Nil, which `NSClassFromString` can return, has no effect.
  @objc(registerModule:) public static func registerModule(_ type: AnyClass?) {
    guard let type else { return }
    let name = recordName(of: type)
    ObjectiveCThread.onMain {
      let modules = ModuleManager.shared
      _ = modules.add(ModuleAttributes(module: name), location: nil) && modules.setUp(named: name)
    }
  }

  /// Removes a module by the name of its class and tears it down. Nil has no effect.
  @objc(unregisterModule:) public static func unregisterModule(_ type: AnyClass?) {
    guard let type else { return }
    // Unlike the name in a record, the full name identifies a private class.
    let name = _typeName(type)
    ObjectiveCThread.onMain { _ = ModuleManager.shared.unregister(named: name) }
  }
}

/// The shared service manager for code written in Objective-C.
@objc(REGServices) public final class REGServices: NSObject {
  /// Returns the preferred implementation of a protocol.
  ///
  /// ```objc
  /// id<Clock> clock = [REGServices createService:@protocol(Clock) error:&error];
  /// ```
  ///
  /// You can call the method on any thread, but it creates instances of main-actor-isolated classes
  /// only on the main thread. Nil, which `NSProtocolFromString` returns for an unknown name, is an
  /// error.
  @objc(createService:error:) public static func createService(_ service: Protocol?) throws -> AnyObject {
    try create(try name(of: service), nil)
  }

  /// Returns the named implementation of a protocol.
  @objc(createService:named:error:)
  public static func createService(_ service: Protocol?, named name: String?) throws -> AnyObject {
    try create(try self.name(of: service), name)
  }

  /// Returns the preferred implementation of the protocol with a given name, such as
  /// `ShopAPI.Clock` or `Clock`.
  @objc(createServiceNamed:error:) public static func createService(protocolNamed name: String) throws -> AnyObject {
    try create(name, nil)
  }

  private static func name(of service: Protocol?) throws -> String {
    guard let service else {
      throw REGError(
        errorDescription:
          "the protocol is nil, which 'NSProtocolFromString' also returns for a protocol that no code refers to and no"
          + " class adopts; call '+createServiceNamed:error:' to look the service up by its name")
    }
    return NSStringFromProtocol(service)
  }

  private static func create(_ service: String, _ name: String?) throws -> AnyObject {
    do throws(ServiceError) {
      // The cast returns class instances unchanged and boxes Swift structures.
      return try ServiceManager.shared.createService(protocolNamed: service, named: name) as AnyObject
    } catch {
      throw REGError(errorDescription: "\(error)")
    }
  }
}

/// An error with its own description, which Objective-C receives as an error object.
struct REGError: LocalizedError {
  let errorDescription: String?
}

enum ObjectiveCThread {
  /// Runs a closure on the main thread: immediately if the caller is on that thread, and otherwise
  /// on the thread's next turn. Closures from one thread run in call order.
  static func onMain(_ work: @escaping @Sendable @MainActor () -> Void) {
    if Thread.isMainThread {
      // On Apple systems, code on the main thread runs on the main actor.
      MainActor.assumeIsolated(work)
    } else {
      DispatchQueue.main.async { MainActor.assumeIsolated(work) }
    }
  }
}
#endif
