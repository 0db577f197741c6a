package import Registry

/// The part of a module, or of a handler without a module, that event dispatch uses.
@MainActor package class Subscriber: RegistrationOwner {
  /// A step count that tests use to check that loops stay fast with thousands of modules.
  // Unchecked: only the main actor changes the count, and changes don't overlap.
  @exclusivity(unchecked) static var steps = 0

  /// The name, hashed once for several lookups.
  nonisolated final let hashedName: HashedName
  package nonisolated final var name: String { hashedName.text }
  /// The image that exports the module or handler, or nil if code registered it.
  package nonisolated final let image: LoadedImage?
  // Unchecked: only the main actor uses the property, and a change runs no code that could use it.
  @exclusivity(unchecked) final var handlers: [EventHandler] = []
  final func isInModule(_ name: StaticString) -> Bool { "\(name)" == "\(self.name.prefix { $0 != "." && $0 != "/" })" }

  final var sharesName = false
  /// The index in module order; negative until an order contains this subscriber.
  @exclusivity(unchecked) final var position: Int32 = -1
  /// A Boolean value that indicates whether the module is waiting for its first event.
  package final internal(set) var isInactive = false
  final var receiver: AnyObject? {
    get { reachable.pointee?.takeUnretainedValue() }
    set {
      reachable.pointee = newValue.map(Unmanaged.passUnretained)
      if newValue == nil, !pendingAnswers.isEmpty { withdrawAnswers() }
    }
  }
  /// The memory that dispatch reads the module from, allocated manually because Swift checks
  /// exclusivity on every access to a class's stored property.
  // Unsafe: `deinit` frees the memory, and nothing else runs then. All other uses are on the main
  // actor. `ModuleEntry` retains the module while it's stored here.
  nonisolated(unsafe) final let reachable: UnsafeMutablePointer<Unmanaged<AnyObject>?>
  final var pendingAnswers: [PendingAnswer] = []
  final var runsOnce = false
  final var registrations: OwnedRegistrations?
  var wasTornDown: Bool { false }

  init(name: String, image: LoadedImage?) {
    hashedName = HashedName(name)
    self.image = image
    reachable = .allocate(capacity: 1)
    reachable.initialize(to: nil)
  }

  deinit {
    reachable.deallocate()
  }

  final func withdrawAnswers() {
    for answer in pendingAnswers { answer.withdraw() }
  }

  /// Performs asynchronous work for the subscriber, which owns what the work registers.
  // Not optimized: the compiler would specialize the function for each closure, which adds code.
  @_optimize(none)
  final func perform(
    _ work: ObservedInterval.Work, _ context: Context, shutdown: GracefulShutdown? = nil, answer: PendingAnswer? = nil,
    _ body: @MainActor () async throws -> Void
  ) async throws {
    let own = ModuleWork(
      owner: self, registrations: context.registrations(of: self), manager: context.shutdown, shutdown: shutdown,
      answer: answer)
    try await ModuleWork.$current.withValue(own) {
      let observation = context.workObservers.observation(of: work, name, image, isConcurrent: true)
      observation?.begin()
      defer { observation?.end() }
      try await body()
    }
  }

  final func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(
      severity: severity, code: code, subject: name, image: image,
      message: sharesName ? "\(message); this is one of several private types with this name" : message)
  }

  /// Reports an error that a handler of an event threw.
  final func report(_ error: any Error, of event: StaticString, _ context: Context) {
    var message = "its handler of '\(event)' threw an error: \(error)"
    #if DEBUG
    if (error as? ServiceError)?.code == .noService, context.manager?.requiresNeeds == true {
      message += "; 'requireAllNeeds()' checks only what '#needs' or '@Service' declares"
    }
    #endif
    context.report(diagnostic(.error, .handlerFailed, message))
  }
}
