#if canImport(ObjectiveC)
public import Foundation
import Lifecycle
import Registry

/// The shared ``Lifecycle/ModuleManager`` for code written in Objective-C.
@objc(REGModules) public final class REGModules: NSObject {
  /// Triggers ``Lifecycle/Event/custom`` with a name and parameters.
  ///
  /// Example: `[REGModules triggerCustomEvent:@"cart.didChange" parameters:@{@"count": @3}]`.
  ///
  /// On the main thread, the event is delivered before the call returns; on another thread, in the
  /// main thread's next turn. Parameters that no property list can contain are left out and
  /// reported.
  @objc(triggerCustomEvent:parameters:)
  public static func triggerCustomEvent(_ name: String, parameters: [AnyHashable: Any]?) {
    let (values, leftOut) = [String: PropertyValue].converting(userInfo: parameters ?? [:])
    ObjectiveCThread.onMain {
      let modules = ModuleManager.shared
      for value in leftOut { modules.report(value.diagnostic(name, "in its parameters")) }
      modules.trigger(.custom, CustomEvent(name, parameters: values))
    }
  }

  /// Adds a module by the name of its class, with level `normal` and priority 0.
  ///
  /// On another thread than the main thread, it is added in the main thread's next turn. With nil,
  /// which `NSClassFromString` returns for an unknown name, nothing happens.
  ///
  @objc(registerModule:) public static func registerModule(_ type: AnyClass?) {
    guard let type else { return }
    let name = recordName(of: type)
    ObjectiveCThread.onMain { _ = ModuleManager.shared.register(named: name) }
  }

  /// Removes a module by the name of its class and tears it down. With nil, nothing happens.
  @objc(unregisterModule:) public static func unregisterModule(_ type: AnyClass?) {
    guard let type else { return }
    let name = recordName(of: type)
    ObjectiveCThread.onMain { _ = ModuleManager.shared.unregister(named: name) }
  }
}

/// The shared ``Registry/ServiceManager`` for code written in Objective-C.
@objc(REGServices) public final class REGServices: NSObject {
  /// Creates the preferred implementation of a protocol.
  ///
  /// Example: `[REGServices createService:@protocol(Clock) error:&error]`.
  ///
  /// You can call it on any thread, but a class of the main actor is created on the main thread
  /// only. Nil, which `NSProtocolFromString` returns for an unknown name, is an error.
  @objc(createService:error:) public static func createService(_ service: Protocol?) throws -> AnyObject {
    try create(try name(of: service), nil)
  }

  /// Creates the implementation of a protocol that has a name.
  @objc(createService:named:error:)
  public static func createService(_ service: Protocol?, named name: String?) throws -> AnyObject {
    try create(try self.name(of: service), name)
  }

  /// Creates the preferred implementation by the protocol's name, `ShopAPI.Clock` or `Clock`.
  @objc(createServiceNamed:error:) public static func createService(protocolNamed name: String) throws -> AnyObject {
    try create(name, nil)
  }

  private static func name(of service: Protocol?) throws -> String {
    guard let service else {
      throw REGError(
        errorDescription:
          "there is no protocol to look for: it is nil, as is what NSProtocolFromString gives for a protocol that no"
          + " code refers to and no class adopts; -createServiceNamed:error: says what there is of a name")
    }
    return NSStringFromProtocol(service)
  }

  private static func create(_ service: String, _ name: String?) throws -> AnyObject {
    do throws(ServiceError) {
      // A class needs no conversion for Objective-C; a Swift structure is boxed.
      return try ServiceManager.shared.createService(protocolNamed: service, named: name) as AnyObject
    } catch {
      throw REGError(errorDescription: "\(error)")
    }
  }
}

/// An error with a description of its own, which Objective-C receives as an `NSError`.
struct REGError: LocalizedError {
  let errorDescription: String?
}

enum ObjectiveCThread {
  /// Runs a closure on the main thread: at once, or in its next turn if this is another thread.
  ///
  /// Closures from one thread stay in order.
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
