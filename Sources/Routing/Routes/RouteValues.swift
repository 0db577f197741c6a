/// The name and type of a value that code passes along with an opening.
///
/// ```swift
/// extension RouteKey where Value == Bool { static var animated: Self { .init("app.animated") } }
/// try await router.open(.orderDetail, link, values: RouteValues { $0[.animated] = false })
/// ```
public struct RouteKey<Value: Sendable>: Sendable {
  let name: String

  /// Makes a key. Keys of one name and different types are different keys.
  public init(_ name: String) {
    self.name = name
  }
}

/// Values that code passes along with an opening. A URL cannot put any here.
public struct RouteValues: Sendable {
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  private var values: [Key: any Sendable] = [:]

  public init() {}

  /// Makes values and fills them in.
  public init(_ fill: (inout RouteValues) throws -> Void) rethrows {
    self.init()
    try fill(&self)
  }

  /// The value of a key; nil if none was set.
  public subscript<Value>(key: RouteKey<Value>) -> Value? {
    get { values[Key(name: key.name, type: ObjectIdentifier(Value.self))] as? Value }
    set { values[Key(name: key.name, type: ObjectIdentifier(Value.self))] = newValue }
  }
}
