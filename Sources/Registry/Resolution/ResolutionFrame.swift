internal import RegistryC

/// An implementation that a thread is creating, in a list on the thread's stack.
///
/// Initializers are synchronous, so the services that one resolves are created on the same thread.
struct ResolutionFrame {
  /// The implementation. The caller that pushes the frame retains it.
  let entry: Unmanaged<ServiceEntry>
  let parent: UnsafePointer<ResolutionFrame>?
  /// The first frame of the thread; nil in that frame itself.
  let thread: ResolutionThread?

  /// The frame of the innermost implementation that this thread is creating, if any.
  static var top: UnsafePointer<ResolutionFrame>? {
    get { registry_thread_word().map { UnsafePointer($0.assumingMemoryBound(to: ResolutionFrame.self)) } }
    set { registry_thread_set_word(UnsafeMutableRawPointer(mutating: newValue)) }
  }

  init(_ entry: ServiceEntry, below parent: UnsafePointer<ResolutionFrame>?) {
    self.entry = Unmanaged.passUnretained(entry)
    self.parent = parent
    thread = parent.map { $0.pointee.thread ?? ResolutionThread($0) }
  }

  /// Checks that this thread is not already creating an entry's instance.
  ///
  /// - Throws: ``ServiceError/cycle(path:)`` if it is.
  static func check(_ entry: ServiceEntry, below parent: UnsafePointer<ResolutionFrame>?) throws(ServiceError) {
    if let path = path(to: entry, from: parent) { throw .cycle(path: path + [entry.step]) }
  }

  /// Calls a closure with a new frame on top of those of this thread.
  ///
  /// - Throws: ``ServiceError/cycle(path:)`` if this thread is already creating the entry's
  ///   instance.
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

  /// Returns the implementations from an entry up to a frame; nil if the entry is not among them.
  static func path(to entry: ServiceEntry, from top: UnsafePointer<ResolutionFrame>?) -> [CycleStep]? {
    // Usually the entry is not among them. Check first, because creating the steps reads records.
    guard isAmong(entry, top) else { return nil }
    var steps: [CycleStep] = []
    var next = top
    while let frame = next {
      let own = frame.pointee.entry._withUnsafeGuaranteedRef { $0 }
      steps.append(own.step)
      if own.hasInstance(of: entry) { break }
      next = frame.pointee.parent
    }
    return steps.reversed()
  }

  private static func isAmong(_ entry: ServiceEntry, _ top: UnsafePointer<ResolutionFrame>?) -> Bool {
    let own = Unmanaged.passUnretained(entry).toOpaque()
    var next = top
    while let frame = next {
      if frame.pointee.entry.toOpaque() == own { return true }
      next = frame.pointee.parent
    }
    // Another service of the type can have the same instance.
    guard entry.holder != nil else { return false }
    next = top
    while let frame = next {
      if frame.pointee.entry._withUnsafeGuaranteedRef({ $0.hasInstance(of: entry) }) { return true }
      next = frame.pointee.parent
    }
    return false
  }
}

/// The identity of a thread that creates services, which is the address of its first frame.
typealias ResolutionThread = UnsafePointer<ResolutionFrame>
