internal import RegistryC

/// One implementation of a service that a manager knows.
final class ServiceEntry: @unchecked Sendable {
  // Unchecked: the constants are `Sendable`; the variables are guarded as each says.

  /// The strategy for creating an instance.
  enum Source {
    /// The accessor of a Swift record, and the type it serves.
    case accessor(RecordAccessor, TypeKey)
    /// The class that a C record or a manifest names.
    case named
    /// A closure given to `register`.
    case factory
    /// A Swift record of a type that this system is too old for: its accessor serves nothing.
    case unavailable
  }

  /// The origin of the implementation, for messages.
  private enum Origin {
    case record(ExportedRecord)
    /// What messages call it.
    case code(String)
  }

  /// Where it comes from, as seen by whoever asks in a scope.
  enum Standing {
    /// It was exported, or registered outside of the scope.
    case live
    /// It was registered in the isolated scope that asks.
    case given
    /// It stands in for every other one of its name.
    case override
  }

  /// The protocol's name: for people, and for look-ups among C records.
  let service: String
  let name: String?
  let scope: ServiceScope
  private let origin: Origin
  let source: Source
  let rank: Rank
  let standing: Standing
  /// What this is a copy of, in an isolated scope; the very first of them.
  let original: ServiceEntry?

  /// Guarded by the manager's lock: what `source` became at first use, or why it cannot be used.
  var factory: AnyServiceFactory?
  var problem: Diagnostic? {
    get { failure?.diagnostic }
    set { failure = newValue.map { Failure(diagnostic: $0) } }
  }
  var isUsable: Bool { failure == nil }
  /// Guarded by the manager's lock: why code on some executors cannot use it.
  var isolationProblem: Diagnostic? { isolationFailure?.diagnostic }
  /// A Boolean value that indicates whether the calling code can use it, as far as is known of its
  /// executor.
  var isUsableHere: Bool { isolationFailure?.executors.contains(.current) != true }

  /// Notes that code on the current executor cannot use it.
  func setIsolationProblem(_ problem: Diagnostic) {
    let failure = isolationFailure ?? Failure(diagnostic: problem)
    isolationFailure = failure
    // A program can create any number of actors, so forget the oldest. Its code tries once more.
    if failure.executors.count == 16 { failure.executors.removeFirst() }
    failure.executors.append(.current)
  }
  /// The problem in separate memory, because a diagnostic is large and few entries have one.
  private var failure: Failure?
  private var isolationFailure: Failure?
  /// What readers of the table call without a lock: set before they can see it, and never again. The initializer of an
  /// exported type, which holds nothing.
  var maker: Unmanaged<AnyServiceFactory>?
  /// Guarded by the manager's lock: the shared instance, stored as the service's own type.
  var instance: UnsafeRawPointer?
  /// Guarded by the manager's lock: the instance of scope `.weak`.
  weak var weakInstance: AnyObject?
  /// Guarded by the manager's lock: false once withdrawn.
  var isRegistered = true
  /// Guarded by the manager's lock: frees `instance`, whose type it knows.
  var dispose: ((UnsafeRawPointer) -> Void)?

  /// The thread that creates the shared instance. Guarded by ``SharedCreation``'s lock.
  var creator: ResolutionThread?
  /// The turn of the thread that creates the shared instance, once a thread has. Guarded by
  /// ``SharedCreation``'s lock.
  var turn: OpaquePointer?

  /// Which implementation comes first: batches in order, then the higher priority, then load order.
  struct Rank: Comparable {
    let batch: Int
    let priority: Int
    let order: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.batch, b.priority, a.order) < (b.batch, a.priority, b.order)
    }
  }

  /// An implementation that a record names.
  init(
    record: ExportedRecord, service: String, name: String?, scope: ServiceScope, source: Source, rank: Rank
  ) {
    self.service = service
    self.name = name
    self.scope = scope
    self.source = source
    self.rank = rank
    origin = .record(record)
    standing = .live
    original = nil
  }

  /// A closure, or a class given by its name.
  init(
    service: String, implementation: String, name: String?, scope: ServiceScope, source: Source = .factory, rank: Rank,
    standing: Standing
  ) {
    self.service = service
    self.name = name
    self.scope = scope
    self.rank = rank
    self.standing = standing
    self.source = source
    origin = .code(implementation)
    original = nil
  }

  /// The same implementation without the instances that were made of it. The other's manager must be locked.
  init(copying other: ServiceEntry, rank: Rank? = nil, standing: Standing? = nil) {
    service = other.service
    name = other.name
    scope = other.scope
    origin = other.origin
    source = other.source
    self.rank = rank ?? other.rank
    self.standing = standing ?? other.standing
    original = other.original ?? other
    factory = other.factory
    failure = other.failure
    if let failure = other.isolationFailure {
      let copy = Failure(diagnostic: failure.diagnostic)
      copy.executors = failure.executors
      isolationFailure = copy
    }
  }

  private final class Failure {
    let diagnostic: Diagnostic
    /// The executors on which a cast failed; empty if the implementation cannot be used on any.
    var executors: [CurrentExecutor] = []

    init(diagnostic: Diagnostic) {
      self.diagnostic = diagnostic
    }
  }

  deinit {
    if let instance { dispose?(instance) }
    maker?.release()
    // A thread that has the turn or waits for it retains the entry.
    registry_turn_destroy(turn)
  }

  /// The class' name, or where the closure stands. Read from the record each time: messages ask, and whoever looks for a
  /// class by its name, once.
  var implementation: String {
    switch origin {
    case .record(let record): record.typeName ?? ""
    case .code(let location): location
    }
  }

  /// The image that exports it; nil if none does.
  var image: LoadedImage? {
    switch origin {
    case .record(let record): record.image
    case .code: nil
    }
  }

  /// Whether it comes from an image and not from a closure.
  var isExported: Bool {
    switch source {
    case .accessor, .named: true
    case .factory, .unavailable: false
    }
  }

  /// How messages call it.
  var label: String {
    implementation.escapedForDisplay() + (image.map { " (\($0))" } ?? "")
  }

  /// What somebody says who names the class and not its type.
  var claim: String {
    (image == nil ? "it was registered by its name to say" : "a C record says")
      + " that it implements \(service.escapedForDisplay())"
  }

  var step: CycleStep { CycleStep(subject: service, named: name, implementation: implementation, image: image) }

  func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: implementation, image: image, message: message)
  }
}

/// The identity of a service's type: its metadata, which the runtime makes once a process.
typealias TypeKey = UnsafeRawPointer

func typeKey<Service>(_ type: Service.Type) -> TypeKey {
  // A metatype is a pointer to the type's metadata.
  unsafeBitCast(type as Any.Type, to: TypeKey.self)
}
