// Navigation, and the parts of view builders that Examples/ShopApp uses.
public import SwiftUI

// A page that quotes SwiftUI's interface of macOS 26
@MainActor @preconcurrency public struct NavigationStack<Data, Root: View>: View {
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where
    Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
  { fatalError() }
  public var body: Never { fatalError() }
}

// `navigationDestination(for:destination:)` and `navigationTitle(_:)` in
// https://developer.apple.com/documentation/swiftui/view
extension View {
  nonisolated public func navigationDestination<D: Hashable, C: View>(
    for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
  ) -> some View { EmptyView() }
  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { EmptyView() }
}

// OpenSwiftUI's TupleView, conditional content, optional views, and ViewBuilder
@frozen public struct TupleView<T>: View {
  public var value: T
  public var body: Never { fatalError() }
}

@frozen public struct _ConditionalContent<TrueContent, FalseContent> {}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
  public var body: Never { fatalError() }
}

extension Optional: @retroactive View where Wrapped: View {
  public var body: Never { fatalError() }
}

extension ViewBuilder {
  @_disfavoredOverload public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { fatalError() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<TrueContent: View, FalseContent: View>(
    first: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
  public static func buildEither<TrueContent: View, FalseContent: View>(
    second: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
}
