// The services of previews. The initializers of `Preview` stand for the macro `#Preview`, whose
// expansion calls them.
import AppHost
import Registry

#if canImport(SwiftUI)
import SwiftUI

protocol CartService: Sendable {
  var count: Int { get }
}

struct MockCart: CartService {
  let count: Int
}

@MainActor protocol Display {
  var title: String { get }
}

final class SilentDisplay: Display {
  let title = "silent"
}

struct CartView: View {
  @Service var cart: any CartService

  var body: some View { Text(verbatim: "\(cart.count) items") }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
extension PreviewTrait where T == Preview.ViewTraits {
  @MainActor static var shop: PreviewTrait<T> {
    .services {
      $0.register(CartService.self, scope: .shared) { MockCart(count: 1) }
      $0.register((any Display).self) { @MainActor in SilentDisplay() }
    }
  }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor func previews() -> [Preview] {
  let trait: PreviewTrait<Preview.ViewTraits> = .services { $0.register(CartService.self) { MockCart(count: 2) } }
  return [
    Preview(traits: .services { $0.register(CartService.self) { MockCart(count: 0) } }) { CartView() },
    Preview("shop", traits: trait, .shop) { CartView() },
  ]
}

struct OlderPreviews: View {
  let count = 3

  var body: some View {
    CartView().previewServices { [count] in
      $0.register(CartService.self, named: "gift") { MockCart(count: count) }
      $0.register(CartService.self) { MockCart(count: 0) }
    }
  }
}
#endif
