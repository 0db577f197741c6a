// The overload that the type checker chooses if an exported class is not a module, so that the
// compiler reports its message. See ProvideDiagnostics.swift in Registry.

/// Reports that a class does not conform to the protocol of modules. Not API: expansions call it.
@_disfavoredOverload
@available(
  *, unavailable, message: "an exported module must conform to 'Module'; write 'final class X: Module' [not-a-module]"
)
public func __provideModule<Other>(
  _ module: Other.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  false
}

/// Reports that a class does not conform to the protocol of modules. Not API: expansions call it.
@_disfavoredOverload
@available(
  *, unavailable, message: "an exported module must conform to 'Module'; write 'final class X: Module' [not-a-module]"
)
public func __provideModule<Other>(
  _ module: Other.Type, after types: [any Module.Type], _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  false
}
