/// What became different in the configuration.
public struct ConfigurationChange: Sendable, Hashable {
  /// The names of the keys that were set to another value, given one or removed, in order.
  public let names: [String]

  /// Makes one, for a test of a module.
  public init(names: [String]) {
    self.names = names
  }

  /// Whether a key may have another value now.
  public func concerns<Value>(_ key: ContextKey<Value>) -> Bool { names.contains(key.name) }
}

extension Event where Payload == ConfigurationChange, Outcome == Void {
  /// The configuration of ``Context`` was changed; triggered after the change while the manager is started or starts.
  ///
  /// For modules, which need not keep an observation: ``Context/onChange(of:notify:)``. Observers are told first.
  public static var configurationDidChange: Self { .init("context.configurationDidChange") }
}

/// Somebody who is told of changes of one key.
@MainActor public final class ConfigurationObservation {
  /// Nil when it was cancelled: whoever keeps it may be what it would keep.
  private(set) var deliver: ((ContextValues, ContextValues) -> Void)?
  /// The last change before it was there.
  let since: Int
  private weak var notices: ConfigurationNotices?

  init(_ notices: ConfigurationNotices, since: Int, deliver: @escaping (ContextValues, ContextValues) -> Void) {
    self.notices = notices
    self.since = since
    self.deliver = deliver
  }

  /// Ends it: nothing is told any more, not even what changed before, and the closure is let go of.
  public func cancel() {
    deliver = nil
    notices?.remove(self)
  }
}

extension Context {
  /// Tells of changes of one key's value in ``configuration``: set, removed, or with the whole replaced, as when it is loaded anew.
  ///
  /// ```swift
  /// currency = context.onChange(of: .currency) { [weak self] old, new in self?.reprice(from: old, to: new) }
  /// ```
  ///
  /// Called on the main actor after each change, once, and not if the value is `Equatable` and stays the same; of other types
  /// whenever it is set. What is changed in the course of it is told after it, to all in order. Changes that cause changes without an
  /// end in sight are reported and not told (``Diagnostic/Code/tooDeep``). Lasts until it is cancelled: a module that keeps one cancels
  /// it in its tear-down.
  ///
  /// - Parameters:
  ///   - key: Whose value.
  ///   - notify: Is given the value before and after; ``configuration`` may have changed again by then.
  @discardableResult
  public func onChange<Value>(
    of key: ContextKey<Value>, notify: @escaping @MainActor (_ old: Value, _ new: Value) -> Void
  ) -> ConfigurationObservation {
    notices.add { old, new in
      if let change = old.change(of: key, in: new) { notify(change.old, change.new) }
    }
  }
}
