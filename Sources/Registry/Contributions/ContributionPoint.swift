/// A typed list that features extend.
///
/// ```swift
/// extension ContributionPoint where Value == Dish {
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
public struct ContributionPoint<Value: Sendable>: Sendable, Hashable {
  /// The identifier, such as `shop.menu`.
  public let id: String
  let cType: String?

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The identifier. Begin it with the name of the feature that declares the point.
  ///   - cType: The name of the pointer type with which C code contributes addresses to the point
  ///     (`REGISTRY_CONTRIBUTE`). `Value` must have the size of a pointer, such as a C function.
  public init(_ id: String, cType: String? = nil) {
    precondition(
      cType == nil || MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size,
      "swift-section-registry: the point '\(id)' has a type in C, so its values must have the size of a pointer")
    self.id = id
    self.cType = cType
  }

  var key: GroupKey { GroupKey(Value.self, point: id, cType: cType) }
}

/// A typed dictionary that features extend, such as one of commands by their identifiers.
///
/// ```swift
/// extension KeyedContributionPoint where Value == Command {
///   public static var commands: Self { .init("editor.commands") }
/// }
///
/// #contribute(.commands, key: "save") { Command("Save") { try $0.save() } }
///
/// let commands = try services.contributions(to: .commands)  // [String: Command]
/// ```
///
/// Of several contributions with one key, the first one is used, in the order of the
/// implementations of a service. A tie is reported like that of a service
/// (``Diagnostic/Code/tie``).
public struct KeyedContributionPoint<Value: Sendable>: Sendable, Hashable {
  /// The identifier, such as `editor.commands`.
  public let id: String
  let cType: String?

  /// Creates a point.
  ///
  /// - Parameters:
  ///   - id: The identifier. Begin it with the name of the feature that declares the point.
  ///   - cType: The name of the pointer type with which C code contributes addresses to the point
  ///     (`REGISTRY_CONTRIBUTE`). `Value` must have the size of a pointer, such as a C function.
  public init(_ id: String, cType: String? = nil) {
    precondition(
      cType == nil || MemoryLayout<Value>.size == MemoryLayout<UnsafeRawPointer>.size,
      "swift-section-registry: the point '\(id)' has a type in C, so its values must have the size of a pointer")
    self.id = id
    self.cType = cType
  }

  var key: GroupKey { GroupKey(Value.self, point: id, isKeyed: true, cType: cType) }
}
