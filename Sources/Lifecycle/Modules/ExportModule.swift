import Registry

/// Exports a final class as a module.
///
/// ```swift
/// @ExportModule(priority: 10, after: ["Account.AccountModule"])
/// final class CartModule: Module { … }
/// ```
///
/// The attribute writes a record into the binary, and no code runs before
/// ``ModuleManager/start(launch:)``. On platforms where the class is marked as unavailable, it is
/// not exported.
///
/// The class must not be in an extension of a generic type. The macro cannot see that the type is
/// generic, and the compiler reports that static stored properties are not supported in generic
/// types.
///
/// - Parameters:
///   - level: The level of the module. Basic modules precede normal ones.
///   - priority: The priority among the modules that could be next; the highest comes first. An
///     integer literal.
///   - after: The names of the modules that must precede this one, such as
///     `"Account.AccountModule"`, so that features need not import each other. String literals. A
///     name is that in a module's record or that of its type at run time. It refers to all modules
///     that have it.
///   - activation: The time at which the module is created: at launch, or on the first event that
///     it handles.
///   - initialization: The time at which the module is initialized: with the others, or in the next
///     turn of the main actor.
///   - replaysMissedPhases: A Boolean value that indicates whether a module that is added after the
///     start receives the ``Event/modulesDidSetUp``, ``Event/modulesDidInitialize``, and
///     ``Event/modulesDidFinishStarting`` that it missed. `true` or `false`.
@attached(peer, names: prefixed(__module_))
public macro ExportModule(
  level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [], activation: ModuleActivation = .atLaunch,
  initialization: ModuleInitialization = .inStart, replaysMissedPhases: Bool = false
) = #externalMacro(module: "RegistryMacros", type: "ExportModuleMacro")

/// Implements the accessor of a module's record. Not API: expansions call it.
///
/// - Returns: `true` if `type` is null or identifies the module's type. Otherwise `out` is not
///   written.
public func __provideModule<M: Module>(
  _ module: M.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  let own = unsafeBitCast(module as Any.Type, to: UnsafeRawPointer.self)
  guard let type else {
    out.initializeMemory(as: UnsafeRawPointer.self, to: own)
    return true
  }
  guard type == own else { return false }
  out.initializeMemory(as: (any Module.Type).self, to: module)
  return true
}
