// A stand-in for the functions of `Lifecycle` that expansions call, and for `Module`, whose other
// requirements use types that need a runtime.

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
