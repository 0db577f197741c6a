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
  private static let lock = Locked(())

  /// Makes the calling thread the creator of a holder's instance, or waits for the current creator.
  ///
  /// - Returns: True if the caller must create the instance and then call ``end(_:)`` on the same
  ///   thread; false after another thread's turn, when the caller must look up the instance again.
  /// - Throws: ``ServiceError`` if the wait would close a cycle.
  static func begin(
    _ holder: InstanceHolder, _ frame: UnsafeMutablePointer<ResolutionFrame>
  ) throws(ServiceError) -> Bool {
    let thread = frame.pointee.thread ?? frame
    let awaited = try lock.withLock { _ throws(ServiceError) -> OpaquePointer? in
      let turn = self.turn(of: holder)
      guard let creator = holder.creator else {
        holder.creator = thread
        // This call waits only for threads that are about to leave `registry_turn_wait`, because
        // `end(_:)` ends a turn under this lock.
        registry_turn_begin(turn)
        return nil
      }
      if let path = cycle(from: frame, createdBy: creator, to: thread) { throw ServiceError.cycle(path) }
      thread.pointee.awaited = frame
      return turn
    }
    guard let awaited else { return true }
    registry_turn_wait(awaited)
    lock.withLock { _ in thread.pointee.awaited = nil }
    return false
  }

  /// Ends the creation that ``begin(_:_:)`` allowed, and resumes the threads that wait for it.
  static func end(_ holder: InstanceHolder) {
    lock.withLock { _ in
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

  /// Returns the cycle that waiting for the entry of a frame would close, or nil. The lock must be
  /// held, so a thread that waits stays in the initializers of its frames.
  private static func cycle(
    from frame: UnsafeMutablePointer<ResolutionFrame>, createdBy creator: ResolutionThread,
    to thread: ResolutionThread
  ) -> [ServiceEntry]? {
    var path: [ServiceEntry] = []
    var (next, maker) = (frame.pointee.entry.takeUnretainedValue(), creator)
    while maker != thread {
      guard let wait = maker.pointee.awaited else { return nil }
      path += ResolutionFrame.path(to: next, from: wait.pointee.parent) ?? [next]
      next = wait.pointee.entry.takeUnretainedValue()
      guard let following = next.holder?.creator else { return nil }
      maker = following
    }
    let entry = frame.pointee.entry.takeUnretainedValue()
    return path + (ResolutionFrame.path(to: next, from: frame.pointee.parent) ?? [next]) + [entry]
  }
}
