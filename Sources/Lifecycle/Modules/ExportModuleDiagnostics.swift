// What the type checker falls back on when an exported class is no module. See ProvideDiagnostics.swift in
// Registry.

/// Chosen when the class does not conform to ``Module``.
@_disfavoredOverload
@available(
  *, unavailable, message: "an exported module must conform to Module: write 'final class X: Module'"
)
public func __provideModule<Other>(
  _ module: Other.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  false
}
