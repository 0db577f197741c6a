internal import RegistryC

extension ServiceCore {
  // Not inlined, so that this rare path doesn't enlarge the common one.
  @inline(never)
  func serve<Service>(
    _ found: UnsafeRawPointer, as type: Service.Type, _ mustBeSendable: Bool, for asked: ServiceCore
  ) throws(ServiceError) -> Service {
    // The bit is set while scopes override the service. One of them may apply to this task.
    if UInt(bitPattern: found) & 4 != 0, TaskScope.current != nil {
      return try lookUp(type, mustBeSendable, for: asked)
    }
    #if DEBUG
    recordLookup(GroupKey(type), named: nil)
    #endif
    let found = UnsafeRawPointer(bitPattern: UInt(bitPattern: found) & ~4).unsafelyUnwrapped
    switch UInt(bitPattern: found) & 3 {
    case 0:
      // The value stored for a type's metadata has that type.
      return found.assumingMemoryBound(to: Service.self).pointee
    case 1:
      let entry = Unmanaged<ServiceEntry>.fromOpaque(found - 1)
      if mustBeSendable, !ResolutionFrame.isSendable(entry) { return try lookUp(type, true, for: asked) }
      do {
        return try ResolutionFrame.make(entry, as: type, for: asked)
      } catch {
        return try recover(entry.takeUnretainedValue(), error, as: type, mustBeSendable, for: asked)
      }
    default:
      let gate = UnsafeMutablePointer(mutating: (found - 2).assumingMemoryBound(to: registry_gate.self))
      guard registry_gate_enter(gate) else { return try lookUp(type, mustBeSendable, for: asked) }
      let (entry, factory) = gate.objects
      defer { if registry_gate_leave(gate) { gate.release(entry, factory) } }
      guard factory._withUnsafeGuaranteedRef({ $0.isSendable || !mustBeSendable }) else {
        return try lookUp(type, true, for: asked)
      }
      do {
        return try entry._withUnsafeGuaranteedRef { entry in
          try factory._withUnsafeGuaranteedRef { try ResolutionFrame.make($0, of: entry, as: type, for: asked) }
        }
      } catch {
        return try recover(entry.takeUnretainedValue(), error, as: type, mustBeSendable, for: asked)
      }
    }
  }

  @inline(never)
  func recover<Service>(
    _ entry: ServiceEntry, _ error: any Error, as type: Service.Type, _ mustBeSendable: Bool, for asked: ServiceCore
  ) throws(ServiceError) -> Service {
    try failed(entry, error)
    return try lookUp(type, mustBeSendable, for: asked)
  }

  @inline(never)
  func lookUp<Service>(
    _ type: Service.Type, _ mustBeSendable: Bool, for asked: ServiceCore
  ) throws(ServiceError) -> Service {
    let context = LookupContext(mustBeSendable: mustBeSendable, asked: .passUnretained(asked))
    return try service(type, named: nil, context)
  }
}

extension ResolutionFrame {
  @inline(__always)
  static func isSendable(_ entry: Unmanaged<ServiceEntry>) -> Bool {
    // The factory was set before the entry was added to the table.
    entry._withUnsafeGuaranteedRef { $0.maker.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.isSendable } }
  }

  /// Creates an instance with the factory of an implementation in the lookup table.
  ///
  /// Acquires no lock and retains nothing: the manager keeps the entry and the factory alive.
  @inline(__always)
  static func make<Service>(
    _ entry: Unmanaged<ServiceEntry>, as type: Service.Type, for manager: AnyObject?
  ) throws -> Service {
    try entry._withUnsafeGuaranteedRef { entry in
      try entry.maker.unsafelyUnwrapped._withUnsafeGuaranteedRef { try make($0, of: entry, as: type, for: manager) }
    }
  }

  /// Creates an instance with a factory that isn't isolated to an actor.
  ///
  /// Uses no closures, because closures would take most of a transient lookup's time.
  @inline(__always)
  static func make<Service>(
    _ factory: AnyServiceFactory, of entry: ServiceEntry, as type: Service.Type, for manager: AnyObject?
  ) throws -> Service {
    guard top == nil else { return try makeNested(factory, entry, manager) }
    var frame = ResolutionFrame(first: entry, for: manager)
    return try make(factory, &frame)
  }

  @inline(never)
  private static func makeNested<Service>(
    _ factory: AnyServiceFactory, _ entry: ServiceEntry, _ manager: AnyObject?
  ) throws -> Service {
    var frame = try ResolutionFrame(entry, for: manager)
    return try make(factory, &frame)
  }

  /// Creates an instance while the frame is the thread's innermost one.
  @inline(__always)
  static func make<Service>(
    _ factory: AnyServiceFactory, _ frame: UnsafeMutablePointer<ResolutionFrame>
  ) throws -> Service {
    top = frame
    defer { top = frame.pointee.parent }
    return try call(factory)
  }

  @inline(__always)
  static func call<Service>(_ factory: AnyServiceFactory) throws -> Service {
    // An entry belongs to one type's group, and its factory was created for that type.
    try unsafeDowncast(factory, to: ServiceFactory<Service>.self).make()
  }
}
