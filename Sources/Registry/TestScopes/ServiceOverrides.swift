/// The overrides of services and contributions in a scope.
///
/// ```swift
/// try services.withOverrides {
///   $0.override(CartService.self) { EmptyCart() }
/// } operation: {
///   try checkOut()
/// }
/// ```
///
/// An override precedes its manager's exported and registered implementations. In the result of
/// `createServices(for:)`, it replaces every implementation with the same name. The last override
/// of a service and name applies.
public struct ServiceOverrides: Sendable {
  private(set) var list: [ServiceOverride] = []
  private(set) var allowed: Set<GroupKey> = []

  @usableFromInline init() {}

  @_alwaysEmitIntoClient init(_ collect: (inout ServiceOverrides) throws -> Void) rethrows {
    self.init()
    try collect(&self)
  }

  /// Overrides a service with a factory, which each lookup calls.
  ///
  /// To share an instance, create it outside the factory and return it:
  ///
  /// ```swift
  /// let cart = EmptyCart()
  /// try services.withOverrides {
  ///   $0.override(CartService.self) { cart }
  /// } operation: { … }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - name: The name of the implementation to override.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance, on the thread of the lookup, or on the
  ///     closure's actor if it has one.
  public mutating func override<Service>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    add(GroupKey(type), .transient, name, fileID, line, ServiceFactory(factory, isSendable: false))
  }

  /// Overrides a sendable service with a factory, which each lookup calls.
  ///
  /// The compiler prefers this overload for a service that is `Sendable`. Lookups of sendable
  /// types, such as `service(for: (any P & Sendable).self)`, can use the override.
  public mutating func override<Service: Sendable>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    add(GroupKey(type), .transient, name, fileID, line, ServiceFactory(factory))
  }

  /// Overrides a service with a factory whose instances have a given lifetime.
  ///
  /// With `.shared`, the override has one instance, and another in each test scope inside this
  /// scope. Any thread can receive nontransient instances, so the service must be `Sendable`.
  ///
  /// - Parameters:
  ///   - type: The protocol, written as `P.self`.
  ///   - scope: The lifetime of instances.
  ///   - name: The name of the implementation to override.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - factory: A closure that creates an instance.
  public mutating func override<Service: Sendable>(
    _ type: Service.Type, scope: ServiceScope, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line, factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    add(GroupKey(type), scope, name, fileID, line, ServiceFactory(factory))
  }

  /// Allows lookups of a service in a strict scope to use exported and registered implementations.
  ///
  /// A test scope still creates new instances of them. Without a strict scope, the call has no
  /// effect.
  ///
  /// - Parameter type: The protocol, written as `P.self`.
  public mutating func allowLive<Service>(_ type: Service.Type) {
    allowed.add(GroupKey(type))
  }

  /// Contributes a value to a point, in place of all contributions that are not overrides.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - priority: The priority among contributions that are overrides; the highest comes first.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - make: A closure that creates the value, on the closure's actor if it has one.
  public mutating func contribute<Value>(
    to point: ContributionPoint<[Value]>, priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line,
    make: @escaping @Sendable @isolated(any) () throws -> Value
  ) {
    add(point.key, .shared, nil, fileID, line, ServiceFactory(make), priority: priority)
  }

  /// Contributes a value with a key to a point, replacing all contributions with this key.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - key: The key of the value.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - make: A closure that creates the value, on the closure's actor if it has one.
  public mutating func contribute<Value>(
    to point: ContributionPoint<[String: Value]>, key: String, fileID: StaticString = #fileID, line: UInt = #line,
    make: @escaping @Sendable @isolated(any) () throws -> Value
  ) {
    add(point.key, .shared, key, fileID, line, ServiceFactory(make))
  }

  /// Allows lookups in a strict scope to use a point's contributions from outside the scope.
  public mutating func allowLive<Values>(_ point: ContributionPoint<Values>) { allowed.add(point.key) }

  // The compiler would inline this method into all of the generic ones above.
  @inline(never)
  private mutating func add(
    _ key: GroupKey, _ scope: ServiceScope, _ name: String?, _ fileID: StaticString, _ line: UInt,
    _ factory: AnyServiceFactory, priority: Int = 0
  ) {
    let location = "\(fileID):\(line)"
    let entry = ServiceEntry(
      service: key.text, name: name, scope: scope, origin: .code("the override at \(location)", location: location),
      rank: .init(batch: 0, priority: priority, order: list.count), standing: .override)
    // The factory shares its instances with no other service, so don't use a manager's holders.
    var holders = InstanceHolders()
    entry.prepare(factory, type: nil, &holders)
    if !key.isList { list.discard { $0.key == key && $0.entry.name == name } }
    list.append(ServiceOverride(key: key, entry: entry))
  }
}
