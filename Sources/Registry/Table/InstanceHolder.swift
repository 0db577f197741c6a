internal import RegistryC

/// The one instance of an implementation whose scope is not transient.
///
/// The services for which one type is exported share a holder if their scopes are equal. Each
/// service has its own conversion of the instance, in ``ServiceEntry/shared``.
final class InstanceHolder: @unchecked Sendable {
  // Unchecked: the manager's lock guards each variable whose comment does not name another one.

  /// The identity of an instance that several services can share.
  struct Key: Hashable {
    /// The metadata of the exported type.
    let type: TypeKey
    let scope: ServiceScope
  }

  /// The identity of the instance; nil if it belongs to one registration in code.
  let key: Key?
  /// The number of registered implementations that use the holder.
  var members = 0
  /// The instance as the service that it was created for; nil for scope `.weak`.
  var created: SharedInstance?
  /// The instance of scope `.weak`.
  weak var weakInstance: AnyObject?
  /// The number of times that the instance was reset, to detect a reset during a creation.
  var resets = 0
  /// The creation of the instance, guarded by ``SharedCreation``'s lock.
  var creation = Creation()

  /// The state of a creation.
  struct Creation {
    /// The thread that creates the instance.
    var thread: ResolutionThread?
    /// The turn of the threads that create the instance, once a thread has created one.
    var turn: OpaquePointer?
  }

  init(key: Key?) {
    self.key = key
  }

  deinit {
    // A thread that has the turn or waits for it retains the entry, which retains the holder.
    registry_turn_destroy(creation.turn)
  }
}

/// The holders of a manager by the identity of their instances.
struct InstanceHolders {
  private struct Reference {
    weak var holder: InstanceHolder?
  }

  private var references: [InstanceHolder.Key: Reference] = [:]

  /// Returns the holder of an identity, and creates it if there is none.
  ///
  /// A holder whose implementations were all removed is not used again. The manager can still keep
  /// one, because readers of the lookup table may use its instance.
  mutating func holder(for key: InstanceHolder.Key?) -> InstanceHolder {
    guard let key else { return InstanceHolder(key: nil) }
    if let known = references[key]?.holder, known.members > 0 { return known }
    let holder = InstanceHolder(key: key)
    references[key] = Reference(holder: holder)
    return holder
  }
}

/// An instance that a manager keeps, stored as the type of a service.
///
/// The class without a type lets an entry keep instances of every type.
class SharedInstance: @unchecked Sendable {
  // Unchecked: the address is constant, and a service whose instances are kept is `Sendable`.

  /// The address of the instance, which has the service's type.
  let pointer: UnsafeRawPointer
  /// The instance, to convert it to another service.
  var value: Any { fatalError("swift-section-registry: an instance without a type") }

  fileprivate init(_ pointer: UnsafeRawPointer) {
    self.pointer = pointer
  }

  /// Returns the instance as the type of the service.
  ///
  /// The caller names the type. Type inference could choose an optional of it, which is larger.
  func load<Service>(as type: Service.Type) -> Service {
    pointer.assumingMemoryBound(to: Service.self).pointee
  }
}

/// An instance that a manager keeps, stored as `Service`.
final class TypedInstance<Service>: SharedInstance, @unchecked Sendable {
  private let storage: UnsafeMutablePointer<Service>

  init(_ service: Service) {
    storage = .allocate(capacity: 1)
    storage.initialize(to: service)
    super.init(storage)
  }

  override var value: Any { storage.pointee }

  deinit {
    storage.deinitialize(count: 1)
    storage.deallocate()
  }
}
