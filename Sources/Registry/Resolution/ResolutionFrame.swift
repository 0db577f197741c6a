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
