#if canImport(SwiftUI) && canImport(ObjectiveC)
public import Registry
public import SwiftUI

extension View {
  /// Registers services for the preview of a view.
  ///
  /// ```swift
  /// #Preview {
  ///   CartView().previewServices { $0.register(CartService.self) { MockCart() } }
  /// }
  /// ```
  ///
  /// The bodies of the view and its subviews find these services in
  /// ``/Registry/ServiceManager/shared``, ahead of all others. The view's initializer runs before
  /// the services are registered. The modifier adds to the services of enclosing modifiers, and
  /// replaces the services of other previews in the process.
  ///
  /// - Parameter register: A closure that registers the services when the preview is shown, but not
  ///   again when the view updates. Its argument is a handle to the shared manager. The
  ///   registrations take precedence over all others, and end when another preview registers its
  ///   services or SwiftUI removes the view.
  @MainActor public func previewServices(
    _ register: @escaping @MainActor (ServiceManager) -> Void
  ) -> some View {
    PreviewedView(self, register)
  }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension PreviewTrait where T == Preview.ViewTraits {
  /// Creates a trait that registers services for a preview.
  ///
  /// ```swift
  /// #Preview(traits: .services { $0.register(CartService.self) { MockCart() } }) { CartView() }
  /// ```
  ///
  /// The trait has the same effect as the modifier ``SwiftUI/View/previewServices(_:)`` on the
  /// previewed view. If there are several traits, the first trait's services take precedence.
  ///
  /// - Parameter register: A closure that registers the services when the preview is shown, as for
  ///   the modifier.
  @MainActor public static func services(
    _ register: @escaping @MainActor (ServiceManager) -> Void
  ) -> PreviewTrait<T> {
    .modifier(ServicesPreviewModifier(register: register))
  }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private struct ServicesPreviewModifier: PreviewModifier {
  let register: @MainActor (ServiceManager) -> Void

  func body(content: Content, context: Void) -> some View {
    content.previewServices(register)
  }
}

/// A view that registers the services of its preview before SwiftUI evaluates the content's body.
///
/// It's a view, not a modifier, because SwiftUI can evaluate a modifier's body after the body of
/// the content. A view's content is known only after the view's own body has been evaluated.
private struct PreviewedView<Content: View>: View {
  @Environment(\.previewScope) private var outer
  private let content: Content
  /// Stored as state, because SwiftUI recreates the view for every update.
  @State private var scope: PreviewScope

  init(_ content: Content, _ register: @escaping @MainActor (ServiceManager) -> Void) {
    self.content = content
    _scope = State(wrappedValue: PreviewScope(register))
  }

  var body: some View {
    let _ = scope.enter(in: outer)
    // A preview that's shown again can appear without SwiftUI evaluating its body again.
    content.environment(\.previewScope, scope).onAppear { scope.enter(in: outer) }
  }
}

private struct PreviewScopeKey: EnvironmentKey {
  static let defaultValue: PreviewScope? = nil
}

extension EnvironmentValues {
  fileprivate var previewScope: PreviewScope? {
    get { self[PreviewScopeKey.self] }
    set { self[PreviewScopeKey.self] = newValue }
  }
}
#endif
