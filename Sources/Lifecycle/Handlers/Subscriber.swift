package import Registry

/// The part of a module or an independent handler that the dispatch of events uses.
@MainActor package class Subscriber: RegistrationOwner {
  /// The name in the record.
  package nonisolated final let name: String
  /// The image that exports the record, or nil if the subscriber was registered at run time.
  package nonisolated final let image: LoadedImage?
  /// The handlers in the order in which they were added.
  final var handlers: [EventHandler] = []
  /// Returns whether the code of the subscriber is in a Swift module.
  final func isInModule(_ name: StaticString) -> Bool { "\(name)" == "\(self.name.prefix { $0 != "." && $0 != "/" })" }

  /// A Boolean value that indicates whether another module has the same name.
  final var sharesName = false
  /// A Boolean value that indicates whether the module is created on its first event and does not
  /// exist yet.
  package final internal(set) var isInactive = false
  /// The module while events reach it, or nil.
  final var receiver: AnyObject? {
    get { reachable.pointee?.takeUnretainedValue() }
    set {
      reachable.pointee = newValue.map(Unmanaged.passUnretained)
      if newValue == nil, !pendingAnswers.isEmpty { withdrawAnswers() }
    }
  }
  /// The memory that dispatch reads the module from.
  ///
  /// The memory is allocated manually because Swift checks exclusivity on every access to a stored
  /// property of a class.
  // Unsafe: `deinit` frees the memory, and nothing else runs then. All other uses are on the main
  // actor. The owner of the module keeps it alive while it is stored here.
  nonisolated(unsafe) final let reachable: UnsafeMutablePointer<Unmanaged<AnyObject>?>
  /// The answers to asynchronous events that the module has not given yet, by number.
  final var pendingAnswers: [Int: PendingAnswer] = [:]
  /// A Boolean value that indicates whether the subscriber is a handler that runs once.
  final var runsOnce = false
  /// The registrations of this run that belong to the subscriber, or nil if there are none.
  final var registrations: OwnedRegistrations?
  var wasTornDown: Bool { false }

  init(name: String, image: LoadedImage?) {
    self.name = name
    self.image = image
    reachable = .allocate(capacity: 1)
    reachable.initialize(to: nil)
  }

  deinit {
    reachable.deallocate()
  }

  /// Stops waiting for the answers that the module has not given.
  final func withdrawAnswers() {
    for number in pendingAnswers.keys.ordered(by: <) { pendingAnswers[number]?.withdraw() }
  }

  /// Performs asynchronous work of the module, which owns what the work registers.
  ///
  /// - Parameter shutdown: The shutdown that the work observes, or nil for the manager's.
  // Not optimized, because the compiler would specialize it for each closure, which is larger.
  @_optimize(none)
  final func perform(
    _ work: ObservedInterval.Work, _ context: Context, shutdown: GracefulShutdown? = nil,
    _ body: @MainActor () async throws -> Void
  ) async throws {
    let own = ModuleWork(owner: self, manager: context.shutdown, shutdown: shutdown)
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

  /// Returns the diagnostic for an error that a handler of the subscriber threw.
  final func handlerFailure(_ event: StaticString, _ error: any Error) -> Diagnostic {
    diagnostic(.error, .handlerFailed, "its handler of '\(event)' threw an error: \(error)")
  }
}
