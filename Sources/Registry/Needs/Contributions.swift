/// Looks up the contributions to a point whenever code reads a property, and records that the code
/// reads the point.
///
/// ```swift
/// struct MenuScreen {
///   @Contributions(.menu) var dishes: [Dish]
/// }
/// ```
///
/// Reading the property does what ``ServiceManager/contributions(to:)-(ContributionPoint<Value>)``
/// of ``ServiceManager/shared`` does. A contribution that cannot be created is reported and left
/// out. Test scopes apply. The rules for the property are those of ``Service(named:cached:)``.
///
/// - Parameter point: The point.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_), prefixed(__needstatic_))
public macro Contributions<Value>(_ point: ContributionPoint<Value>) =
  #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// Looks up the contributions to a keyed point whenever code reads a property.
///
/// ```swift
/// @Contributions(.commands) var commands: [String: Command]
/// ```
///
/// - Parameter point: The point.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_), prefixed(__needstatic_))
public macro Contributions<Value>(_ point: KeyedContributionPoint<Value>) =
  #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// States that code reads a contribution point.
///
/// ```swift
/// #needs(contributions: .menu)
/// ```
///
/// - Parameter point: The point, such as `.menu`.
@freestanding(declaration)
public macro needs<Value>(contributions point: ContributionPoint<Value>) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")

/// States that code reads a keyed contribution point.
///
/// - Parameter point: The point.
@freestanding(declaration)
public macro needs<Value>(contributions point: KeyedContributionPoint<Value>) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")
