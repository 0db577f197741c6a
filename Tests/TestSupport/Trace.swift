public import Lifecycle

extension ContextKey where Value == Trace {
  /// The trace that the modules of a test append to.
  public static var trace: Self { .init("test.trace", default: Trace()) }
}
