/// Contributes a value to a contribution point.
///
/// ```swift
/// #contribute(.menu, priority: 5) { Dish("soup") }
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. It writes a record
/// into the binary, and no code runs before a contribution is looked up
/// (``ServiceManager/contributions(to:)-(ContributionPoint<Value>)``). The value is created at first
/// use, once for each manager, on the actor of the closure if it has one.
///
/// Contributions are in the order of their priorities. Those with one priority are in the order in
/// which their images were loaded, and then in that of their source locations.
///
/// - Parameters:
///   - point: The point, such as `.menu` or `ContributionPoint<Dish>.menu`.
///   - priority: The priority; the highest comes first. An integer literal.
///   - condition: The condition without which the contribution does not exist, evaluated when the
///     point is first used.
///   - make: A closure that creates the value, which cannot capture local variables.
@freestanding(declaration)
public macro contribute<Value>(
  _ point: ContributionPoint<Value>, priority: Int = 0, when condition: ServiceCondition? = nil,
  make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "ContributeMacro")

/// Contributes a value to a keyed contribution point.
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
///   - condition: The condition without which the contribution does not exist.
///   - make: A closure that creates the value, which cannot capture local variables.
@freestanding(declaration)
public macro contribute<Value>(
  _ point: KeyedContributionPoint<Value>, key: String, priority: Int = 0, when condition: ServiceCondition? = nil,
  make: @escaping @isolated(any) () throws -> Value
) = #externalMacro(module: "RegistryMacros", type: "ContributeMacro")

/// The type that receives the contribution of a record.
///
/// Not API: expansions of `#contribute` use it. The methods have the parameters of the macros.
public final class __Contributions: Sendable {
  /// A contribution, whose other properties are in the JSON of its record.
  struct Contribution: Sendable {
    let group: GroupKey
    let key: String?
    let factory: AnyServiceFactory
  }

  private let list = Locked<[Contribution]>([])

  init() {}

  /// The contribution; nil if the expansion did not add exactly one.
  var only: Contribution? { list.withLock { $0.count == 1 ? $0[0] : nil } }

  public func add<Value>(
    _ point: ContributionPoint<Value>, priority: Int = 0, when condition: ServiceCondition? = nil,
    make: @escaping @isolated(any) () throws -> Value
  ) { list.withLock { $0.append(Contribution(group: point.key, key: nil, factory: ServiceFactory(make))) } }

  public func add<Value>(
    _ point: KeyedContributionPoint<Value>, key: String, priority: Int = 0, when condition: ServiceCondition? = nil,
    make: @escaping @isolated(any) () throws -> Value
  ) { list.withLock { $0.append(Contribution(group: point.key, key: key, factory: ServiceFactory(make))) } }
}

/// The value that the accessor of a contribution's record returns. Not API: expansions use it.
///
/// It has one stored function, so that its layout is the two words that `RecordFormat.md` promises.
/// The accessor itself runs no code of the client: the expression that names the point may be
/// isolated to an actor, so it is evaluated in the function.
///
/// Unchecked: expansions pass a static function, which captures nothing. Swift 5 mode does not know
/// that it is therefore Sendable (SE-0418).
@frozen public struct __ContributionProvider: @unchecked Sendable {
  @usableFromInline let list: @isolated(any) (__Contributions) -> Void

  @inlinable init(list: @escaping @isolated(any) (__Contributions) -> Void) {
    self.list = list
  }
}

/// Implements the accessor of a contribution's record. Not API: expansions call it.
///
/// - Returns: `true` if `type` is null or identifies ``__ContributionProvider``. Otherwise `out` is
///   not written.
public func __provideContribution(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ list: @escaping @isolated(any) (__Contributions) -> Void
) -> Bool {
  provide(__ContributionProvider(list: list), out, type)
}

extension __ContributionProvider {
  /// Reads the contribution, which runs code of the client, or returns nil if another actor must
  /// read it.
  func read() -> __Contributions? {
    guard list.isolation?.isCurrent ?? true else { return nil }
    let contributions = __Contributions()
    withoutIsolation(list)(contributions)
    return contributions
  }

  /// Reads the contribution on its actor, which runs code of the client.
  nonisolated(nonsending) func readOnActor() async -> __Contributions {
    let contributions = __Contributions()
    await list(contributions)
    return contributions
  }
}
