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
/// Reading the property works like calling ``ServiceManager/contributions(to:)`` on
/// ``ServiceManager/shared``, but contributions that can't be created are reported and left out.
/// Test scopes apply, and so do the rules of ``Service(named:cached:)`` for properties.
///
/// - Parameter point: The point.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_), prefixed(__needstatic_))
public macro Contributions<Values>(_ point: ContributionPoint<Values>) =
  #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// Looks up the contributions to a point in an instance's manager whenever code reads a property,
/// and records that the code reads the point.
///
/// ```swift
/// @Contributions(.menu, in: \MenuScreen.services) var dishes: [Dish]
/// ```
///
/// - Parameters:
///   - point: The point.
///   - manager: A key path from the type to the manager, written with the type.
@attached(accessor, names: named(get))
@attached(peer, names: prefixed(__need_))
public macro Contributions<Values, Root>(
  _ point: ContributionPoint<Values>, in manager: KeyPath<Root, ServiceManager>
) = #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// Selected for a point's identifier, so that the macro reports the mistake.
// Not `String`, because an app's extension of `String` can have members with the same names as
// points.
@_documentation(visibility: internal) @attached(accessor, names: named(get))
public macro Contributions(_ id: StaticString) = #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// Selected when there is no point, so that the macro reports the mistake.
@_documentation(visibility: internal) @attached(accessor, names: named(get))
public macro Contributions() = #externalMacro(module: "RegistryMacros", type: "ContributionsMacro")

/// Declares that code reads a contribution point.
///
/// ```swift
/// #needs(contributions: .menu)
/// ```
///
/// - Parameters:
///   - point: The point, such as `.menu`.
///   - group: The name of the record's group, as a string literal.
@freestanding(declaration)
public macro needs<Values>(contributions point: ContributionPoint<Values>, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")

/// Selected for a point without a label.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "write 'contributions:' before the contribution point")
public macro needs<Values>(
  _ point: ContributionPoint<Values>, optional isOptional: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected for a point combined with other needs.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "write one '#needs' for each contribution point, and another for services")
public macro needs<Values, each Other>(
  _ services: Any.Type..., contributions point: ContributionPoint<Values>,
  _ others: repeat ContributionPoint<each Other>, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")
