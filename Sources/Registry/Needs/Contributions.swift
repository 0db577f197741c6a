/// Looks up the contributions to a point whenever code reads a property, and records that the code
/// reads the point.
///
/// ```swift
/// struct MenuScreen {
///   @Contributions(.menu) var dishes: [Dish]
///   @Contributions(.commands) var commands: [String: Command]
/// }
/// ```
///
/// Reading the property does what ``ServiceManager/contributions(to:)`` of
/// ``ServiceManager/shared`` does. A contribution that cannot be created is reported and left
/// out. Test scopes apply. The rules for the property are those of ``Service(named:cached:)``.
///
/// - Parameter point: The point.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_), prefixed(__needstatic_))
public macro Contributions<Values>(_ point: ContributionPoint<Values>) =
  #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// States that code reads a contribution point.
///
/// ```swift
/// #needs(contributions: .menu)
/// ```
///
/// - Parameter point: The point, such as `.menu`.
@freestanding(declaration)
public macro needs<Values>(contributions point: ContributionPoint<Values>) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")
