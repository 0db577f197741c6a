internal import RegistryC

/// An implementation of a service that a manager knows.
final class ServiceEntry: @unchecked Sendable {
  // Unchecked: the constants are `Sendable`, and locks guard the variables. The manager's lock
  // guards each variable whose comment does not name another one.

  /// The strategy for creating an instance.
  enum Source {
    /// The accessor of a Swift record, and the type it serves.
    case accessor(RecordAccessor, TypeKey)
    /// The class that a C record or a manifest names.
    case named
    /// A closure given to `register`.
    case factory
    /// A Swift record of a type that is unavailable on this system, so its accessor serves nothing.
    case unavailable
  }

  /// The origin of the implementation, for messages.
  private enum Origin {
    case record(ExportedRecord)
    /// The implementation's name in messages.
    case code(String)
  }

  /// The relation of an entry to the test scope that looks it up.
  enum Standing {
    /// An implementation that was exported, or registered outside the scope.
    case live
    /// An implementation that was registered in the scope.
    case given
    /// An implementation that replaces every other one with the same name.
    case override
  }

  /// A shared instance, stored as the service's own type.
  struct SharedInstance {
    let pointer: UnsafeRawPointer
    /// Frees the memory at `pointer`, whose type it knows.
    let dispose: (UnsafeRawPointer) -> Void
  }

  /// The creation of the shared instance, guarded by ``SharedCreation``'s lock.
  struct Creation {
    /// The thread that creates the instance.
    var thread: ResolutionThread?
    /// The turn of the threads that create the instance, once a thread has created one.
    var turn: OpaquePointer?
  }

  /// The reasons why an implementation cannot be used, in separate memory because diagnostics are
  /// large and few entries have one.
  private final class Failures {
    var general: Diagnostic?
    /// The reason that applies to code on some executors.
    var isolation: Diagnostic?
    /// The executors on which a cast failed.
    var executors: [CurrentExecutor] = []

    init(copying other: Failures? = nil) {
      general = other?.general
      isolation = other?.isolation
      executors = other?.executors ?? []
    }
  }

  // An entry exists for every exported service, so small properties follow each other.

  /// The protocol's name, for messages and for lookups among C records.
  let service: String
  let name: String?
  let rank: Rank
  private let origin: Origin
  let source: Source
  let scope: ServiceScope
  let standing: Standing
  /// A Boolean value that is false once the entry was unregistered.
  var isRegistered = true
  /// The entry outside all test scopes that this entry is a copy of.
  let original: ServiceEntry?

  /// The factory that `source` resolved to at first use.
  var factory: AnyServiceFactory?
  private var failures: Failures?
  /// The shared instance of scope `.shared`, once it exists.
  var shared: SharedInstance?
  /// The instance of scope `.weak`.
  weak var weakInstance: AnyObject?
  var creation = Creation()
  /// The initializer of an exported type, which captures nothing. Readers of the lookup table call
  /// it without a lock, so it is set before they can see it and never changes afterwards.
  var maker: Unmanaged<AnyServiceFactory>?

  /// The reason why `source` cannot be used.
  var problem: Diagnostic? {
    get { failures?.general }
    set {
      if newValue != nil, failures == nil { failures = Failures() }
      failures?.general = newValue
    }
  }

  var isUsable: Bool { failures?.general == nil }

  /// The reason why code on some executors cannot use the implementation.
  var isolationProblem: Diagnostic? { failures?.isolation }

  /// A Boolean value that indicates whether the calling code can use it, as far as is known of its
  /// executor.
  var isUsableHere: Bool { failures?.executors.contains(.current) != true }

  /// Records that code on the current executor cannot use the implementation.
  func setIsolationProblem(_ problem: Diagnostic) {
    let failures = failures ?? Failures()
    self.failures = failures
    failures.isolation = failures.isolation ?? problem
    // A program can create any number of actors, so forget the oldest. Its code tries once more.
    if failures.executors.count == 16 { failures.executors.removeFirst() }
    failures.executors.append(.current)
  }

  /// The order of implementations: by batch, then by descending priority, then by load order.
  struct Rank: Comparable {
    let batch: Int
    let priority: Int
    let order: Int

    static func < (a: Self, b: Self) -> Bool {
      (a.batch, b.priority, a.order) < (b.batch, a.priority, b.order)
    }
  }

  /// Creates the entry of an implementation that a record names.
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

  /// Creates the entry of a closure, or of a class that was registered by its name.
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

  /// Creates an entry of the same implementation, without its instances.
  ///
  /// The other entry's manager must be locked.
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
    failures = other.failures.map(Failures.init)
  }

  deinit {
    if let shared { shared.dispose(shared.pointer) }
    maker?.release()
    // A thread that has the turn or waits for it retains the entry.
    registry_turn_destroy(creation.turn)
  }

  /// The name of the class, or the source location of the closure.
  ///
  /// Only messages and a single lookup of the class read it, so a record's name is not stored.
  var implementation: String {
    switch origin {
    case .record(let record): record.typeName ?? ""
    case .code(let location): location
    }
  }

  /// The image that exports the implementation; nil if it was registered by code.
  var image: LoadedImage? {
    switch origin {
    case .record(let record): record.image
    case .code: nil
    }
  }

  /// A Boolean value that indicates whether an image exports the implementation.
  var isExported: Bool {
    switch source {
    case .accessor, .named: true
    case .factory, .unavailable: false
    }
  }

  /// The implementation and its image, for messages.
  var label: String {
    implementation.implementationForDisplay(in: image)
  }

  /// The reason why the class should implement the service, for messages about a class that does
  /// not.
  var claim: String {
    (image == nil ? "the class is registered by name" : "a C record exports the class")
      + " as an implementation of \(service.quotedForDisplay())"
  }

  var step: CycleStep { CycleStep(subject: service, named: name, implementation: implementation, image: image) }

  func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: implementation, image: image, message: message)
  }
}

/// The identity of a service's type: its metadata, which the runtime creates once in a process.
typealias TypeKey = UnsafeRawPointer

func typeKey<Service>(_ type: Service.Type) -> TypeKey {
  // A metatype is a pointer to the type's metadata.
  unsafeBitCast(type as Any.Type, to: TypeKey.self)
}
