/// Implementations that stand in for others, for a task and the tasks it makes.
///
/// ```swift
/// try services.withOverrides {
///   $0.override(CartService.self) { EmptyCart() }
///   $0.override(Clock.self, with: StoppedClock())
/// } operation: {
///   try checkOut()
/// }
/// ```
///
/// An override comes before everything that is exported or registered, and in `createServices(for:)` it stands for
/// every implementation of its name. Of two for the same service and name the last one holds.
public struct ServiceOverrides: Sendable {
  private(set) var list: [ServiceOverride] = []
  private(set) var allowed: Set<ObjectIdentifier> = []

  init() {}

  /// What a closure collects.
  init(_ collect: (inout ServiceOverrides) throws -> Void) rethrows { try collect(&self) }

  /// Overrides a service with what a closure makes, anew for every look-up.
  ///
  /// - Parameters:
  ///   - type: The protocol, as `P.self`.
  ///   - name: The name that it is looked up under.
  ///   - factory: Makes an instance, on the thread that asks, or on its actor if it has one.
  public mutating func override<Service>(
    _ type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    add(type, .transient, name, "\(fileID):\(line)", ServiceFactory(factory))
  }

  /// Overrides a service with what a closure makes, once for the scope if it is `.shared`.
  ///
  /// Instances of scope `.shared` and `.weak` go to whoever asks, so the service must be `Sendable`.
  public mutating func override<Service: Sendable>(
    _ type: Service.Type, scope: ServiceScope, named name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line, factory: @escaping @Sendable @isolated(any) () throws -> Service
  ) {
    add(type, scope, name, "\(fileID):\(line)", ServiceFactory(factory))
  }

  /// Overrides a service with an instance, which every look-up gets.
  public mutating func override<Service: Sendable>(
    _ type: Service.Type, named name: String? = nil, with instance: Service, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    add(type, .transient, name, "\(fileID):\(line)", ServiceFactory { instance })
  }

  /// Lets look-ups of a service have what is exported or registered, though the scope is strict.
  ///
  /// In an isolated scope that is still a new instance. Where no scope is strict it changes nothing.
  public mutating func allowLive<Service>(_ type: Service.Type) {
    allowed.insert(ObjectIdentifier(type))
  }

  private mutating func add<Service>(
    _ type: Service.Type, _ scope: ServiceScope, _ name: String?, _ location: String, _ factory: ServiceFactory<Service>
  ) {
    let entry = ServiceEntry(
      service: recordName(of: type), implementation: "the override at \(location)", name: name, scope: scope,
      rank: ServiceEntry.Rank(batch: 0, priority: 0, order: 0),
      standing: .override)
    entry.factory = factory
    let key = typeKey(type)
    list.removeAll { $0.key == key && $0.entry.name == name }
    list.append(ServiceOverride(key: key, entry: entry))
  }
}
