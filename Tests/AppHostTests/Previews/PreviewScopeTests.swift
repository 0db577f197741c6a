import Registry
import Testing

@testable import AppHost

private protocol Basket: Sendable {
  var label: String { get }
}

private final class LabeledBasket: Basket {
  let label: String
  init(_ label: String) { self.label = label }
}

private struct BasketView {
  @Service var basket: (any Basket)?
}

/// The tests are synchronous, so none runs between the steps of another one, which would end its
/// scopes.
@MainActor struct PreviewScopeTests {
  private func label(_ name: String? = nil) -> String? {
    try? ServiceManager.shared.createService(for: (any Basket).self, named: name).label
  }

  private func scope(_ label: String, named name: String? = nil) -> PreviewScope {
    PreviewScope { $0.register((any Basket).self, named: name) { LabeledBasket(label) } }
  }

  @Test func `lookups and properties find the services of a preview before those of the app`() {
    let app = ServiceManager.shared.register((any Basket).self) { LabeledBasket("app") }
    defer { app.cancel() }
    let preview = scope("preview")
    #expect(label() == "app")
    preview.enter()
    #expect(label() == "preview")
    #expect(BasketView().basket?.label == "preview")
    withExtendedLifetime(preview) {}
  }

  @Test func `the services of a preview end when another preview registers its own`() {
    let first = PreviewScope {
      $0.register((any Basket).self) { LabeledBasket("first") }
      $0.register((any Basket).self, scope: .shared, named: "gift") { LabeledBasket("gift") }
    }
    let second = scope("second")
    first.enter()
    #expect(label() == "first" && label("gift") == "gift")
    second.enter()
    #expect(label() == "second" && label("gift") == nil)
    // The first preview is shown again.
    first.enter()
    #expect(label() == "first" && label("gift") == "gift")
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a preview with no services ends those of another one`() {
    let first = scope("first")
    let second = PreviewScope { _ in }
    first.enter()
    second.enter()
    #expect(label() == nil)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `an update of a view keeps the shared instances of its preview`() throws {
    var count = 0
    let preview = PreviewScope {
      count += 1
      $0.register((any Basket).self, scope: .shared) { LabeledBasket("shared") }
    }
    preview.enter()
    let basket = try ServiceManager.shared.createService(for: (any Basket).self)
    preview.enter()
    let same = try ServiceManager.shared.createService(for: (any Basket).self)
    #expect(count == 1)
    #expect(basket as? LabeledBasket === same as? LabeledBasket)
    withExtendedLifetime(preview) {}
  }

  @Test func `services of an inner scope precede those of the outer one, and both end together`() {
    let outer = PreviewScope {
      $0.register((any Basket).self) { LabeledBasket("outer") }
      $0.register((any Basket).self, named: "gift") { LabeledBasket("outer gift") }
    }
    let inner = scope("inner")
    outer.enter()
    inner.enter(in: outer)
    #expect(label() == "inner" && label("gift") == "outer gift")
    let other = scope("other")
    other.enter()
    #expect(label() == "other" && label("gift") == nil)
    // The inner view can appear before the outer one.
    inner.enter(in: outer)
    outer.enter()
    #expect(label() == "inner" && label("gift") == "outer gift")
    withExtendedLifetime((inner, other)) {}
  }

  @Test func `a scope in two others keeps both, and enters both again`() {
    let (outer, middle) = (scope("outer", named: "outer"), scope("middle", named: "middle"))
    let (inner, other) = (scope("inner", named: "inner"), scope("other"))
    let names = ["outer", "middle", "inner"]
    outer.enter()
    middle.enter(in: outer)
    for _ in 1...2 {
      inner.enter(in: middle)
      #expect(names.map { label($0) } == names)
      other.enter()
      #expect(names.map { label($0) } == [nil, nil, nil])
    }
    withExtendedLifetime((inner, other)) {}
  }

  @Test func `the services of a preview end when its view is removed`() {
    do {
      let preview = scope("removed")
      preview.enter()
      #expect(label() == "removed")
      withExtendedLifetime(preview) {}
    }
    #expect(label() == nil)
  }
}
