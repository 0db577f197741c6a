/// A type that reports intervals of its work, such as a service manager, a module manager, or a
/// router. A `LifecycleTracing` timeline records the intervals of any source.
public protocol IntervalSource: Sendable {
  /// Registers a closure that receives the beginning and the end of each later interval.
  ///
  /// - Parameter observer: A closure that is called on the thread or actor that does the work.
  /// - Returns: A token that removes the observer.
  @discardableResult
  @MainActor func observeIntervals(_ observer: @escaping @Sendable (ObservedInterval) -> Void) -> RegistrationToken
}
