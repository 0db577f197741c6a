// The types behind the macro `#Preview`, which only Xcode expands. `Preview` and `PreviewTrait` are
// in DeveloperToolsSupport, which SwiftUI exports. The traits of iOS 18 are newer than the oldest
// supported systems, so code that uses them states their versions itself.

@MainActor public struct Preview {
  public enum ViewTraits {}
}

@MainActor public struct PreviewTrait<T> {}

extension PreviewTrait where T == Preview.ViewTraits {
  @MainActor public static func modifier(_ modifier: some PreviewModifier) -> PreviewTrait<T> { fatalError() }
}

@MainActor public protocol PreviewModifier {
  associatedtype Context = Void
  associatedtype Body: View
  typealias Content = PreviewModifierContent
  @MainActor static func makeSharedContext() async throws -> Self.Context
  @ViewBuilder @MainActor func body(content: Self.Content, context: Self.Context) -> Self.Body
}

extension PreviewModifier where Context == Void {
  @MainActor public static func makeSharedContext() async throws {}
}

public struct PreviewModifierContent: View {
  public var body: Never { fatalError() }
}
