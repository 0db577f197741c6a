#if canImport(AppKit)
public import AppKit
#elseif os(watchOS)
public import WatchKit
#elseif canImport(UIKit)
public import UIKit
#endif

// SOURCE: https://developer.apple.com/documentation/swiftui/app
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  @MainActor @preconcurrency init()
}

// SOURCE: https://developer.apple.com/documentation/swiftui/app/main()
extension App {
  @MainActor @preconcurrency public static func main() {}
}

// SOURCE: https://developer.apple.com/documentation/swiftui/scene
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/scene
extension Never: Scene {}

// SOURCE: https://developer.apple.com/documentation/swiftui/scenebuilder
@resultBuilder public struct SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { fatalError() }
  public static func buildExpression<Content: Scene>(_ content: Content) -> Content { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/windowgroup
// and its initializer `init(makeContent:)`
public struct WindowGroup<Content: View>: Scene {
  nonisolated public init(@ViewBuilder makeContent: @escaping () -> Content) { fatalError() }
  public var body: Never { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/scene/onchange(of:perform:)
extension Scene {
  #if os(visionOS)
  @available(*, deprecated, message: "Use `onChange` with a two or zero parameter action closure instead.")
  nonisolated public func onChange<V: Equatable>(
    of value: V, perform action: @escaping (_ newValue: V) -> Void
  ) -> some Scene { WindowGroup { EmptyView() } }
  #else
  nonisolated public func onChange<V: Equatable>(
    of value: V, perform action: @escaping (_ newValue: V) -> Void
  ) -> some Scene { WindowGroup { EmptyView() } }
  #endif
}

#if canImport(AppKit)
// SOURCE: https://developer.apple.com/documentation/swiftui/nsapplicationdelegateadaptor
@MainActor @preconcurrency @propertyWrapper
public struct NSApplicationDelegateAdaptor<DelegateType: NSObject & NSApplicationDelegate>: DynamicProperty {
  public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError() }
  public var wrappedValue: DelegateType { fatalError() }
}
#elseif os(watchOS)
// SOURCE: https://developer.apple.com/documentation/swiftui/wkapplicationdelegateadaptor
@MainActor @preconcurrency @propertyWrapper
public struct WKApplicationDelegateAdaptor<DelegateType: NSObject & WKApplicationDelegate>: DynamicProperty {
  public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError() }
  public var wrappedValue: DelegateType { fatalError() }
}
#elseif canImport(UIKit)
// SOURCE: https://developer.apple.com/documentation/swiftui/uiapplicationdelegateadaptor
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate>: DynamicProperty {
  public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError() }
  public var wrappedValue: DelegateType { fatalError() }
}
#endif
