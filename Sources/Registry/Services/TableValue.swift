/// What the look-up table says of a service, told by the lowest bits of the pointer in it. All of these are at least
/// eight-byte aligned.
enum TableValue {
  /// A shared instance, stored as the service's own type.
  case instance(UnsafeRawPointer)
  /// A transient implementation that is exported: its maker may be called without a lock, for as long as the manager lives.
  case maker(ServiceEntry)
  /// A transient implementation that was registered: its closure may be taken away, so it is looked at under the lock. Groups live
  /// as long as the manager.
  case locked(ServiceGroup)

  /// As it stands in the table, which holds no reference.
  var pointer: UnsafeRawPointer {
    switch self {
    case .instance(let pointer): pointer
    case .maker(let entry): UnsafeRawPointer(Unmanaged.passUnretained(entry).toOpaque() + 1)
    case .locked(let group): UnsafeRawPointer(Unmanaged.passUnretained(group).toOpaque() + 2)
    }
  }
}

extension ServiceCore {
  /// Gives a service from what the table says of it.
  func serve<Service>(_ found: UnsafeRawPointer, as type: Service.Type) throws(ServiceError) -> Service {
    switch UInt(bitPattern: found) & 3 {
    case 0:
      // What is stored under a type's metadata is a value of that type.
      return found.assumingMemoryBound(to: Service.self).pointee
    case 1:
      let entry = Unmanaged<ServiceEntry>.fromOpaque(found - 1).takeUnretainedValue()
      // An entry is in the group of one type, and its factory was made for that type.
      if let maker = entry.maker {
        return try make(unsafeDowncast(maker, to: ServiceFactory<Service>.self), of: entry, as: type)
      }
    default:
      let group = Unmanaged<ServiceGroup>.fromOpaque(found - 2).takeUnretainedValue()
      let (entry, factory) = state.withLock { _ in (group.current, group.current?.factory) }
      // Meanwhile another may be the best one, of another scope.
      if let entry, let factory, entry.scope == .transient, factory.isolation == nil {
        return try make(unsafeDowncast(factory, to: ServiceFactory<Service>.self), of: entry, as: type)
      }
    }
    return try lookUp(type)
  }

  /// Makes a new instance, which needs no actor.
  private func make<Service>(
    _ factory: ServiceFactory<Service>, of entry: ServiceEntry, as type: Service.Type
  ) throws(ServiceError) -> Service {
    let parent = ResolutionFrame.top
    if parent != nil { try ResolutionFrame.check(entry, below: parent) }
    var frame = ResolutionFrame(entry, below: parent)
    do {
      return try withUnsafePointer(to: &frame) { pointer in
        ResolutionFrame.top = pointer
        defer { ResolutionFrame.top = parent }
        return try factory.make()
      }
    } catch {
      try failed(entry, error)
      // It cannot be used, which has been reported.
      return try lookUp(type)
    }
  }

  private func lookUp<Service>(_ type: Service.Type) throws(ServiceError) -> Service {
    switch try attempt(type, named: nil) {
    case .made(let service): return service
    case .elsewhere(_, let error): throw error
    }
  }
}
