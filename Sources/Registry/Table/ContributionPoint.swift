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
/// The type, the identifier, and any C type identify a point. Modules that import the static
/// property's module can contribute, and the compiler checks the name and the type.
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
/// If several contributions have the same key, the first is used. They are ordered like a service's
/// implementations, and ties are reported (`tie`).
public struct ContributionPoint<Values: __ArrayOrDictionaryByString & Sendable>: Sendable, Hashable {
  /// The identifier, such as `shop.menu`.
  public let id: String
  let cType: String?

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The identifier, which should begin with the name of the declaring feature.
  ///   - cType: The name of the pointer type that C code uses to contribute addresses
  ///     (`REGISTRY_CONTRIBUTE`). Values must then be pointer-sized, like C function pointers.
  public init(_ id: String, cType: String? = nil) {
    precondition(
      cType == nil || MemoryLayout<Values.__Value>.size == MemoryLayout<UnsafeRawPointer>.size,
      "swift-section-registry: the point '\(id)' has a type in C, so its values must have the size of a pointer")
    assert(!id.isEmpty, "swift-section-registry: a contribution point needs an identifier, such as 'shop.menu'")
    self.id = id
    self.cType = cType
  }

  @usableFromInline
  var key: GroupKey { GroupKey(Values.__Value.self, point: id, isKeyed: Values.__isKeyed, cType: cType) }

  @usableFromInline func values(_ created: [CreatedContribution]) -> Values {
    var values = Values()
    for (entry, value) in created { values.__add(value.load(as: Values.__Value.self), entry.name) }
    return values
  }
}

@usableFromInline typealias CreatedContribution = (entry: ServiceEntry, value: SharedInstance)

/// The values of a contribution point: an array, or a dictionary with the keys of the
/// contributions.
///
/// Not API; public because the type parameter of ``ContributionPoint`` must conform to it.
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
/// Write the macro at the top level of a file or in a type that is not generic. The macro writes a
/// record into the binary. The expression for the point runs when code first reads any point of a
/// manager, or reports on the manager. Each manager creates the value once, on the closure's actor
/// if any, when code first reads the point, such as with ``ServiceManager/contributions(to:)``.
///
/// Contributions are ordered by priority, and then by load or registration order. Among images that
/// were loaded together, the order of source locations replaces the load order.
///
/// - Parameters:
///   - point: The point, such as `.menu` or `ContributionPoint<[Dish]>.menu`.
///   - priority: The priority, as an integer literal; the highest comes first.
///   - condition: A condition that must hold for the contribution to exist, evaluated at the first
///     use of the point.
///   - group: The name of the contribution's group, as a string literal. Only managers that read
///     the group (``RecordSource/group(_:)``) find the contribution.
///   - make: A closure that creates the value. It can't capture local variables.
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
///   - priority: The priority among contributions with the same key in images that are loaded
///     together, as an integer literal.
///   - condition: A condition that must hold for the contribution to exist.
///   - group: The name of the contribution's group, as a string literal.
///   - make: A closure that creates the value. It can't capture local variables.
@freestanding(declaration)
public macro contribute<Value>(
  _ point: ContributionPoint<[String: Value]>, key: String, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "ContributeMacro")

/// Selected if the caller passes a key for a point without keys.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "the point is an array, whose values have no keys; remove 'key:'")
public macro contribute<Value>(
  _ point: ContributionPoint<[Value]>, key: String, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected if the caller passes no key for a point with keys.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "the point is a dictionary, whose values have keys; pass 'key:'")
public macro contribute<Value>(
  _ point: ContributionPoint<[String: Value]>, priority: Int = 0, when condition: ServiceCondition? = nil,
  group: String? = nil, make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected if the caller passes a value instead of a closure.
@_documentation(visibility: internal) @freestanding(declaration)
@available(
  *, unavailable,
  message: """
    pass a closure that creates the value: '#contribute(.point) { value }', or '{ { … } }' if the value is a closure
    """
)
public macro contribute<Value>(
  _ point: ContributionPoint<[Value]>, priority: Int = 0, _ value: Value, when condition: ServiceCondition? = nil,
  group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected if the caller passes a key, and a value instead of a closure.
@_documentation(visibility: internal) @freestanding(declaration)
@available(
  *, unavailable, message: "pass a closure that creates the value: '#contribute(.point, key: \"k\") { value }'"
)
public macro contribute<Value>(
  _ point: ContributionPoint<[String: Value]>, key: String, priority: Int = 0, _ value: Value,
  when condition: ServiceCondition? = nil, group: String? = nil, make: (() -> Never)? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")
