internal import RegistryC

/// The single instance of an implementation whose scope is not transient.
///
/// The services of one exported type share a holder if they have the same scope and no separate
/// instance. Each service has its own conversion of the instance in ``ServiceEntry/shared``.
final class InstanceHolder: @unchecked Sendable {
  // Unchecked: the manager's lock guards all variables except `creator` and `turn`.

  struct Key: Hashable {
    let type: TypeKey
    let scope: ServiceScope
  }

  /// The identity of the instance; nil if no other service can share it.
  let key: Key?
  /// The image that exports the first implementation, or nil.
  let image: LoadedImage?
  var members = 0
  /// The instance, stored as the service whose lookup created it; nil if absent and for `.weak`.
  var created: SharedInstance?
  weak var weakInstance: AnyObject?
  /// The number of resets, to detect a reset during creation; for `.weak`, the number of creations.
  var resets = 0
  /// The thread that is creating the instance. ``SharedCreation``'s lock guards this variable.
  var creator: ResolutionThread?
  /// The turn that a thread takes to create the instance, allocated by the first such thread. The
  /// same lock guards this variable.
  var turn: OpaquePointer?

  init(key: Key?, image: LoadedImage?) {
    self.key = key
    self.image = image
  }

  deinit {
    // No thread has or awaits the turn, because such threads retain an entry, and so the holder.
    registry_turn_destroy(turn)
  }
}

struct InstanceHolders {
  private struct Reference {
    weak var holder: InstanceHolder?
  }

  private var references: [InstanceHolder.Key: Reference] = [:]

  /// Returns the holder for a key, creating one if necessary.
  ///
  /// A holder whose implementations were all removed may still exist, because readers of the lookup
  /// table may use its instance. Only the same image's other exports of the type reuse the holder.
  mutating func holder(for key: InstanceHolder.Key?, in image: LoadedImage?) -> InstanceHolder {
    guard let key else { return InstanceHolder(key: nil, image: nil) }
    if let known = references[key]?.holder, known.members > 0 || (image != nil && known.image == image) { return known }
    let holder = InstanceHolder(key: key, image: image)
    references[key] = Reference(holder: holder)
    return holder
  }
}

/// An instance that a manager keeps.
///
/// The untyped base class lets entries keep instances of any type.
@usableFromInline class SharedInstance: @unchecked Sendable {
  // Unchecked: the address is constant, and a service whose instances are kept is `Sendable`.

  let pointer: UnsafeRawPointer
  var value: Any { fatalError("swift-section-registry: an instance without a type") }

  fileprivate init(_ pointer: UnsafeRawPointer) {
    self.pointer = pointer
  }

  /// Returns the instance. The type is a parameter, because inference could choose an optional.
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
