internal import RegistryC

/// An element in the list of implementations that a thread is creating.
///
/// The list is on the thread's stack, because initializers are synchronous.
struct ResolutionFrame {
  /// The implementation, which outlives the frame.
  let entry: Unmanaged<ServiceEntry>
  /// The instance's manager, or the owner of that manager's handle; nil for the shared manager.
  let manager: Unmanaged<AnyObject>?
  let parent: UnsafeMutablePointer<ResolutionFrame>?
  let thread: ResolutionThread?
  /// In a thread's first frame, the frame of the instance that the thread waits for; nil if the
  /// thread isn't waiting. ``SharedCreation``'s lock guards this variable.
  var awaited: UnsafeMutablePointer<ResolutionFrame>?

  /// The frame of the innermost implementation that this thread is creating.
  static var top: UnsafeMutablePointer<ResolutionFrame>? {
    get { registry_thread_word().map { $0.assumingMemoryBound(to: ResolutionFrame.self) } }
    set { registry_thread_set_word(newValue) }
  }

  @inline(__always)
  init(first entry: ServiceEntry, for manager: AnyObject?) {
    self.entry = Unmanaged.passUnretained(entry)
    self.manager = manager.map(Unmanaged.passUnretained)
    (parent, thread) = (nil, nil)
  }

  /// Creates the frame of an implementation that this thread is about to create.
  ///
  /// Detects cycles of transient instances. ``SharedCreation`` detects cycles of other instances.
  ///
  /// - Throws: ``ServiceError`` if this thread is already creating the transient implementation, or
  ///   if the thread's stack is nearly full.
  @inline(never)
  init(_ entry: ServiceEntry, for manager: AnyObject?) throws(ServiceError) {
    self.entry = Unmanaged.passUnretained(entry)
    self.manager = manager.map(Unmanaged.passUnretained)
    parent = Self.top
    thread = parent.map { $0.pointee.thread ?? $0 }
    guard let parent else { return }
    var next = entry.holder == nil ? parent : nil
    while let frame = next {
      if frame.pointee.entry.toOpaque() == self.entry.toOpaque() {
        throw .cycle((Self.path(to: entry, from: parent) ?? []) + [entry])
      }
      next = frame.pointee.parent
    }
    if registry_stack_is_low() {
      throw .nestedTooDeeply((Self.path(to: nil, from: parent) ?? []) + [entry])
    }
  }

  /// Returns the path from an entry to the top frame, or nil if the entry has no frame. If `entry`
  /// is nil, the path starts at the outermost frame.
  static func path(to entry: ServiceEntry?, from top: UnsafeMutablePointer<ResolutionFrame>?) -> [ServiceEntry]? {
    var entries: [ServiceEntry] = []
    var isFound = entry == nil
    var next = top
    while let frame = next {
      entries.append(frame.pointee.entry.takeUnretainedValue())
      next = frame.pointee.parent
      if let entry, entries.last?.hasInstance(of: entry) == true {
        isFound = true
        break
      }
    }
    return isFound ? entries.reversed() : nil
  }
}

extension ServiceError {
  /// Creating a service requires that same service, directly or through other services.
  static func cycle(_ path: [ServiceEntry]) -> ServiceError {
    let (first, steps) = (path[0], path.spelledOut(\.step))
    // An override or a contribution can't be wrapped by another name.
    let canWrap = path.count <= 2 && !first.isOverride && !first.service.isContributionPoint
    return ServiceError(.serviceCycle, first.service) {
      "dependency cycle: \(steps); look up one of these services later, not in an initializer"
        + (canWrap ? ", or name the implementation that this one wraps, and look that up with 'named:'" : "")
    }
  }

  /// A chain of nested initializers needs more stack than the thread has left.
  static func nestedTooDeeply(_ path: [ServiceEntry]) -> ServiceError {
    let (count, steps) = (path.count, path.spelledOut(\.step))
    return ServiceError(.deepNesting, path.first?.service ?? "") {
      "the creation of \(count.counted("service")), each in the initializer of the previous one, needs more stack"
        + " than the thread has left: \(steps); look up one of these services later, not in an initializer,"
        + " or use a thread with a larger stack"
    }
  }
}

/// The identity of a thread that creates services: the address of its first frame.
typealias ResolutionThread = UnsafeMutablePointer<ResolutionFrame>
