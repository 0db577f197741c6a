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
///   - level: Basic modules come before normal ones.
///   - priority: Among modules that could come next, the one of the highest priority does. An integer
///     literal.
///   - after: The names of modules that must come first (`"Account.AccountModule"`), so that
///     features need not import each other. String literals. A name is that in a module's record or
///     that of its type at run time, and stands for all modules that have it.
///   - activation: When it is made: at launch, or at the first event that it subscribed to.
///   - initialization: When it is initialised: with all others, or in the next turn of the main loop.
///   - replaysMissedPhases: Whether, if it comes late, its handlers of ``Event/modulesDidSetUp``, ``Event/modulesDidInitialize`` and
///     ``Event/modulesDidFinishStarting`` are called for what it missed. `true` or `false`.
@attached(peer, names: prefixed(__module_))
public macro ExportModule(
  level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [], activation: ModuleActivation = .atLaunch,
  initialization: ModuleInitialization = .inStart, replaysMissedPhases: Bool = false
) = #externalMacro(module: "RegistryMacros", type: "ExportModuleMacro")

/// The accessor of a module. Not API: what an expansion calls.
///
/// - Returns: Whether `type` is null or the module's type; `out` was touched only then.
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
