/// A typed list or dictionary that features extend.
///
/// ```swift
/// extension ContributionPoint<[Dish]> {
///   public static var menu: Self { .init("shop.menu") }
/// }
///
/// #contribute(.menu, priority: 5) { Dish("soup") }  // in any module
///
/// let dishes = try services.contributions(to: .menu)
/// ```
///
/// The identifier and the type of the values identify a point. The static property makes it
/// available to the modules that import its declaration, so that the compiler checks both the name
/// and the type of what they contribute.
///
/// A dictionary has a value for each key:
///
/// ```swift
/// extension ContributionPoint<[String: Command]> {
///   public static var commands: Self { .init("editor.commands") }
/// }
///
/// #contribute(.commands, key: "save") { Command("Save") { try $0.save() } }
/// ```
///
/// Of several contributions with one key, the first one is used, in the order of the
/// implementations of a service. A tie is reported as for services (`tie`).
public struct ContributionPoint<Values: __ArrayOrDictionaryByString & Sendable>: Sendable, Hashable {
  /// The identifier, such as `shop.menu`.
  public let id: String
  let cType: String?

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The identifier. Begin it with the name of the feature that declares the point.
  ///   - cType: The name of the pointer type with which C code contributes addresses to the point
  ///     (`REGISTRY_CONTRIBUTE`). A value must have the size of a pointer, such as a C function.
  public init(_ id: String, cType: String? = nil) {
    precondition(
      cType == nil || MemoryLayout<Values.__Value>.size == MemoryLayout<UnsafeRawPointer>.size,
      "swift-section-registry: the point '\(id)' has a type in C, so its values must have the size of a pointer")
    self.id = id
    self.cType = cType
  }

  var key: GroupKey { GroupKey(Values.__Value.self, point: id, isKeyed: Values.__isKeyed, cType: cType) }

  /// Returns the values of contributions that were created.
  func values(_ created: [CreatedContribution]) -> Values {
    var values = Values()
    for (entry, value) in created { values.__add(value.load(as: Values.__Value.self), entry.name) }
    return values
  }
}

/// A contribution and its value.
typealias CreatedContribution = (entry: ServiceEntry, value: SharedInstance)

/// The values of a contribution point: an array, or a dictionary with the keys of the
/// contributions.
///
/// Not API: the parameter of ``ContributionPoint`` has this requirement.
public protocol __ArrayOrDictionaryByString {
  associatedtype __Value
  static var __isKeyed: Bool { get }
  init()
  mutating func __add(_ value: __Value, _ key: String?)
}

extension Array: __ArrayOrDictionaryByString {
  public static var __isKeyed: Bool { false }
  public mutating func __add(_ value: Element, _ key: String?) { append(value) }
}

extension Dictionary: __ArrayOrDictionaryByString where Key == String {
  public static var __isKeyed: Bool { true }
  public mutating func __add(_ value: Value, _ key: String?) { self[key ?? ""] = value }
}

/// Contributes a value to a contribution point.
///
/// ```swift
/// #contribute(.menu, priority: 5) { Dish("soup") }
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. It writes a record
/// into the binary, and your code doesn't run before a contribution is looked up
/// (``ServiceManager/contributions(to:)``). The value is created at first use, once for each
/// manager, on the actor of the closure if it has one.
///
/// Contributions are in the order of their priorities. Contributions with one priority are in the
/// order in which they were loaded or registered. Those of images that were loaded together are in
/// the order of their source locations.
///
/// - Parameters:
///   - point: The point, such as `.menu` or `ContributionPoint<[Dish]>.menu`.
///   - priority: The priority; the highest comes first. An integer literal.
///   - condition: The condition for the contribution's existence, evaluated when the
///     point is first used.
///   - group: The name of the group of the contribution, as a string literal. Only managers that
///     read the group (``RecordSource/group(_:)``) find it.
///   - make: A closure that creates the value, which cannot capture local variables.
@freestanding(declaration)
public macro contribute<Value>(
  _ point: ContributionPoint<[Value]>, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "ContributeMacro")

/// Contributes a value with a key to a contribution point.
///
/// ```swift
/// #contribute(.commands, key: "save") { Command("Save") { try $0.save() } }
/// ```
///
/// - Parameters:
///   - point: The point.
///   - key: The key of the value, as a string literal.
///   - priority: The priority among the contributions with the same key of images that are loaded
///     together. An integer literal.
///   - condition: The condition for the contribution's existence.
///   - group: The name of the group of the contribution, as a string literal.
///   - make: A closure that creates the value, which cannot capture local variables.
@freestanding(declaration)
public macro contribute<Value>(
  _ point: ContributionPoint<[String: Value]>, key: String, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "ContributeMacro")

/// Selected for a key and a point without keys.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "the point is an array, whose values have no keys; remove 'key:'")
public macro contribute<Value>(
  _ point: ContributionPoint<[Value]>, key: String, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected for a keyed point without a key.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "the point is a dictionary, whose values have keys; pass 'key:'")
public macro contribute<Value>(
  _ point: ContributionPoint<[String: Value]>, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")
