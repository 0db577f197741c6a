// The types behind the macro `#Preview`, which only Xcode expands. `Preview` and `PreviewTrait` are
// in DeveloperToolsSupport, which SwiftUI exports. The traits of iOS 18 are newer than the oldest
// supported systems, so code that uses them states their versions itself.

// SOURCE: https://developer.apple.com/documentation/developertoolssupport/preview
// and its enumeration `ViewTraits`
@MainActor public struct Preview {
  public enum ViewTraits {}
}

// SOURCE: https://developer.apple.com/documentation/developertoolssupport/preview/init(_:traits:body:)-8pemr
extension Preview {
  @MainActor public init(
    _ name: String? = nil, traits: PreviewTrait<Preview.ViewTraits>..., body: @escaping @MainActor () -> any View
  ) { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/developertoolssupport/previewtrait
@MainActor public struct PreviewTrait<T> {}

// SOURCE: https://developer.apple.com/documentation/developertoolssupport/previewtrait/modifier(_:)
extension PreviewTrait where T == Preview.ViewTraits {
  @MainActor public static func modifier(_ modifier: some PreviewModifier) -> PreviewTrait<T> { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/developertoolssupport/previewtrait/init(_:)
extension PreviewTrait {
  @MainActor public init(_ traits: PreviewTrait<T>...) { fatalError() }
}

// SOURCE: https://developer.apple.com/documentation/swiftui/previewmodifier
@MainActor public protocol PreviewModifier {
  associatedtype Context = Void
  associatedtype Body: View
  typealias Content = PreviewModifierContent
  @MainActor static func makeSharedContext() async throws -> Self.Context
  @ViewBuilder @MainActor func body(content: Self.Content, context: Self.Context) -> Self.Body
}

// SOURCE: https://developer.apple.com/documentation/swiftui/previewmodifier
// whose text lets types without a context omit the function
extension PreviewModifier where Context == Void {
  @MainActor public static func makeSharedContext() async throws {}
}

// SOURCE: https://developer.apple.com/documentation/swiftui/previewmodifiercontent
public struct PreviewModifierContent: View {
  public var body: Never { fatalError() }
}
