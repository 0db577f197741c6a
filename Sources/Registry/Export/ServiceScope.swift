/// The lifetime of a service's instances.
///
/// A type that is exported for several services has one instance for each scope except
/// ``transient``, and another for each service with `separateInstance: true`.
@nonexhaustive public enum ServiceScope: Sendable, Hashable {
  /// A new instance for each lookup.
  case transient
  /// A single instance, which the first lookup creates and the manager keeps.
  case shared
  /// A single instance that lives while your code references it; only for classes and actors.
  case weak
  /// A single instance, which the manager keeps until the named cache is reset.
  ///
  /// Use it for state that ends before the process does, such as a session's state.
  /// ``ServiceManager/resetCache(_:)`` releases a cache's instances, and the next lookup of each
  /// service creates a new one. Lookups of these instances acquire a lock, unlike lookups of shared
  /// ones.
  case cached(String)
}
