internal import RegistryC

/// What a thread is making at present: one frame an implementation, on the thread's own stack.
///
/// Initializers are synchronous, so what one asks for is asked for on its thread, further up its stack.
struct ResolutionFrame {
  /// Alive as long as the frame: whoever pushes it holds the entry.
  let entry: Unmanaged<ServiceEntry>
  let parent: UnsafePointer<ResolutionFrame>?
  /// The thread's first frame.
  let thread: ResolutionThread?

  /// The frame of the innermost implementation that this thread makes, if it makes any.
  static var top: UnsafePointer<ResolutionFrame>? {
    get { registry_thread_word().map { UnsafePointer($0.assumingMemoryBound(to: ResolutionFrame.self)) } }
    set { registry_thread_set_word(UnsafeMutableRawPointer(mutating: newValue)) }
  }

  init(_ entry: ServiceEntry, below parent: UnsafePointer<ResolutionFrame>?) {
    self.entry = Unmanaged.passUnretained(entry)
    self.parent = parent
    thread = parent.map { $0.pointee.thread ?? ResolutionThread($0) }
  }

  /// - Throws: ``ServiceError/cycle(path:)`` if this thread is making the entry already.
  static func check(_ entry: ServiceEntry, below parent: UnsafePointer<ResolutionFrame>?) throws(ServiceError) {
    if let path = path(to: entry, from: parent) { throw .cycle(path: path + [entry.step]) }
  }

  /// Runs `body` with a frame for the entry on top of this thread's.
  ///
  /// - Throws: ``ServiceError/cycle(path:)`` if this thread is making the entry already.
  static func push<Result>(
    _ entry: ServiceEntry, _ body: (UnsafePointer<ResolutionFrame>) throws(ServiceError) -> Result
  ) throws(ServiceError) -> Result {
    let parent = top
    try check(entry, below: parent)
    var frame = ResolutionFrame(entry, below: parent)
    return try withUnsafePointer(to: &frame) { pointer throws(ServiceError) in
      top = pointer
      defer { top = parent }
      return try body(pointer)
    }
  }

  /// What is made from an entry up to the given frame; nil if the entry is not among them.
  static func path(to entry: ServiceEntry, from top: UnsafePointer<ResolutionFrame>?) -> [CycleStep]? {
    // As a rule it is not, and the steps, for which records are read, are not needed.
    guard isAmong(entry, top) else { return nil }
    var steps: [CycleStep] = []
    var next = top
    while let frame = next {
      let own = frame.pointee.entry._withUnsafeGuaranteedRef { $0 }
      steps.append(own.step)
      if own === entry { break }
      next = frame.pointee.parent
    }
    return steps.reversed()
  }

  private static func isAmong(_ entry: ServiceEntry, _ top: UnsafePointer<ResolutionFrame>?) -> Bool {
    let entry = Unmanaged.passUnretained(entry).toOpaque()
    var next = top
    while let frame = next {
      if frame.pointee.entry.toOpaque() == entry { return true }
      next = frame.pointee.parent
    }
    return false
  }
}

/// A thread that is making something: the address of its first frame.
typealias ResolutionThread = UnsafePointer<ResolutionFrame>

/// Sees to it that a shared instance is made once, and that threads that make several do not wait for each
/// other in a circle. One lock for all managers: it is taken once in a shared instance's life.
enum SharedCreation {
  /// A thread that makes something and waits for something that another thread makes.
  private struct Wait {
    let entry: ServiceEntry
    /// What the waiting thread makes, outermost last; its stack stands still while it waits.
    let top: UnsafePointer<ResolutionFrame>
  }

  private static let waits = Locked<[ResolutionThread: Wait]>([:])

  enum Turn {
    /// It is the caller's to make; ``end(_:)`` must follow.
    case make
    /// Another thread was making it and is done, or failed: look again.
    case lookAgain
    case cycle([CycleStep])
  }

  /// Waits until nobody else makes the entry's instance.
  static func begin(_ entry: ServiceEntry, _ frame: UnsafePointer<ResolutionFrame>) -> Turn {
    let thread = frame.pointee.thread ?? frame
    var hasWaited = false
    return waits.waiting { waits in
      guard let creator = entry.creator else {
        waits[thread] = nil
        if hasWaited { return .lookAgain }
        entry.creator = thread
        return .make
      }
      if let path = cycle(from: entry, madeBy: creator, waits: waits, to: thread, frame.pointee.parent) {
        waits[thread] = nil
        return .cycle(path)
      }
      hasWaited = true
      if let parent = frame.pointee.parent { waits[thread] = Wait(entry: entry, top: parent) }
      return nil
    }
  }

  /// Lets the threads go on that wait for the entry.
  static func end(_ entry: ServiceEntry) {
    waits.withLock { _ in entry.creator = nil }
    waits.wakeAll()
  }

  /// The circle that waiting for the entry would close; nil if it would close none.
  private static func cycle(
    from entry: ServiceEntry, madeBy creator: ResolutionThread, waits: [ResolutionThread: Wait],
    to thread: ResolutionThread, _ own: UnsafePointer<ResolutionFrame>?
  ) -> [CycleStep]? {
    var path: [CycleStep] = []
    var next = entry
    var maker = creator
    while maker != thread {
      guard let wait = waits[maker], let following = wait.entry.creator else { return nil }
      path += ResolutionFrame.path(to: next, from: wait.top) ?? [next.step]
      next = wait.entry
      maker = following
    }
    return path + (ResolutionFrame.path(to: next, from: own) ?? [next.step]) + [entry.step]
  }
}
