import Registry

/// Declares that code needs a module.
///
/// ```swift
/// #needs(module: AccountModule.self)
/// ```
///
/// Use the macro at the top level of a file or in a type that is not generic. The macro writes a
/// record into the binary. When a manager that reads records starts, it reports each need for an
/// unknown module (`unmet-need`), except optional needs.
///
/// - Parameters:
///   - module: The type of the module, written as `M.self`.
///   - isOptional: A Boolean literal that indicates whether the code works without the module.
///   - group: The name of the record's group, as a string literal.
@freestanding(declaration)
public macro needs(module: any Module.Type, optional isOptional: Bool = false, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")

/// Declares that code needs a module, given by its recorded name.
///
/// ```swift
/// #needs(module: "Account.AccountModule")
/// ```
///
/// - Parameters:
///   - name: The name of the module, as a string literal.
///   - isOptional: A Boolean literal that indicates whether the code works without the module.
///   - group: The name of the record's group, as a string literal.
@freestanding(declaration)
public macro needs(module name: StaticString, optional isOptional: Bool = false, group: String? = nil) =
  #externalMacro(module: "RegistryMacros", type: "NeedsMacro")

/// Selected for an event.
@_documentation(visibility: internal) @freestanding(declaration)
@available(*, unavailable, message: "an event works without handlers, so code cannot need one; remove this line")
public macro needs<Payload, Outcome>(event: Event<Payload, Outcome>) =
  #externalMacro(module: "RegistryMacros", type: "UnavailableMacro")

/// Implements the accessor of a record that states a need for a module. Not API: expansions call
/// it.
///
/// - Returns: True if `type` is null. Otherwise, the function doesn't write to `out`.
public func __provideNeededModule<M: Module>(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?, _ module: M.Type
) -> Bool {
  __provideNeed(__needed(module), out, type)
}
