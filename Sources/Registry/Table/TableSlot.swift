internal import RegistryC

/// A service's slot in the lookup table, for lookups without a name. The manager's lock guards it.
///
/// The value is an address whose two lowest bits state the kind: 0 for a shared instance, 1 for the
/// entry of a transient implementation in `published`, and 2 for the gate of any other transient
/// implementation. The third bit is set while `withOverrides` overrides the service; then only
/// tasks without a scope use the value. The bits are free because all these addresses are multiples
/// of eight.
struct TableSlot {
  private let cell: UnsafeMutablePointer<registry_cell>
  private var isUsed = false
  /// The first implementation whose instance or entry was put into the table, without a gate.
  ///
  /// Readers of the table acquire no lock and may be about to retain the instance or call the
  /// factory, so the manager keeps this implementation until the manager is released. To keep only
  /// one for each service, other implementations get a gate or stay out of the table; see "Lookups
  /// and reclamation" in Documentation/Design.md.
  private var published: ServiceEntry?
  /// The gates of the service. All except `gate` are closed. More than one gate exists only if a
  /// factory was running when its implementation was replaced.
  private var gates: UnsafeMutablePointer<registry_gate>?
  private var gate: UnsafeMutablePointer<registry_gate>?

  init(_ cell: UnsafeMutablePointer<registry_cell>) {
    self.cell = cell
  }

  mutating func destroy() {
    closeGate()
    registry_gates_destroy(gates)
  }

  /// Updates the value after the preferred implementation, its instance, or overrides have changed.
  mutating func update(_ type: TypeKey, _ preferred: ServiceEntry?, isOverridden: Bool) {
    var value = preferred.flatMap { self.value(of: $0) }
    if let gate, UnsafeRawPointer(gate) + 2 != value { closeGate() }
    if isOverridden { value = value.map { $0 + 4 } }
    guard value != nil || isUsed else { return }
    // If memory for a larger table runs out, lookups of this service take the slow path.
    isUsed = registry_publish(cell, type, value) && value != nil
  }

  /// Returns the value for an implementation, or nil if its lookups take the slow path.
  private mutating func value(of entry: ServiceEntry) -> UnsafeRawPointer? {
    // Readers of the table don't check whether an implementation works on their executor.
    if entry.isolationProblem != nil { return nil }
    let mayStay = published == nil || published === entry
    switch entry.scope {
    case .shared:
      guard mayStay, let instance = entry.shared?.pointer else { return nil }
      published = entry
      return instance
    case .transient:
      guard let factory = entry.factory, factory.isolation == nil else { return nil }
      guard mayStay, entry.isExported else { return gate(to: entry, factory).map { UnsafeRawPointer($0) + 2 } }
      published = entry
      if entry.maker == nil { entry.maker = .passRetained(factory) }
      return UnsafeRawPointer(Unmanaged.passUnretained(entry).toOpaque()) + 1
    case .weak, .cached: return nil
    }
  }

  /// Returns an implementation's gate, opened if necessary, or nil if memory runs out.
  private mutating func gate(
    to entry: ServiceEntry, _ factory: AnyServiceFactory
  ) -> UnsafeMutablePointer<registry_gate>? {
    let entry = Unmanaged.passUnretained(entry)
    if let gate, gate.pointee.entry == UnsafeRawPointer(entry.toOpaque()) { return gate }
    closeGate()
    let factory = Unmanaged.passUnretained(factory)
    gate = registry_gate_open(&gates, entry.toOpaque(), factory.toOpaque())
    if gate != nil { (_, _) = (entry.retain(), factory.retain()) }
    return gate
  }

  /// Closes the open gate, if any.
  ///
  /// The group, or the caller that removes the implementation, still retains the entry and the
  /// factory, so no deinitializer runs under the lock.
  private mutating func closeGate() {
    guard let open = gate else { return }
    gate = nil
    let (entry, factory) = open.objects
    if registry_gate_close(open) { open.release(entry, factory) }
  }
}

extension UnsafeMutablePointer<registry_gate> {
  var objects: (entry: Unmanaged<ServiceEntry>, factory: Unmanaged<AnyServiceFactory>) {
    (.fromOpaque(pointee.entry), .fromOpaque(pointee.factory))
  }

  /// Releases objects that the gate retained. They are parameters, because the gate may hold other
  /// objects now.
  func release(_ entry: Unmanaged<ServiceEntry>, _ factory: Unmanaged<AnyServiceFactory>) {
    factory.release()
    entry.release()
  }
}
