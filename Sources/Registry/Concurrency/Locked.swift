internal import RegistryC

/// A value that a lock guards.
///
/// The standard library's `Mutex` isn't available on the oldest systems that this package supports.
// A structure, because the runtime creates the metadata of each generic class on its first use.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Unchecked: `value` is read and written only while `lock` is held.
  private let lock: OpaquePointer
  private let value: UnsafeMutablePointer<Value>

  package init(_ value: consuming sending Value) {
    guard let lock = registry_lock_create() else { fatalError("swift-section-registry: cannot allocate a lock") }
    self.lock = lock
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    registry_lock_destroy(lock)
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Calls a closure with the value while the lock is held.
  ///
  /// The closure must not acquire the same lock again, and must not run user code.
  // Inlined, because the compiler would otherwise emit a specialized function for each closure.
  @inline(__always)
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    registry_lock_acquire(lock)
    defer { registry_lock_release(lock) }
    return try body(&value.pointee)
  }

  /// Returns the value, creating it outside the lock if there is none.
  ///
  /// Concurrent calls can each create a value, but those that do return the value stored first.
  func value<Wrapped>(_ create: () -> Wrapped?) -> Wrapped? where Value == Wrapped? {
    if let value = withLock({ $0 }) { return value }
    guard let created = create() else { return nil }
    return withLock { value in
      if let value { return value }
      value = created
      return created
    }
  }
}
