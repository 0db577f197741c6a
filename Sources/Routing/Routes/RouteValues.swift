/// A key for a value that code passes with a request.
///
/// ```swift
/// extension RouteKey where Value == Bool { static var animated: Self { .init("app.animated") } }
/// try await router.open(.orderDetail, link, values: RouteValues { $0[.animated] = false })
/// ```
public struct RouteKey<Value: Sendable>: Sendable {
  let name: String

  /// Creates a key. Keys with the same name and different types are different keys.
  public init(_ name: String) {
    self.name = name
  }
}

/// The values that code passes with a request. A URL cannot add values.
public struct RouteValues: Sendable {
  private var values: [String: [ObjectIdentifier: any Sendable]] = [:]

  /// Creates a collection of values.
  ///
  /// - Parameter fill: A closure that sets values. By default, no values are set.
  @_optimize(speed) public init(_ fill: (inout RouteValues) -> Void = { _ in }) { fill(&self) }

  /// Accesses the value for a key, or nil if no value is set.
  public subscript<Value>(key: RouteKey<Value>) -> Value? {
    get { values[key.name]?[ObjectIdentifier(Value.self)] as? Value }
    set { values[key.name, default: [:]][ObjectIdentifier(Value.self)] = newValue }
  }
}
