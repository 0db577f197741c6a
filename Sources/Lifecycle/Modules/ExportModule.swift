import Registry

/// Exports a final class as a module.
///
/// ```swift
/// @ExportModule(priority: 10, after: ["Account.AccountModule"])
/// final class CartModule: Module { … }
/// ```
///
/// If the other modules are visible, `after` can name their types:
/// `@ExportModule(after: [AccountModule.self])`.
///
/// The attribute writes a record into the binary. None of your code runs until a manager reads the
/// record, usually in ``ModuleManager/start(launch:)``. The class isn't exported on platforms where
/// it is marked as unavailable.
///
/// Don't declare the class in an extension of a generic type, because the compiler then reports
/// that static stored properties are not supported in generic types. In constrained extensions, and
/// in extensions of `Optional` and common collections, the macro reports the mistake instead.
///
/// - Parameters:
///   - level: The level of the module. Basic modules precede normal ones.
///   - priority: The priority among the modules that could be next, as an integer literal. The
///     module with the highest priority comes first.
///   - after: The names of modules that must precede this one, as string literals such as
///     `"Account.AccountModule"`. With names, features need not import each other. A name refers to
///     all modules with that name in their records or at run time.
///   - afterNeeds: A Boolean literal that indicates whether this module follows the modules that
///     its feature needs. A feature is a Swift module, whose `@Service` and `#needs` state what the
///     feature needs. This module follows the modules in `#needs`, and all modules of the features
///     that implement the needed services. `report()` lists them.
///   - activation: The time at which the module is created: at launch, or on the first event that
///     it handles.
///   - initialization: The time at which the module is initialized: with the other modules, or in
///     the next turn of the main actor.
///   - replaysMissedPhases: A Boolean literal that indicates whether a module that is added or
///     activated late receives the events that it missed: ``Event/modulesDidSetUp``,
///     ``Event/modulesDidInitialize``, and ``Event/modulesDidFinishStarting``.
///   - group: The name of the module's group, as a string literal. Only managers that read the
///     group, usually through `RecordSource.group(_:)`, find the module. By default, the module has
///     no group.
@attached(peer, names: prefixed(__module_))
public macro ExportModule(
  level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [], afterNeeds: Bool = false,
  activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
  replaysMissedPhases: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportModuleMacro")

/// Exports a final class as a module that follows other modules, given as types.
///
/// ```swift
/// @ExportModule(after: [AccountModule.self])
/// final class CartModule: Module { … }
/// ```
///
/// The other parameters work as in the attribute that takes names.
///
/// - Parameter after: The types of modules that must precede this one, as an array literal. The
///   compiler checks that they exist. To list both names and types, write all of them as names.
// The array is optional, so that an empty literal is an array of names: the type checker prefers
// the overload that needs no conversion to an optional.
@attached(peer, names: prefixed(__module_))
public macro ExportModule(
  level: ModuleLevel = .normal, priority: Int = 0, after: [any Module.Type]?, afterNeeds: Bool = false,
  activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
  replaysMissedPhases: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "ExportModuleMacro")

/// Selected when `after` is neither an array of names nor an array of module types.
@attached(peer, names: prefixed(__module_))
@available(
  *, unavailable,
  message: """
    'after' must be an array of the names of modules, or of types that conform to 'Module', as in \
    '[AccountModule.self]'; to list both, write all of them as names [mixed-after]
    """
)
public macro ExportModule(
  level: ModuleLevel = .normal, priority: Int = 0, after: Any??, afterNeeds: Bool = false,
  activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
  replaysMissedPhases: Bool = false, group: String? = nil
) = #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Selected when an argument has no label, so that the macro reports the mistake.
@_documentation(visibility: internal) @attached(peer)
public macro ExportModule(_ argument: Any, priority: Int = 0, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "ExportModuleMacro")

/// Selected when the level has no label, so that the macro reports the mistake.
@_documentation(visibility: internal) @attached(peer)
public macro ExportModule(_ level: ModuleLevel, priority: Int = 0, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "ExportModuleMacro")

/// The modules that must precede a module. Not API: record accessors provide this value.
@frozen public struct __PrecedingModules {
  let types: [any Module.Type]
}

/// Implements the accessor of a module's record. Not API: expansions call it.
///
/// - Parameter types: The types that the record names in `after`.
/// - Returns: `true` if `type` is null or identifies the module's type or ``__PrecedingModules``.
///   Otherwise, the function doesn't write to `out`.
public func __provideModule<M: Module>(
  _ module: M.Type, after types: @autoclosure () -> [any Module.Type] = [], _ out: UnsafeMutableRawPointer,
  _ type: UnsafeRawPointer?
) -> Bool {
  let own = unsafeBitCast(module as Any.Type, to: UnsafeRawPointer.self)
  switch type {
  case nil: out.initializeMemory(as: UnsafeRawPointer.self, to: own)
  case own: out.initializeMemory(as: (any Module.Type).self, to: module)
  case unsafeBitCast(__PrecedingModules.self as Any.Type, to: UnsafeRawPointer.self):
    out.initializeMemory(as: __PrecedingModules.self, to: __PrecedingModules(types: types()))
  default: return false
  }
  return true
}

/// Accepts the type that a module's phases refer to as `Context`. Not API: expansions call it.
@_alwaysEmitIntoClient @inline(__always) public func __checkContext(_ context: Context) {}

/// Selected for another type named `Context`. The compiler reports the message at the phase.
@_disfavoredOverload @_alwaysEmitIntoClient
@available(
  *, deprecated,
  message: """
    the manager does not call this function, because this 'Context' is another type; write 'Lifecycle.Context' \
    [near-miss]
    """
)
public func __checkContext<Other>(_ context: Other) {}

/// Reports that an exported class doesn't conform to ``Module``. Not API: expansions call it. See
/// ProvideDiagnostics.swift in Registry.
@_disfavoredOverload @_alwaysEmitIntoClient
@available(
  *, unavailable,
  message: """
    an exported module must conform to 'Lifecycle.Module'; write 'final class X: Module', or 'Lifecycle.Module' if \
    another 'Module' is visible [not-a-module]
    """
)
public func __provideModule<Other>(
  _ module: Other.Type, after types: [any Module.Type] = [], _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  false
}
