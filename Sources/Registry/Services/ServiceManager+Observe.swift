extension ServiceManager: IntervalSource {
  /// Registers a closure that observes the creation of this manager's services.
  ///
  /// ```swift
  /// let token = services.observeIntervals { interval in print(interval.name, interval.phase) }
  /// ```
  ///
  /// The closure receives an interval of the kind `service` for each instance that a factory or an
  /// initializer creates, and none for a lookup of an existing instance. The interval's name is
  /// that of the implementation. Creations in a parent or in a test scope belong to another
  /// manager. While a manager has observers, its lookups acquire a lock.
  ///
  /// - Parameter observer: A closure that is called on the thread that creates the service.
  /// - Returns: A token that removes the observer.
  @discardableResult
  public func observeIntervals(_ observer: @escaping @Sendable (ObservedInterval) -> Void) -> RegistrationToken {
    let core = core.current
    let observer = CreationObserver(observer)
    core.addObserver(observer)
    return RegistrationToken { [weak core, weak observer] in
      guard let core, let observer else { return false }
      return core.removeObserver(observer)
    }
  }
}
