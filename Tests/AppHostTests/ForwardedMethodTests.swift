import Lifecycle
import Testing

@testable import AppHost

private final class Target: Sendable {
  let methods: Set<String>

  init(_ methods: String...) { self.methods = Set(methods) }
}

/// A target that removes all targets when it is released.
private final class LastTarget: Sendable {
  let forwarded: AdvertisedMethods

  init(_ forwarded: AdvertisedMethods) { self.forwarded = forwarded }

  deinit { forwarded.forward(to: []) }
}

private let unlisted = "application:shouldAllowExtensionPointIdentifier:"
private let openURL = "application:openURL:options:"

struct ForwardedMethodTests {
  private let forwarded = AdvertisedMethods(.application) { object, selector in
    [unlisted, openURL].contains(selector) && (object as? Target)?.methods.contains(selector) ?? false
  }

  @Test func `the first object that has a method without an event receives it`() {
    let (other, first, second) = (Target("other:"), Target(unlisted), Target(unlisted))
    #expect(forwarded.target(for: unlisted) == nil)
    forwarded.forward(to: [other, first, second])
    #expect(forwarded.target(for: unlisted) === first)
    forwarded.forward(to: [second])
    #expect(forwarded.target(for: unlisted) === second)
    forwarded.forward(to: [other])
    #expect(forwarded.target(for: unlisted) == nil)
  }

  @Test func `a method of an event, and one that the protocol does not declare, is not forwarded`() {
    forwarded.forward(to: [Target(openURL, "canBecomeFirstResponder")])
    #expect(forwarded.target(for: openURL) == nil, "modules receive the event")
    #expect(forwarded.target(for: "canBecomeFirstResponder") == nil)
  }

  @Test func `the objects are retained until they are replaced`() {
    var target: Target? = Target(unlisted)
    weak let observed = target
    if let target { forwarded.forward(to: [target]) }
    target = nil
    #expect(observed != nil)
    forwarded.forward(to: [])
    #expect(observed == nil)
  }

  @Test func `an object that is replaced can replace the objects`() {
    forwarded.forward(to: [LastTarget(forwarded)])
    forwarded.forward(to: [Target(unlisted)])
    #expect(forwarded.target(for: unlisted) == nil)
  }
}

/// The methods that a delegate advertises for the modules of one manager.
@MainActor struct Advertised {
  private let methods: AdvertisedMethods
  private let modules: ModuleManager

  init(_ role: DelegateMethod.Role, of modules: ModuleManager) {
    methods = AdvertisedMethods(role) { _, _ in false }
    self.modules = modules
  }

  func isAdvertised(_ selector: String, hasMethod: Bool, isOverridden: () -> Bool) -> Bool {
    methods.isAdvertised(selector, hasMethod: hasMethod, for: modules, isOverridden: isOverridden)
  }
}
