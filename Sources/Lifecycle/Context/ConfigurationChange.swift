public import Registry

/// The names of the settings that changed.
public struct ConfigurationChange: Sendable, Hashable {
  /// The sorted names of the keys whose values were set, replaced, or removed.
  public let names: [String]

  /// Creates a change, for testing a module.
  public init(names: [String]) {
    self.names = names
  }

  /// Returns whether the value of a key may have changed.
  public func concerns<Value>(_ key: ContextKey<Value>) -> Bool { names.contains(key.name) }
}

extension Event where Payload == ConfigurationChange, Outcome == Void {
  /// An event that is triggered after the configuration changes, unless the manager is stopped.
  ///
  /// Observers added with ``Context/observe(_:notify:)`` are called before the event's handlers.
  public static var configurationDidChange: Self { .init("context.configurationDidChange") }
}

extension Context {
  /// Observes the value of one key in the configuration.
  ///
  /// ```swift
  /// currency = context.observe(.currency) { [weak self] old, new in
  ///   self?.reprice(from: old, to: new)
  /// }
  /// ```
  ///
  /// The closure runs on the main actor once after each change of the value: when the value is set
  /// or removed, and when all settings are replaced. If the type is `Equatable`, setting an equal
  /// value is not a change. If an observer changes a setting, all observers receive the current
  /// change before the new one. An endless chain of changes is reported as `too-deep`.
  ///
  /// The observation lasts until its token is canceled. A module's observation belongs to the
  /// module, like registrations through ``services``, and ends when the module is torn down.
  ///
  /// - Parameters:
  ///   - key: The key to observe.
  ///   - notify: A closure that receives the value before and after the change. By the time it's
  ///     called, ``configuration`` may have changed again.
  /// - Returns: A token that ends the observation.
  @discardableResult
  public func observe<Value>(
    _ key: ContextKey<Value>, notify: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
  ) -> RegistrationToken {
    #if DEBUG
    // In reports, an observed setting counts as read, unless it already has a value, which the
    // observer doesn't receive.
    let isSet = configuration.hasValue(of: key)
    configuration.owner?.record(key.name, Value.self, key.defaultValue, isRead: !isSet, isObserved: isSet)
    #endif
    let registrations = collecting?.registrations
    // Registrations by the observer don't belong to the code that changes the value.
    return observers.add(for: registrations) { [weak self] old, new in
      guard let change = old.change(of: key, in: new) else { return }
      self?.perform(for: registrations) { notify(change.old, change.new) }
    }
  }
}
