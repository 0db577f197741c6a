internal import RegistryC

/// A value behind a lock.
///
/// The standard library's `Mutex` needs newer systems than this package supports.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked: `value` is read and written between acquire and release of `lock` only.
  private let lock: OpaquePointer
  private var value: Value

  package init(_ value: sending Value) {
    guard let lock = registry_lock_create() else { fatalError("swift-section-registry: no memory for a lock") }
    self.lock = lock
    self.value = value
  }

  deinit {
    registry_lock_destroy(lock)
  }

  /// Runs `body` with the value, alone. `body` must not come back for the same lock, nor run user code.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    registry_lock_acquire(lock)
    defer { registry_lock_release(lock) }
    return try body(&value)
  }
}
