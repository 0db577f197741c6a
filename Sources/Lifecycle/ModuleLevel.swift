/// Which of the two groups a module is in.
public enum ModuleLevel: String, Sendable, Hashable, CaseIterable {
  /// What others stand on; comes first.
  case basic
  /// Everything else.
  case normal
}
