/// How long an instance of a service lives.
public enum ServiceScope: String, Sendable, Hashable, CaseIterable {
  /// Every look-up makes a new instance.
  case transient
  /// The first look-up makes the instance; it lives as long as its manager.
  case shared
  /// The instance is shared as long as somebody holds it. For classes and actors.
  case weak
}
