/// The lifetime of the instances of a service.
///
/// A type that is exported for several services has one instance for each scope. Transient
/// services have no such instance.
@nonexhaustive public enum ServiceScope: Sendable, Hashable {
  /// A new instance for each lookup.
  case transient
  /// A single instance, which the first lookup creates and the manager keeps.
  case shared
  /// A single instance that lives while your code references it; for classes and actors.
  case weak
  /// A single instance, which the manager keeps until the cache with a name is reset.
  ///
  /// Use it for state that ends before the process does, such as a session's.
  /// ``ServiceManager/resetCache(_:)`` releases the instances of a cache, and the next lookup of
  /// each service creates another one. A lookup of such an instance acquires a lock, which a lookup
  /// of a shared one does not.
  case cached(String)
}
