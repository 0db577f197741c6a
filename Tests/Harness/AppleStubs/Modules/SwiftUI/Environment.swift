// SOURCE: https://developer.apple.com/documentation/swiftui/scenephase
/// The phase of an app or a scene.
public enum ScenePhase: Comparable, Hashable, Sendable {
  case background
  case inactive
  case active
}

// SOURCE: https://developer.apple.com/documentation/swiftui/environmentvalues
public struct EnvironmentValues {
  public init() {}
  public var scenePhase: ScenePhase { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/environmentkey
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Self.Value { get }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/environmentvalues/subscript(_:)
extension EnvironmentValues {
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get { fatalError() }
    set {}
  }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/dynamicproperty
public protocol DynamicProperty {
  mutating func update()
}

// SOURCE: https://developer.apple.com/documentation/swiftui/dynamicproperty/update()
extension DynamicProperty {
  public mutating func update() {}
}

// SOURCE: https://developer.apple.com/documentation/swiftui/environment
@frozen @propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
  public var wrappedValue: Value { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/state
//
// Xcode 27 expands `@State` with a macro of this name instead, into two further properties.
@frozen @propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue value: Value) { fatalError() }
  public init(initialValue value: Value) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/binding
// and the same type of OpenSwiftUI, github:OpenSwiftUIProject/OpenSwiftUI
@frozen @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  @preconcurrency public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { self }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    fatalError()
  }
}
