// Stands in for what expansions call in `Lifecycle`, and for `Module`, whose other requirements speak of types that
// want a runtime.

public import _Concurrency

@MainActor public protocol Module: AnyObject {
  init() throws
}

@inline(never)
public func __provideModule<M: Module>(
  _ module: M.Type, _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?
) -> Bool {
  type != nil
}
