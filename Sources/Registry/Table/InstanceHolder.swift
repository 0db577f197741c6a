internal import RegistryC

/// The one instance of an implementation whose scope is not transient.
///
/// Services that one type exports with the same scope share a holder. Each service has its own
/// conversion of the instance in ``ServiceEntry/shared``.
final class InstanceHolder: @unchecked Sendable {
  // Unchecked: the manager's lock guards each variable whose comment names no other lock.

  struct Key: Hashable {
    let type: TypeKey
    let scope: ServiceScope
  }

  /// The identity of the instance; nil for a single registration in code.
  let key: Key?
  var members = 0
  /// The instance as the service that it was created for; nil for scope `.weak`.
  var created: SharedInstance?
  weak var weakInstance: AnyObject?
  /// The number of resets, to detect a reset during a creation.
  var resets = 0
  /// The creation of the instance, guarded by ``SharedCreation``'s lock.
  var creation = Creation()

  struct Creation {
    var thread: ResolutionThread?
    /// The turn of the threads that create the instance, which the first thread allocates.
    var turn: OpaquePointer?
  }

  init(key: Key?) {
    self.key = key
  }

  deinit {
    // A thread that has or awaits the turn retains the entry, which retains the holder.
    registry_turn_destroy(creation.turn)
  }
}

struct InstanceHolders {
  private struct Reference {
    weak var holder: InstanceHolder?
  }

  private var references: [InstanceHolder.Key: Reference] = [:]

  /// Returns the holder of an identity, creating it if necessary.
  ///
  /// A holder without implementations isn't reused. The manager may have to keep it, because
  /// readers of the lookup table may use its instance.
  mutating func holder(for key: InstanceHolder.Key?) -> InstanceHolder {
    guard let key else { return InstanceHolder(key: nil) }
    if let known = references[key]?.holder, known.members > 0 { return known }
    let holder = InstanceHolder(key: key)
    references[key] = Reference(holder: holder)
    return holder
  }
}

/// An instance that a manager keeps.
///
/// The untyped base class lets entries keep instances of every type.
@usableFromInline class SharedInstance: @unchecked Sendable {
  // Unchecked: the address is constant, and a service whose instances are kept is `Sendable`.

  let pointer: UnsafeRawPointer
  var value: Any { fatalError("swift-section-registry: an instance without a type") }

  fileprivate init(_ pointer: UnsafeRawPointer) {
    self.pointer = pointer
  }

  /// Returns the instance. The caller states the type, because inference could choose an optional.
  func load<Service>(as type: Service.Type) -> Service {
    pointer.assumingMemoryBound(to: Service.self).pointee
  }
}

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
