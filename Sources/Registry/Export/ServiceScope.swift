/// The lifetime of the instances of a service.
public enum ServiceScope: String, Sendable, Hashable, CaseIterable {
  /// A new instance for each lookup.
  case transient
  /// A single instance, which the first lookup creates and the manager keeps.
  case shared
  /// A single instance, which lives as long as your code references it; for classes and actors.
  case weak
}
