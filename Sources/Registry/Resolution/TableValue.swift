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
      let entry = Unmanaged<ServiceEntry>.fromOpaque(found - 1)
      do {
        return try ResolutionFrame.make(entry, as: type)
      } catch {
        return try recover(entry.takeUnretainedValue(), error, as: type)
      }
    default:
      let group = Unmanaged<ServiceGroup>.fromOpaque(found - 2).takeUnretainedValue()
      let (entry, factory) = state.withLock { _ in (group.current, group.current?.factory) }
      // Meanwhile another may be the best one, of another scope.
      if let entry, let factory, entry.scope == .transient, factory.isolation == nil {
        return try call(factory, of: entry, as: type)
      }
    }
    return try lookUp(type)
  }

  private func call<Service>(
    _ factory: AnyServiceFactory, of entry: ServiceEntry, as type: Service.Type
  ) throws(ServiceError) -> Service {
    do {
      return try ResolutionFrame.make(factory, of: entry, as: type)
    } catch {
      return try recover(entry, error, as: type)
    }
  }

  /// Throws what an initializer threw, or looks for another implementation if that one turned out to be of no use.
  @inline(never)
  func recover<Service>(_ entry: ServiceEntry, _ error: any Error, as type: Service.Type) throws(ServiceError)
    -> Service
  {
    try failed(entry, error)
    return try lookUp(type)
  }

  private func lookUp<Service>(_ type: Service.Type) throws(ServiceError) -> Service {
    switch try attempt(type, named: nil) {
    case .created(let service): return service
    case .elsewhere(_, let error): throw error
    }
  }
}

extension ResolutionFrame {
  /// Makes a new instance by the maker of an implementation in the table. Takes no lock and counts no references: both live as long
  /// as the manager.
  @inline(__always)
  static func make<Service>(_ entry: Unmanaged<ServiceEntry>, as type: Service.Type) throws -> Service {
    try entry._withUnsafeGuaranteedRef { entry in
      // Set before the entry was in the table.
      try entry.maker.unsafelyUnwrapped._withUnsafeGuaranteedRef { try make($0, of: entry, as: type) }
    }
  }

  /// Makes a new instance, which needs no actor. No closures: this is all that a look-up of a transient service does.
  @inline(__always)
  static func make<Service>(
    _ factory: AnyServiceFactory, of entry: ServiceEntry, as type: Service.Type
  ) throws -> Service {
    let parent = top
    if parent != nil { try checkNow(entry, parent) }
    var frame = ResolutionFrame(entry, below: parent)
    return try make(factory, &frame, type)
  }

  @inline(never)
  private static func checkNow(_ entry: ServiceEntry, _ parent: UnsafePointer<ResolutionFrame>?) throws {
    try check(entry, below: parent)
  }

  @inline(__always)
  private static func make<Service>(
    _ factory: AnyServiceFactory, _ frame: UnsafePointer<ResolutionFrame>, _ type: Service.Type
  ) throws -> Service {
    top = frame
    defer { top = frame.pointee.parent }
    // An entry is in the group of one type, and its factory was made for that type.
    return try unsafeDowncast(factory, to: ServiceFactory<Service>.self).make()
  }
}
