internal import RegistryC

/// The coordination of threads that create shared instances.
///
/// Only one thread at a time creates an instance, and threads that create several instances don't
/// wait for each other in a cycle. One lock serves all managers. It is held only briefly: a thread
/// that has to wait for another one releases the lock and waits for the entry's turn to end.
///
/// To find every cycle, it's enough to search when a thread registers its wait. In a cycle, each
/// thread waits for an entry that the next one creates. Two events, both under the lock, could
/// close a cycle:
///
/// - A thread registers its wait. The search finds the cycle.
/// - A thread begins to create an entry that other threads already wait for, for example because
///   the previous creation failed. This thread isn't waiting yet, so there is no cycle. The search
///   at its next wait finds any cycle that the wait closes.
///
/// A wait stays registered until the waiting thread resumes. If another thread starts creating the
/// entry before then, the wait is for that thread.
enum SharedCreation {
  /// A thread that is creating one instance and waiting for another thread to create a second one.
  private final class Wait {
    let thread: ResolutionThread
    let entry: ServiceEntry
    let holder: InstanceHolder
    /// The frame of the implementation whose initializer waits, which stays valid during the wait.
    let top: UnsafePointer<ResolutionFrame>

    init(
      _ thread: ResolutionThread, _ entry: ServiceEntry, _ holder: InstanceHolder, _ top: UnsafePointer<ResolutionFrame>
    ) {
      (self.thread, self.entry, self.holder, self.top) = (thread, entry, holder, top)
    }
  }

  private static let waits = Locked<[Wait]>([])

  /// Makes the calling thread the creator of an entry's instance, or waits for the current creator.
  ///
  /// - Returns: True if the caller must create the instance and then call ``end(_:)`` on the same
  ///   thread; false after another thread's turn, when the caller must look up the instance again.
  /// - Throws: ``ServiceError`` if the wait would close a cycle.
  static func begin(
    _ entry: ServiceEntry, _ holder: InstanceHolder, _ frame: UnsafePointer<ResolutionFrame>
  ) throws(ServiceError) -> Bool {
    let thread = frame.pointee.thread ?? frame
    let parent = frame.pointee.parent
    let awaited = try waits.withLock { waits throws(ServiceError) -> OpaquePointer? in
      let turn = self.turn(of: holder)
      guard let creator = holder.creator else {
        holder.creator = thread
        // This call waits only for threads that are about to leave `registry_turn_wait`, because
        // `end(_:)` ends a turn under this lock.
        registry_turn_begin(turn)
        return nil
      }
      if let path = cycle(from: entry, createdBy: creator, waits: waits, to: thread, parent) {
        throw ServiceError.cycle(path)
      }
      // Without a parent, this thread is creating nothing that another thread could wait for.
      if let parent { waits.append(Wait(thread, entry, holder, parent)) }
      return turn
    }
    guard let awaited else { return true }
    registry_turn_wait(awaited)
    // Remove the wait, because a thread's identity is the address of its first frame, and another
    // thread can have the same address later.
    if parent != nil { waits.withLock { $0.discard { $0.thread == thread } } }
    return false
  }

  /// Ends the creation that ``begin(_:_:_:)`` allowed, and resumes the threads that wait for it.
  static func end(_ holder: InstanceHolder) {
    waits.withLock { _ in
      holder.creator = nil
      registry_turn_end(turn(of: holder))
    }
  }

  /// Returns the holder's turn, allocating it on the first call. The lock must be held.
  private static func turn(of holder: InstanceHolder) -> OpaquePointer {
    if let turn = holder.turn { return turn }
    guard let turn = registry_turn_create() else { fatalError("swift-section-registry: cannot allocate a turn") }
    holder.turn = turn
    return turn
  }

  /// Returns the cycle that waiting for the entry would close, or nil.
  private static func cycle(
    from entry: ServiceEntry, createdBy creator: ResolutionThread, waits: [Wait],
    to thread: ResolutionThread, _ own: UnsafePointer<ResolutionFrame>?
  ) -> [ServiceEntry]? {
    var path: [ServiceEntry] = []
    var next = entry
    var maker = creator
    while maker != thread {
      guard let wait = waits.first(where: { $0.thread == maker }), let following = wait.holder.creator else {
        return nil
      }
      path += ResolutionFrame.path(to: next, from: wait.top) ?? [next]
      next = wait.entry
      maker = following
    }
    return path + (ResolutionFrame.path(to: next, from: own) ?? [next]) + [entry]
  }
}
