internal import RegistryC

@usableFromInline package final class ServiceEntry: @unchecked Sendable {
  // Unchecked: the constants are `Sendable`, and the manager's lock guards the variables, except
  // where their comments say otherwise.

  enum Source {
    /// The accessor of a Swift record, and the type of the service.
    case accessor(RecordAccessor, TypeKey)
    /// The class that a C record or a manifest names.
    case named
    case factory
  }

  enum Origin {
    case record(ExportedRecord)
    /// The name of the class or a description of the closure, and the location for messages.
    case code(String, location: String)
  }

  enum Standing {
    /// An implementation that was exported, or registered outside test scopes.
    case live
    /// An implementation that was registered in a test scope.
    case given
    /// A scope's override, which replaces every other implementation with the same name.
    case override
  }

  /// The reasons why an implementation can't be used, stored separately because they are large and
  /// rare.
  private final class Failures {
    var general: Diagnostic?
    var isolation: Diagnostic?
    var executors: [UInt] = []
    var creation: String?
  }

  // A manager can have many entries, so small properties are adjacent to save memory.

  /// The service's name or the point's expression, for messages and for finding C records.
  package let service: String
  package let name: String?
  package let rank: Rank
  private let origin: Origin
  let source: Source
  package let scope: ServiceScope
  let standing: Standing
  private(set) var isRegistered = true
  package let options: ExportOptions?
  /// For a test scope's copy, the entry outside all test scopes; nil for any other entry.
  let original: ServiceEntry?

  var factory: AnyServiceFactory?
  private var failures: Failures?
  /// The instance, for scope `.shared` or `.cached`, once a lookup of this service has found it.
  var shared: SharedInstance?
  /// The holder of the instance, set once with the factory; always nil for transient services.
  private(set) var holder: InstanceHolder?
  /// The factory of an implementation that is in the lookup table without a gate. Readers call it
  /// without a lock, so it's set before the entry is published and never changes.
  var maker: Unmanaged<AnyServiceFactory>?

  package internal(set) var problem: Diagnostic? {
    get { failures?.general }
    set {
      if newValue != nil, failures == nil { failures = Failures() }
      failures?.general = newValue
    }
  }

  /// The last error that prevented the creation of an instance, until one is kept; nil in release
  /// builds.
  package var failure: String? { failures?.creation }

  func setFailure(_ text: String?) {
    if failures == nil, text != nil { failures = Failures() }
    failures?.creation = text
  }

  package var wasPrepared: Bool { factory != nil || problem != nil }

  package var isOverride: Bool { standing == .override }

  package var hasSeparateInstance: Bool { options?.hasSeparateInstance ?? false }

  /// Returns whether the implementation's condition, if any, holds. Uses an earlier result if the
  /// manager stored one. The manager must be locked.
  package func isIncluded(by conditions: Set<ServiceCondition>) -> Bool {
    options.map { $0.isMet ?? $0.isMet(by: conditions) } ?? true
  }

  package var isUsable: Bool { failures?.general == nil }

  var isolationProblem: Diagnostic? { failures?.isolation }

  /// A Boolean value that is false if casting the instance to the service failed on this executor.
  var isUsableHere: Bool { failures?.executors.contains(currentExecutor) != true }

  func setIsolationProblem(_ problem: Diagnostic) {
    let failures = failures ?? Failures()
    self.failures = failures
    failures.isolation = failures.isolation ?? problem
    // A program can create any number of actors, so keep at most 16 executors. Code on a forgotten
    // executor tries the cast again.
    if failures.executors.count == 16 { failures.executors.removeFirst() }
    failures.executors.append(currentExecutor)
  }

  /// - Parameters:
  ///   - service: The name of the protocol, or the expression for the point.
  ///   - name: The name of the implementation, or the key of the contribution.
  init(
    service: String, name: String?, scope: ServiceScope, origin: Origin, source: Source = .factory, rank: Rank,
    standing: Standing = .live, options: ExportOptions? = nil, original: ServiceEntry? = nil
  ) {
    self.service = service
    self.name = name
    self.scope = scope
    self.origin = origin
    self.source = source
    self.rank = rank
    self.standing = standing
    self.options = options
    self.original = original
  }

  /// Creates the entry of a record. The attributes are valid only while the record exists.
  convenience init(_ record: ExportedRecord, _ attributes: ServiceAttributes, _ source: Source, order: Int) {
    self.init(
      service: attributes.service.string, name: attributes.name, scope: attributes.scope, origin: .record(record),
      source: source, rank: Rank(batch: 2 * record.image.batch, priority: attributes.priority, order: order),
      options: ExportOptions.isNeeded(for: attributes) ? ExportOptions(attributes, record.accessor) : nil)
    withExtendedLifetime(record) {}
  }

  /// Creates the entry of a record that a tool has read from a file.
  package convenience init(recorded attributes: ServiceAttributes, rank: Rank) {
    let implementation = attributes.implementation.string
    self.init(
      service: "", name: nil, scope: attributes.scope, origin: .code(implementation, location: ""), rank: rank,
      options: ExportOptions(attributes, nil))
  }

  /// Copies an entry without its instances. The original's manager must be locked.
  convenience init(
    copying other: ServiceEntry, rank: Rank? = nil, standing: Standing? = nil, _ holders: inout InstanceHolders
  ) {
    self.init(
      service: other.service, name: other.name, scope: other.scope, origin: other.origin, source: other.source,
      rank: rank ?? other.rank, standing: standing ?? other.standing, options: other.options.map(ExportOptions.init),
      original: other.original ?? other)
    problem = other.problem
    if let factory = other.factory { prepare(factory, type: other.holder?.key?.type, &holders) }
  }

  deinit {
    maker?.release()
  }

  func prepare(_ factory: AnyServiceFactory, type: TypeKey?, _ holders: inout InstanceHolders) {
    self.factory = factory
    guard scope != .transient else { return }
    let key = hasSeparateInstance ? nil : type.map { InstanceHolder.Key(type: $0, scope: scope) }
    let holder = holders.holder(for: key, in: image)
    holder.members += 1
    self.holder = holder
  }

  func withdraw() {
    isRegistered = false
    holder?.members -= 1
  }

  /// A Boolean value that indicates whether lookups of this service have returned a kept instance.
  package var hasKeptInstance: Bool { shared != nil }

  /// The number of instances that a manager has created for an entry with the scope `.weak`.
  package var weakCount: Int { scope == .weak ? holder?.resets ?? 0 : 0 }

  /// Removes the instances if the entry has the given scope. The caller must release them outside
  /// the lock.
  func reset(_ scope: ServiceScope) -> [SharedInstance] {
    guard self.scope == scope, let holder else { return [] }
    // Services of one type share a holder, but each keeps its own conversion of the instance.
    let instances = [shared, holder.created].compactMap { $0 }
    shared = nil
    holder.created = nil
    holder.resets += 1
    return instances
  }

  /// Returns whether another entry has the same instance. Both entries must have a factory.
  func hasInstance(of other: ServiceEntry) -> Bool {
    self === other || (holder != nil && holder === other.holder)
  }

  package var record: ExportedRecord? { if case .record(let record) = origin { record } else { nil } }

  /// The name of the type, or a description of the closure.
  ///
  /// Few callers read it, so a record's name is read from the JSON on each access.
  package var implementation: String {
    switch origin {
    case .record(let record): record.typeName?.recordForm ?? record.handlerName ?? ""
    case .code(let name, _): name
    }
  }

  /// The exported type; nil unless the accessor of a Swift record returns it.
  var exportedType: TypeKey? {
    guard case .accessor(let accessor, _) = source else { return nil }
    return answer(of: accessor, to: __ExportedTypeRequest.self)
  }

  /// The type whose services share the instance, if known without looking up a class.
  package var instanceType: Any.Type? { (holder?.key?.type ?? exportedType).map(serviceType) }

  /// The runtime's full name for the exported type, or the implementation's name without a type.
  package var identity: String { exportedType.map { _typeName(serviceType($0)) } ?? implementation }

  /// The source location of a registration in code or in a manifest; nil for an export.
  package var location: String? { if case .code(_, let location) = origin { location } else { nil } }

  /// The image that exports the implementation; nil if code or a manifest registered it.
  package var image: LoadedImage? { record?.image }

  package var isNamed: Bool { if case .named = source { true } else { false } }

  var isExported: Bool { if case .factory = source { false } else { true } }

  package var label: String {
    implementation.implementationForDisplay(in: image)
  }

  /// The part of a message that explains why the class should implement the service.
  var claim: String {
    (image == nil ? "the class is registered by name" : "a C record exports the class")
      + " as an implementation of \(service.quotedForDisplay())"
  }

  var nonconformance: String {
    guard case .accessor = source else {
      return "\(claim), but the class does not conform to that protocol, or conforms only on its own actor;"
        + " declare a nonisolated conformance"
    }
    return "the instance, which other services of the type share, does not convert to \(service.quotedForDisplay());"
      + " export the service with 'separateInstance: true'"
  }

  /// The text for messages about cycles, such as `'Cart.CartService' by 'Cart.DefaultCart' (Shop)`.
  var step: String { "\(ServiceError.spell(service, name)) by \(label)" }

  package func diagnostic(_ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String) -> Diagnostic {
    Diagnostic(severity: severity, code: code, subject: implementation, image: image, message: message)
  }
}

class AnyServiceFactory: @unchecked Sendable {
  // Unchecked: all properties are constants, and the function is called only on its own actor; see
  // `make()`.

  let isolation: (any Actor)?
  /// A Boolean value that indicates whether lookups that require `Sendable` can use the factory.
  let isSendable: Bool

  init(isolation: (any Actor)?, isSendable: Bool) {
    self.isolation = isolation
    self.isSendable = isSendable
  }
}

final class ServiceFactory<Service>: AnyServiceFactory, @unchecked Sendable {
  private let function: () throws -> Service

  init(_ function: @escaping @isolated(any) () throws -> Service, isSendable: Bool = true) {
    self.function = withoutIsolation(function)
    super.init(isolation: function.isolation, isSendable: isSendable)
  }

  init(on isolation: (any Actor)?, isSendable: Bool, _ function: @escaping () throws -> Service) {
    self.function = function
    super.init(isolation: isolation, isSendable: isSendable)
  }

  /// Creates an instance. The caller must run on the factory's actor.
  @inline(__always)
  func make() throws -> Service { try function() }
}
